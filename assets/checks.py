"""Our checks as Dagster's: their specs, and their results, whether a run is of one partition or of many."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import warnings
from collections.abc import Iterable

import dagster as dg
from dagster_shared.utils.warnings import PreviewWarning

from research_pipeline.auditing import CHECKS, Check


def check_specs(
    asset: dg.AssetKey, names: Iterable[str], *, partitions: dg.PartitionsDefinition[str] | None = None
) -> list[dg.AssetCheckSpec]:
    """The checks of an asset, with a status for each of its partitions where it has some."""
    with warnings.catch_warnings():
        # Checks by partition are a preview in this Dagster; this is the one place that makes them.
        warnings.simplefilter("ignore", PreviewWarning)
        return [dg.AssetCheckSpec(name, asset=asset, description=CHECKS[name], partitions_def=partitions) for name in names]


def check_results(checks: Iterable[Check]) -> list[dg.AssetCheckResult]:
    """The results of a run of one partition, or of an asset without any."""
    return [
        dg.AssetCheckResult(
            passed=check.passed,
            check_name=check.name,
            severity=_severity(check),
            description=check.advice,
            metadata={"what to do": check.advice},
        )
        for check in checks
    ]


def check_evaluations(asset: dg.AssetKey, checks: Iterable[Check], *, partition: str) -> list[dg.AssetCheckEvaluation]:
    """The same results as events, for a run that works on many partitions."""
    return [
        dg.AssetCheckEvaluation(
            asset_key=asset,
            check_name=result.check_name or "",
            passed=result.passed,
            metadata=result.metadata,
            severity=result.severity,
            description=result.description,
            partition=partition,
        )
        for result in check_results(checks)
    ]


def _severity(check: Check) -> dg.AssetCheckSeverity:
    """What did not pass is a warning, since it is named in the report; what was printed or spent against the rules is an error."""
    return dg.AssetCheckSeverity.ERROR if check.grave else dg.AssetCheckSeverity.WARN
