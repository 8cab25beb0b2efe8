"""Study files that are broken, as Dagster shows them: an asset each with its problems, and a check that fails until they are mended."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
# No postponed annotations here: Dagster reads those of a context and of resources as they are.

import hashlib
import re
from collections.abc import Sequence

import dagster as dg

from research_pipeline.errors import InputError
from resources.studies import BrokenStudy, load_study

GROUP = "broken_studies"
CHECK = "is_valid"
_MENDED = "The file is valid now. Reload the code location, and it becomes a study."


def broken_studies(broken: Sequence[BrokenStudy]) -> dg.Definitions:
    """What stands for the broken files of a folder; nothing where there are none."""
    if not broken:
        return dg.Definitions()
    return dg.Definitions(
        assets=[_spec(study) for study in broken], asset_checks=[_check(study) for study in broken], sensors=[_watcher(broken)]
    )


def _key(study: BrokenStudy) -> dg.AssetKey:
    return dg.AssetKey([GROUP, study.name])


def _spec(study: BrokenStudy) -> dg.AssetSpec:
    return dg.AssetSpec(
        _key(study),
        description=f"`{study.path.name}` is no valid study, so nothing of it runs; the others go on.\n\n```\n{study.error}\n```",
        group_name=GROUP,
        metadata={"file": dg.MetadataValue.path(str(study.path)), "problems": dg.MetadataValue.text(str(study.error))},
        kinds={"yaml"},
    )


def _check(study: BrokenStudy) -> dg.AssetChecksDefinition:
    unique = f"{re.sub(r'[^A-Za-z0-9_]', '_', study.name)}_{hashlib.sha256(study.name.encode()).hexdigest()[:6]}"

    @dg.multi_asset_check(
        name=f"broken_{unique}", specs=[dg.AssetCheckSpec(CHECK, asset=_key(study), description="The file is a valid study.")]
    )
    def check() -> dg.AssetCheckResult:
        problems = _problems(study)
        return dg.AssetCheckResult(passed=not problems, check_name=CHECK, asset_key=_key(study), description=problems or _MENDED)

    return check


def _watcher(broken: Sequence[BrokenStudy]) -> dg.SensorDefinition:
    """Reads the files again and again, so that the check stands failed without anybody running it."""

    @dg.sensor(
        name=GROUP,
        description="Says of each broken study file what is wrong with it.",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
    )
    def watch(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        found = {study.name: _problems(study) for study in broken}
        now = hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()
        if now != context.cursor:
            for study in broken:
                context.instance.report_runless_asset_event(_evaluation(study, found[study.name]))
        named = "; ".join(f"{name}.yaml {'is broken' if problems else 'is mended: reload'}" for name, problems in found.items())
        return dg.SensorResult(skip_reason=f"{named}.", cursor=now)

    return watch


def _evaluation(study: BrokenStudy, problems: str) -> dg.AssetCheckEvaluation:
    return dg.AssetCheckEvaluation(
        asset_key=_key(study),
        check_name=CHECK,
        passed=not problems,
        metadata={},
        severity=dg.AssetCheckSeverity.ERROR,
        description=problems or _MENDED,
    )


def _problems(study: BrokenStudy) -> str:
    """What is wrong with the file as it stands now; empty where it was mended."""
    try:
        load_study(study.path)
    except InputError as error:
        return str(error)
    return ""
