"""Everything that Dagster sees: each study of the studies folder as a graph of assets with its jobs. Nothing is computed here."""

# dagster types its metadata with a PathLike that has no parameter
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import dagster as dg

from assets.describing import key_of
from assets.discovered_urls import DISCOVERED_URLS
from assets.extracted_evidence import EXTRACTED_EVIDENCE
from assets.fetched_pages import FETCHED_PAGES
from assets.partitioned import stage_asset
from assets.plan_approval import plan_approval
from assets.report import report
from assets.resolved_findings import RESOLVED_FINDINGS
from assets.rounds import round_job
from assets.source_plan import source_plan
from research_pipeline.broken_studies import broken_studies
from research_pipeline.moving import Part
from research_pipeline.runs import STUDY
from research_pipeline.schedules import plan_schedule
from research_pipeline.sensors import driver_sensor
from resources.channels import ChannelResource
from resources.collecting import collect_rarely
from resources.models.resource import ModelResource
from resources.mrscraper import MrScraperResource
from resources.stores import ResearchHome
from resources.studies import BrokenStudy, StudyFile, load_studies

_log = logging.getLogger("research")

QUESTION_STAGES = (DISCOVERED_URLS, FETCHED_PAGES, EXTRACTED_EVIDENCE, RESOLVED_FINDINGS)


def build_study_defs(file: StudyFile, resources: Mapping[str, dg.ConfigurableResource[Any]]) -> dg.Definitions:
    """One study: its seven assets, a job for each part of a cycle, and what moves them.

    STUDY_plan begins a cycle, STUDY_approve approves its plan, STUDY_begin does both, STUDY_questions works on one sub-question
    (a partition), STUDY_round on many, STUDY_report writes the report. STUDY_schedule begins cycles, STUDY_driver brings them to their
    report.
    """
    stages = [stage_asset(file, spec) for spec in QUESTION_STAGES]
    tags = {STUDY: file.name}

    def job(part: str, *assets: str) -> dg.UnresolvedAssetJobDefinition:
        return dg.define_asset_job(
            f"{file.name}_{part}", dg.AssetSelection.assets(*(key_of(file.name, name) for name in assets)), tags=tags
        )

    plan = job("plan", "source_plan")
    begin = job("begin", "source_plan", "plan_approval")
    driven = [
        job(Part.APPROVE, "plan_approval"),
        job(Part.QUESTIONS, *(spec.name for spec in QUESTION_STAGES)),
        job(Part.REPORT, "report"),
        round_job(file, resources),
    ]
    return dg.Definitions(
        assets=[source_plan(file), plan_approval(file), *stages, report(file)],
        jobs=[plan, begin, *driven],
        sensors=[driver_sensor(file, driven)],
        schedules=[plan_schedule(file, file.study.schedule, plan)] if file.study.schedule else [],
    )


def definitions_of(files: list[StudyFile]) -> dg.Definitions:
    """Several studies in one code location. Steps share the run's process: one that starts costs more than most steps."""
    resources = {
        "research": ResearchHome(),
        "scraper": MrScraperResource.from_environment(),
        "model": ModelResource.from_environment(),
        "channels": ChannelResource.from_environment(),
    }
    shared = dg.Definitions(resources=resources, executor=dg.in_process_executor)
    return dg.Definitions.merge(shared, *(build_study_defs(file, resources) for file in files))


@dg.definitions
def defs() -> dg.Definitions:
    """The code location: every study that is valid; the others are logged and shown, each with its problems."""
    collect_rarely()
    studies = load_studies()
    for broken in studies:
        if isinstance(broken, BrokenStudy):
            _log.error("%s", broken.error)
    broken = [study for study in studies if isinstance(study, BrokenStudy)]
    return dg.Definitions.merge(definitions_of([file for file in studies if isinstance(file, StudyFile)]), broken_studies(broken))
