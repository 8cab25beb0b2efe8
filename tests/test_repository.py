"""The repository keeps its own promises: what is shipped, what may import what, and that the README tells the truth."""

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import dagster as dg
import pytest
import typer

from assets.rounds import STAGES
from research_pipeline.auditing import CHECKS
from research_pipeline.cli.app import app
from research_pipeline.definitions import definitions_of
from resources.studies import load_study

ROOT = Path(__file__).parents[1]
README = ROOT.joinpath("README.md").read_text("utf-8")
SCRIPTS = Path(sys.executable).parent
COMMANDS = typer.main.get_command(app).commands


def options_of(command):
    """Those of the command, and of the commands below it."""
    own = {name for parameter in command.params for name in parameter.opts if name.startswith("--") and name != "--help"}
    return own.union(*(options_of(below) for below in getattr(command, "commands", {}).values()))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT], check=True, capture_output=True)
    [path] = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_the_three_packages_whole(wheel):
    shipped = {name for name in wheel.namelist() if ".dist-info/" not in name}
    tracked = subprocess.run(
        ["git", "ls-files", "research_pipeline", "assets", "resources"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()

    assert set(tracked) <= shipped
    assert {name.split("/")[0] for name in shipped} == {"research_pipeline", "assets", "resources"}
    assert all(f"{package}/py.typed" in shipped for package in ("research_pipeline", "assets", "resources"))


def test_the_wheel_offers_the_command_and_cannot_be_uploaded_by_mistake(wheel):
    texts = {Path(name).name: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}

    assert "research = research_pipeline.cli:main" in texts["entry_points.txt"]
    assert "Private :: Do Not Upload" in texts["METADATA"]


def test_imports_point_down():
    done = subprocess.run([SCRIPTS / "lint-imports"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("package", ["assets", "resources"])
def test_a_package_with_a_generic_name_has_nothing_but_a_docstring(package):
    lines = ROOT.joinpath(package, "__init__.py").read_text().strip().splitlines()

    assert len(lines) == 1
    assert lines[0].startswith('"""')


def test_pins_carry_hashes_and_no_address():
    for name in ("requirements.lock", "requirements-postgres.lock", "requirements-dev.lock"):
        text = ROOT.joinpath(name).read_text()
        pins = re.findall(r"^[a-z0-9][^\n]*==[^\n]*$", text, re.MULTILINE)
        assert len(pins) > 50
        assert text.count("==") <= text.count("--hash=sha256:")
        assert "://" not in text


def test_every_dependency_is_pinned():
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]
    pinned = set(re.findall(r"^([a-z0-9._-]+)(?:\[[^]]*\])?==", ROOT.joinpath("requirements.lock").read_text(), re.MULTILINE))

    assert {re.split(r"[^a-z0-9-]", dependency)[0] for dependency in project["dependencies"]} <= pinned


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_is_documented(name):
    assert f"research {name}" in README
    missing = [
        option
        for option in options_of(COMMANDS[name])
        if f"`{option}" not in README and f"[{option}" not in README and f" {option}" not in README
    ]
    assert not missing


def test_every_command_that_the_readme_names_exists():
    named = set(re.findall(r"`research ([a-z][a-z-]*)", README)) | set(re.findall(r"^\$? *research ([a-z][a-z-]*)", README, re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", ROOT.joinpath("Makefile").read_text(), re.MULTILINE))

    assert named <= set(COMMANDS)
    assert set(re.findall(r"`make ([a-z-]+)", README)) <= targets
    assert {"demo", "test"} <= targets


def test_every_option_that_the_readme_names_exists():
    real = {option for command in COMMANDS.values() for option in options_of(command)} | {"--debug", "--help"}

    ours = re.sub(r"^npx .*$", "", README, flags=re.MULTILINE)  # another program's command line

    assert set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", ours)) <= real


def test_every_path_that_the_readme_names_exists():
    named = re.findall(r"\]\((?!https?:|#)([^)#]+)", README)

    assert [path for path in named if not ROOT.joinpath(path).exists()] == []


def test_every_picture_and_page_that_the_docs_name_exists():
    for page in sorted(ROOT.joinpath("docs").glob("*.md")):
        named = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
        assert [path for path in named if not page.parent.joinpath(path).exists()] == [], page.name


def test_the_code_location_loads_as_dagster_loads_it():
    definitions = definitions_of([load_study(ROOT / "studies" / "demo.yaml")])

    dg.Definitions.validate_loadable(definitions)
    assert {job.name for job in definitions.get_repository_def().get_all_jobs()} >= {
        f"demo_{part}" for part in ("plan", "approve", "questions", "round", "report")
    }


def test_the_demo_study_becomes_the_seven_assets():
    definitions = definitions_of([load_study(ROOT / "studies" / "demo.yaml")])
    graph = definitions.resolve_asset_graph()
    parents = {key.path[-1]: sorted(parent.path[-1] for parent in graph.get(key).parent_keys) for key in graph.get_all_asset_keys()}

    assert parents == {
        "source_plan": [],
        "plan_approval": ["source_plan"],
        "discovered_urls": ["plan_approval"],
        "fetched_pages": ["discovered_urls"],
        "extracted_evidence": ["fetched_pages"],
        "resolved_findings": ["extracted_evidence"],
        "report": ["resolved_findings"],
    }
    assert {key.path[0] for key in graph.get_all_asset_keys()} == {"demo"}


def test_each_partitioned_check_has_the_partitions_of_its_asset():
    graph = definitions_of([load_study(ROOT / "studies" / "demo.yaml")]).resolve_asset_graph()

    checks = [graph.get(key) for key in graph.asset_check_keys]
    assert {check.key.name for check in checks} == set(CHECKS), "what is described is checked, and the reverse"
    for check in checks:
        assert check.partitions_def == graph.get(check.key.asset_key).partitions_def
    assert {check.key.asset_key.path[-1] for check in checks if check.partitions_def} == {spec.name for spec in STAGES}


def test_the_workspace_loads_the_installed_package():
    workspace = ROOT.joinpath("workspace.yaml").read_text()

    assert "module_name: research_pipeline.definitions" in workspace
    assert "working_directory:" not in workspace
