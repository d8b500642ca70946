"""The image, its metadata and the workflows, as far as they can be held without building anything."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from auditor import rubric_loader
from auditor.action import action_inputs
from auditor.action.result_pages import OUTPUTS
from auditor.action.workflow_usage import find_action_steps

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DIGEST = "sha256:" + "0123456789abcdef" * 4


def locked(name: str) -> dict[str, set[str]]:
    """Names and versions of a lock, with their hashes."""
    entries = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
    return {each.split(" ")[0]: set(re.findall(r"sha256:[0-9a-f]{64}", each)) for each in entries}


def test_the_image_installs_what_the_tests_ran_with_and_nothing_of_theirs() -> None:
    image, all_of_it = locked("requirements-image.lock"), locked("requirements.lock")
    for pin, hashes in image.items():
        assert hashes, pin
        assert hashes == all_of_it[pin], pin
    names = {pin.partition("==")[0] for pin in image}
    assert not names & {"pytest", "mypy", "hypothesis", "llmock", "hatchling"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {re.split(r"[<>=]", each)[0] for each in project["dependencies"]} <= names
    assert {"boto3", "google-auth"} <= names, "the input provider may be bedrock or vertex"


def test_stripping_leaves_what_a_request_to_bedrock_reads_and_compresses_long_notices(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.13" / "site-packages"
    for kept in (
        "botocore/data/bedrock-runtime/service-2.json.gz",
        "botocore/data/sts/x",
        "botocore/data/endpoints.json",
    ):
        (packages / kept).parent.mkdir(parents=True, exist_ok=True)
        (packages / kept).touch()
    for gone in ("botocore/data/s3/service-2.json.gz", "boto3/data/s3/x", "boto3/examples/s3.rst"):
        (packages / gone).parent.mkdir(parents=True, exist_ok=True)
        (packages / gone).touch()
    notices = packages / "x-1.dist-info" / "licenses" / "NOTICES"
    notices.parent.mkdir(parents=True)
    for file in (notices, packages / "x-1.dist-info" / "METADATA"):
        file.write_text("Thanks.\n" * 20_000)
    subprocess.run(["sh", str(ROOT / ".github" / "image" / "strip-unused-files"), str(tmp_path)], check=True)
    left = {str(each.relative_to(packages)) for each in packages.rglob("*") if each.is_file()}
    assert left == {
        "botocore/data/bedrock-runtime/service-2.json.gz", "botocore/data/sts/x", "botocore/data/endpoints.json",
        "x-1.dist-info/licenses/NOTICES.gz", "x-1.dist-info/METADATA",
    }  # fmt: skip


def test_both_stages_stand_on_one_pinned_base_and_no_step_leaves_a_user_or_a_work_directory() -> None:
    text = (ROOT / "Dockerfile").read_text()
    bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:3\.\d+-slim-\w+@sha256:[0-9a-f]{64}", bases[0])
    assert not re.search(r"^(USER|WORKDIR|ADD)\b", text, re.MULTILINE)
    assert "--mount" not in text


def test_only_what_the_dockerfile_copies_reaches_the_build() -> None:
    copied = set(re.findall(r"^COPY (?!--from)(\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE))
    lines = (ROOT / ".dockerignore").read_text().split()
    assert {each.removeprefix("!") for each in lines if each.startswith("!")} == copied
    assert "*" in lines


def test_the_top_level_holds_what_a_newcomer_looks_for_and_nothing_else() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout, so what is committed is not known")
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], check=True, capture_output=True, text=True).stdout
    top = {each.partition("/")[0] for each in listed.splitlines()}
    packaging = {"pyproject.toml", "requirements.lock", "requirements-image.lock", ".gitignore", ".dockerignore"}
    product = {"action.yml", "Dockerfile", "auditor", "rubric", "templates", "tests", ".github", ".ci"}
    assert top <= product | packaging | {"README.md", "LICENSE"}
    assert {each for each in listed.splitlines() if each.startswith(".ci/")} == {".ci/run"}


def test_nothing_of_the_workspace_is_importable_by_the_entry_point(tmp_path: Path) -> None:
    """The runner starts the image inside the workspace, where a pull request may be checked out."""
    entrypoint = json.loads(re.findall(r"^ENTRYPOINT (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0])
    assert entrypoint == ["/opt/auditor/bin/python", "-I", "-m", "auditor", "action"]
    for name in ("auditor", "yaml", "github", "json", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("print('taken over')\n")
    # The module search of `-m`, with the package where the image has it: at the end of the path, by a .pth file.
    program = f"import runpy, sys; sys.path.append({str(ROOT)!r}); sys.argv = ['auditor', 'action']; runpy.run_module('auditor', run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, entrypoint[1], "-c", program],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "taken over" not in done.stdout + done.stderr
    assert (done.returncode, done.stdout) == (
        2,
        "::error title=Automaton Auditor::GITHUB_EVENT_NAME is not set: `auditor action` runs as a step of a workflow; use `auditor audit` elsewhere.\n",
    )


def test_the_collected_git_speaks_https_and_needs_no_other_program(tmp_path: Path) -> None:
    subprocess.run(["sh", str(ROOT / ".github" / "image" / "collect-git"), str(tmp_path)], check=True)
    core = next(tmp_path.rglob("git-core"))
    environment = {"PATH": str(tmp_path / "usr/bin"), "GIT_EXEC_PATH": str(core), "HOME": str(tmp_path)}
    done = subprocess.run(
        [str(tmp_path / "usr/bin/git"), "ls-remote", "https://127.0.0.1:1/x.git"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Failed to connect to 127.0.0.1" in done.stderr


def test_a_library_of_the_base_is_not_collected_again(tmp_path: Path) -> None:
    subprocess.run(["sh", str(ROOT / ".github" / "image" / "collect-git"), str(tmp_path / "all")], check=True)
    libraries = [each for each in (tmp_path / "all").rglob("*.so*") if each.is_file()]
    base = "".join(f"/{each.relative_to(tmp_path / 'all')}\n" for each in libraries)
    (tmp_path / "base").write_text(base)
    command = ["sh", str(ROOT / ".github" / "image" / "collect-git"), str(tmp_path / "none"), str(tmp_path / "base")]
    subprocess.run(command, check=True)
    assert libraries
    assert not list((tmp_path / "none").rglob("*.so*"))


def test_a_release_names_the_image_by_its_digest(tmp_path: Path) -> None:
    file = tmp_path / "action.yml"
    file.write_text((ROOT / "action.yml").read_text())
    command = ["sh", str(ROOT / ".github" / "image" / "pin-action-image"), str(file), "ghcr.io/octo/auditor"]
    subprocess.run([*command, DIGEST], check=True)
    before, after = (yaml.safe_load(each.read_text()) for each in (ROOT / "action.yml", file))
    assert after["runs"] == {"using": "docker", "image": f"docker://ghcr.io/octo/auditor@{DIGEST}"}
    assert {**after, "runs": before["runs"]} == before
    for wrong in ("latest", ""):
        assert subprocess.run([*command, wrong], check=False, capture_output=True).returncode == 2
    assert subprocess.run([*command, DIGEST], check=False, capture_output=True).returncode == 2


def test_action_yml_names_the_outputs_that_are_written() -> None:
    assert tuple(yaml.safe_load((ROOT / "action.yml").read_text())["outputs"]) == OUTPUTS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_pin_what_they_use_and_grant_nothing_by_default(path: Path) -> None:
    workflow: dict[str, Any] = yaml.safe_load(path.read_text())
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        assert "timeout-minutes" in job, name
        for step in job["steps"]:
            used = step.get("uses", "./")
            assert used == "./" or re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", used), used
            if used.startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            assert "${{" not in step.get("run", ""), f"{name}: values reach a shell by the environment only"


def test_the_gates_of_our_own_workflows_name_criteria_that_there_are() -> None:
    known = {each.id for each in rubric_loader.built_in("pull-request").criteria}
    for path in WORKFLOWS:
        for use in find_action_steps(path.name, path.read_bytes(), local=True):
            wanted, notices = action_inputs.read({f"INPUT_{name.upper()}": value for name, value in use.given.items()})
            assert set(wanted.min_scores) <= known
            assert notices == ()


def test_the_project_is_judged_by_the_auditor_of_the_base() -> None:
    (job,) = yaml.safe_load((ROOT / ".github/workflows/audit.yml").read_text())["jobs"].values()
    checkout, audit = job["steps"]
    assert audit["uses"] == "./"
    assert "base" in checkout["with"]["ref"]
    assert "head" not in checkout["with"]["ref"]
