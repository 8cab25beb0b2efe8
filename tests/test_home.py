from __future__ import annotations

from pathlib import Path

import pytest

from research_pipeline.errors import ConfigurationError
from resources.home import Home


def test_a_home_makes_its_folders_and_says_where_everything_lies(tmp_path):
    home = Home(tmp_path / "new" / "home")
    assert all(folder.is_dir() for folder in (home.path, home.pages, home.reports, home.dagster))
    assert home.evidence == home.path / "evidence.duckdb"
    assert home.operations == home.path / "ledger.sqlite"


def test_what_a_person_names_goes_before_the_environment_and_that_before_the_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment = {"RESEARCH_HOME": str(tmp_path / "from-environment")}
    assert Home.resolve(tmp_path / "named", environment=environment).path == tmp_path / "named"
    assert Home.resolve(environment=environment).path == tmp_path / "from-environment"
    assert Home.resolve(environment={"RESEARCH_HOME": ""}).path == tmp_path / "data"


def test_the_operational_store_may_be_elsewhere(tmp_path):
    url = "postgresql+psycopg2://localhost/research"
    assert Home.resolve(tmp_path, environment={"RESEARCH_OPERATIONS_URL": url}).operations == url


def test_a_home_that_cannot_be_made_is_refused_with_the_way_out(tmp_path):
    in_the_way: Path = tmp_path / "file"
    in_the_way.write_text("no folder")
    with pytest.raises(ConfigurationError, match=r"file/home.*--home or RESEARCH_HOME"):
        Home(in_the_way / "home")
