"""Events that are stored together: all or none, seen by others when the block ends, and in nobody's way but for a moment."""

import threading

import dagster as dg
import pytest

from resources.dagster_home import open_instance
from resources.event_log import stored_together

ASSET = dg.AssetKey(["acme", "fetched_pages"])


@pytest.fixture
def instance(research):
    with open_instance(research.home) as instance:
        yield instance


def tell(instance, keys):
    """Of each partition that it came to be, and that it is well."""
    for key in keys:
        instance.report_runless_asset_event(dg.AssetMaterialization(ASSET, partition=key))
        instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(asset_key=ASSET, check_name="no_page_failed", passed=True, partition=key)
        )


def told(instance):
    return sorted(instance.get_materialized_partitions(ASSET))


def test_events_of_a_block_are_there_when_it_ends_and_not_before(research, instance):
    tell(instance, "a")
    with stored_together(instance), open_instance(research.home) as another:
        tell(instance, "bc")
        assert told(another) == ["a"]
        assert told(instance) == ["a", "b", "c"]

    with open_instance(research.home) as another:
        assert told(another) == ["a", "b", "c"]
        [check] = another.event_log_storage.get_asset_check_execution_history(dg.AssetCheckKey(ASSET, "no_page_failed"), limit=1)
        assert check.status.value == "SUCCEEDED"
    tell(instance, "d")
    assert told(instance) == ["a", "b", "c", "d"]


def test_a_block_that_is_left_by_an_error_leaves_nothing(instance):
    def partitions():
        yield "a"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), stored_together(instance):
        tell(instance, partitions())

    assert told(instance) == []
    tell(instance, "b")
    assert told(instance) == ["b"]


def test_another_thread_stores_its_events_for_itself(instance):
    with stored_together(instance):
        looked = threading.Thread(target=lambda: seen.extend(told(instance)))
        seen = []
        tell(instance, "a")
        looked.start()
        looked.join()

    assert seen == []
    assert told(instance) == ["a"]


def test_each_run_has_tables_of_its_own_though_dagster_makes_them_once(research, instance):
    runs = [instance.create_run_for_job(nothing).run_id for _ in range(3)]
    for number, run_id in enumerate(runs):
        for _ in range(number):
            instance.report_engine_event(f"of {run_id}", run_id=run_id, job_name="nothing")

    with open_instance(research.home) as another:
        told_of = [[record.event_log_entry.message for record in another.get_records_for_run(run_id).records] for run_id in runs]
    assert told_of == [[], [f"of {runs[1]}"], [f"of {runs[2]}"] * 2]


@dg.job
def nothing():
    pass
