"""A study file that is broken shows in Dagster with its problems, takes no other down, and is gone when it is mended."""

import dagster as dg

from research_pipeline.definitions import defs
from resources.dagster_home import open_instance
from resources.studies import STUDIES_VARIABLE
from tests.small_site import write_study


def test_a_broken_file_is_shown_with_its_problems_and_the_others_load(place, research, monkeypatch):
    write_study(place)
    broken = place / "not-a-name.yaml"
    broken.write_text("question: [")
    monkeypatch.setenv(STUDIES_VARIABLE, str(place))
    instance = open_instance(research.home)

    repository = defs().get_repository_def()
    key = dg.AssetKey(["broken_studies", "not-a-name"])
    [spec] = [spec for spec in repository.asset_graph.asset_nodes if spec.key == key]
    watcher = repository.get_sensor_def("broken_studies")

    def watch():
        with dg.build_sensor_context(instance, repository_def=repository) as context:
            return watcher(context).skip_reason.skip_message

    assert repository.has_job("acme_plan")
    assert "not-a-name.yaml" in spec.description
    assert watch() == "not-a-name.yaml is broken."
    assert not newest_check(instance, key).passed
    broken.unlink()
    assert repository_without(place).has_job("acme_plan")


def newest_check(instance, key):
    check = dg.AssetCheckKey(key, "is_valid")
    record = instance.event_log_storage.get_latest_asset_check_execution_by_key([check])[check]
    return record.event.dagster_event.asset_check_evaluation_data


def repository_without(place):
    """The code location after a reload: the broken file is gone, and another study is there."""
    place.joinpath("acme.yaml").rename(place / "bolt.yaml")
    write_study(place)
    repository = defs().get_repository_def()
    assert repository.has_job("bolt_plan")
    assert not any(key.path[0] == "broken_studies" for key in repository.asset_graph.get_all_asset_keys())
    return repository
