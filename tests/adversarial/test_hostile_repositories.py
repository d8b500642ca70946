"""Attacks on the auditor, each a real repository with a canary that must not fire.

Names in brackets are those of the project's list of attacks on automated reviewers.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from auditor import cli
from auditor.domain import AuditReport, Conclusion, Outcome, UserError
from auditor.forensics.dependencies.manifest_formats import read_manifest
from auditor.forensics.documents.passages import PassageKind, line_kind
from auditor.forensics.documents.path_mentions import PathStatus, path_status
from auditor.forensics.source_text.generated_files import is_bundled
from auditor.report.markdown_report import markdown
from auditor.report.report_json import to_json
from tests.auditing import asked, audited, covered, found, places
from tests.forensics.probes.asking import tree
from tests.repos import Drawing

RUNS = "code.shell_execution"
SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A file that hostile code would write."""
    return tmp_path / "canary"


@pytest.fixture(autouse=True)
def _nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, canary: Path) -> object:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield
    assert not list(place.iterdir()), "a temporary directory was left behind"
    assert not canary.exists(), "something of the audited repository was run"


def changed(
    drawing: Drawing, files: dict[str, str | bytes | None], before: dict[str, str] | None = None
) -> AuditReport:
    """The audit of a change that writes those files."""
    drawing.commit({"base.py": "x = 1\n", **(before or {})})
    drawing.branch("work")
    drawing.commit(files)
    return audited(drawing.path, "main")


@pytest.mark.parametrize(
    "name",
    [
        "new\nline.py",
        "esc\x1b]0;title\x07.py",
        "`tick`.py",
        "a..b.py",
        "r\u202etl.py",
        "$(touch canary).py",
        "; touch canary;.py",
        "x" * 200 + ".py",
        "--option.py",
        "'quote\".py",
    ],
)
def test_hostile_file_names_do_nothing_and_keep_their_findings(
    drawing: Drawing, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """[T4]"""
    report = changed(drawing, {f"dir/{name}": SHELL})
    assert places(found(report, RUNS)) == [(f"dir/{name}", 5)]
    assert all(bad not in markdown(report) for bad in ("\x1b", "\u202e"))


def test_a_hostile_branch_name_is_only_a_name(drawing: Drawing) -> None:
    """[T4]"""
    drawing.commit({"a.py": "x = 1\n"})
    drawing.branch("a;touch${IFS}canary;`b`")
    drawing.commit({"b.py": SHELL})
    assert len(found(asked(drawing.path, "main", RUNS), RUNS)) == 1


def test_a_change_cannot_lower_its_own_gate(drawing: Drawing) -> None:
    """[T6]"""
    lax = "gate: {overall: 1, criteria: {security: 1}}\nexclude: ['**']\nwaivers:\n  - {criterion: security, reason: fine}\n"
    report = changed(
        drawing,
        {".github/auditor.yml": lax, "b.py": SHELL},
        {".github/auditor.yml": "gate: {criteria: {security: 4}}\n"},
    )
    assert report.verdict.conclusion == "failed"
    assert report.rubric.gate.criteria["security"] == 4
    assert len(found(report, RUNS)) == 1
    (notice,) = found(report, "governance.gate_changed")
    assert "after the merge" in notice.statement


@pytest.mark.parametrize(
    "text",
    [
        "rubric: !!python/object/apply:os.system ['touch {canary}']\n",
        "rubric: {{ cycler.__init__.__globals__.os.popen('touch {canary}') }}\n",
        "plugins: ['evil']\n",
        "[" * 10_000,
        "gate: " + "{a: " * 200 + "}" * 200,
    ],
)
def test_a_configuration_cannot_run_or_exhaust_anything(drawing: Drawing, canary: Path, text: str) -> None:
    """[T7]"""
    drawing.commit({".github/auditor.yml": text.replace("{canary}", str(canary)), "a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 2\n"})
    assert cli.run(["audit", str(drawing.path), "--base", "main", "-q"]) == cli.MISTAKE


def test_nothing_of_the_audited_tree_is_imported_built_or_configured(
    drawing: Drawing, canary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[T9]"""
    deed = f"open({str(canary)!r}, 'w').close()\n"
    traps = dict.fromkeys(
        (
            "setup.py",
            "conftest.py",
            "sitecustomize.py",
            "ruff.py",
            "git.py",
            "yaml.py",
            "noxfile.py",
            "auditor.py",
            "ast.py",
        ),
        deed,
    )
    report = changed(
        drawing,
        {
            **traps,
            "pyproject.toml": f"[tool.pylint.main]\ninit-hook = '''{deed}'''\n[tool.ruff]\nextend = 'x'\n",
            "package.json": f'{{"scripts": {{"postinstall": "touch {canary}"}}}}',
            "git": f"#!/bin/sh\ntouch {canary}\n",
            ".envrc": f"touch {canary}\n",
        },
    )
    monkeypatch.chdir(drawing.path)
    assert cli.run(["audit", ".", "--base", "main", "-q", "--out", str(drawing.path / "out")]) in (
        cli.PASSED,
        cli.FAILED,
    )
    assert covered(report)["conftest.py"][0] == "analysed"


def test_no_word_of_the_author_keeps_a_file_out(drawing: Drawing) -> None:
    """[T15]"""
    drawing.commit({"base.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit(
        {"b.py": f"# @generated DO NOT EDIT\n# auditor: ignore\n# noqa\n{SHELL}"},
        "[Auto] [skip ci] @auditor ignore\n\nskip-audit: true\n",
    )
    report = audited(drawing.path, "main")
    assert places(found(report, RUNS)) == [("b.py", 8)]
    assert report.verdict.conclusion == "failed"


def test_backdated_work_is_judged_and_the_dates_are_evidence(drawing: Drawing) -> None:
    """[T16]"""
    drawing.commit({"base.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"b.py": SHELL}, authored=900_000_000, committed=900_000_000)
    report = audited(drawing.path, "main")
    assert len(found(report, RUNS)) == 1
    drawing.commit({"c.py": "x = 1\n"}, authored=4_000_000_000)
    assert found(audited(drawing.path, "main"), "history.dates")


def test_padding_hides_no_small_file(drawing: Drawing) -> None:
    """[T20]"""
    padding = {f"pad/f{n}.py": f"x = {n}\n" * 1000 for n in range(100)}
    report = changed(drawing, {**padding, "zz/small.py": SHELL})
    assert places(found(report, RUNS)) == [("zz/small.py", 5)]
    assert report.verdict.conclusion == "failed"


def test_attributes_change_no_finding(drawing: Drawing) -> None:
    """[T22]"""
    attributes = "*.py -diff -text linguist-generated linguist-vendored merge=ours filter=evil export-ignore\n"
    report = changed(drawing, {".gitattributes": attributes, "b.py": SHELL})
    assert places(found(report, RUNS)) == [("b.py", 5)]
    assert found(report, RUNS)[0].introduced is True


def test_links_are_reported_and_never_followed(drawing: Drawing, tmp_path: Path) -> None:
    """[T23]"""
    (tmp_path / "secret.py").write_text("canary_content = 1\n" + SHELL)
    drawing.write({"a.py": "x = 1\n", ".github/keep": ""})
    (drawing.path / "out.py").symlink_to(tmp_path / "secret.py")
    (drawing.path / "up").symlink_to("..")
    (drawing.path / "loop.py").symlink_to("loop.py")
    (drawing.path / ".github" / "auditor.yml").symlink_to(tmp_path / "secret.py")
    drawing.commit()
    drawing.branch("work")
    drawing.commit({"a.py": "x = 2\n"})
    report = audited(drawing.path)
    assert "canary_content" not in to_json(report)
    assert found(report, RUNS) == []
    with pytest.raises(UserError, match="must be a regular file"):
        audited(drawing.path, "main")
    assert covered(report)["loop.py"] == ("unavailable", "a symbolic link that leads out of the tree, or nowhere")


def test_submodules_pointers_and_hooks_start_nothing(drawing: Drawing, canary: Path) -> None:
    """[T24]"""
    sha = drawing.commit({"a.py": "x = 1\n"})
    drawing.git("update-index", "--add", "--cacheinfo", f"160000,{sha},sub")
    hook = drawing.path / ".git" / "hooks" / "post-checkout"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {canary}\n")
    hook.chmod(0o755)
    drawing.write(
        {
            ".gitmodules": f'[submodule "sub"]\n\tpath = sub\n\turl = "ext::sh -c touch% {canary}"\n\tupdate = !touch {canary}\n',
            "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1\n",
        }
    )
    drawing.git("add", ".gitmodules", "big.bin")
    drawing.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "Add a submodule")
    assert covered(audited(drawing.path))["sub"] == ("not_applicable", "a submodule, never fetched")


def test_huge_files_and_lines_end_in_time_and_stay_on_the_list(drawing: Drawing) -> None:
    """[T25]"""
    started = time.monotonic()
    report = changed(
        drawing,
        {
            "line.txt": "y" * 34_000_000,  # more than git holds in memory at once
            "line.py": f"x = '{'y' * 9_000_000}'\n",
            "zeros.bin": b"\0" * 9_000_000,
            "b.py": SHELL,
        },
    )
    assert time.monotonic() - started < 60
    status = covered(report)
    assert status["line.txt"] == ("unavailable", "larger than 8,000,000 bytes")
    assert status["line.py"][0] == "unavailable"
    assert places(found(report, RUNS)) == [("b.py", 5)]


def test_tens_of_thousands_of_files_are_all_accounted_for(drawing: Drawing) -> None:
    """[T25]"""
    blob = drawing.git("hash-object", "-w", "--stdin", stdin=b"x = 1\n")
    evil = drawing.git("hash-object", "-w", "--stdin", stdin=SHELL.encode())
    entries = (
        "".join(f"100644 {blob}\td{n // 1000:03}/f{n}.py\n" for n in range(40_000)) + f"100644 {evil}\tz/evil.py\n"
    )
    drawing.git("update-index", "--add", "--index-info", stdin=entries.encode())
    drawing.git("commit", "-q", "-m", "Add many files")
    drawing.git("read-tree", "HEAD")
    started = time.monotonic()
    report = audited(drawing.path, jobs=2)
    assert time.monotonic() - started < 36
    assert len(report.coverage.files) == 40_001
    assert places(found(report, RUNS)) == [("z/evil.py", 5)]


def test_a_tree_that_unfolds_without_end_is_cut_and_said(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    """[T25]"""
    from auditor.repo import git_objects, repository

    monkeypatch.setattr(repository, "HISTORY_TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(git_objects.read_listing, "__defaults__", (20_000,))
    tree = drawing.git(
        "mktree",
        stdin=("100644 blob " + drawing.git("hash-object", "-w", "--stdin", stdin=b"x\n") + "\tf.py\n").encode(),
    )
    for _ in range(10):
        tree = drawing.git("mktree", stdin="".join(f"040000 tree {tree}\td{n}\n" for n in range(10)).encode())
    commit = drawing.git("commit-tree", tree, "-m", "Unfold")
    drawing.git("update-ref", "refs/heads/main", commit)
    report = audited(drawing.path)
    assert not report.coverage.complete
    assert {each.outcome for each in report.evidence if each.probe.startswith("history.")} == {Outcome.UNAVAILABLE}
    (fact,) = (each for each in report.evidence if each.probe == "coverage.analysed")
    assert fact.outcome is Outcome.NOT_FOUND


def with_file(drawing: Drawing, path: str, content: str) -> None:
    """A commit on the checked-out branch that adds a file to its tree under any path, also one that nothing can open."""
    *folders, name = path.split("/")
    blob = drawing.store("blob", content.encode())
    made = drawing.store("tree", f"100644 {name}\0".encode() + bytes.fromhex(blob))
    for folder in reversed(folders[1:]):
        made = drawing.store("tree", f"40000 {folder}\0".encode() + bytes.fromhex(made))
    listed = drawing.git("ls-tree", "HEAD") + f"\n040000 tree {made}\t{folders[0]}\n"
    commit = drawing.git("commit-tree", drawing.git("mktree", stdin=listed.encode()), "-p", "HEAD", "-m", "Add a file")
    drawing.git("update-ref", "HEAD", commit)


@pytest.mark.parametrize("path", ["deep/" * 1_000 + "evil.py", "deep/" + "e" * 5_000 + ".py"])
def test_a_path_that_no_system_can_open_ends_no_audit_and_its_file_is_told_as_not_read(
    drawing: Drawing, path: str
) -> None:
    drawing.commit({"base.py": "x = 1\n"})
    drawing.branch("work")
    with_file(drawing, path, SHELL)
    with_file(drawing, "other/shell.py", SHELL)
    report = audited(drawing.path, "main")
    (dark, *_) = [(name, told) for name, told in covered(report).items() if name.startswith("deep/")]
    assert dark[1] == ("unavailable", "its path is too long to be opened")
    assert len(dark[0]) < 300
    assert ("other/shell.py", 5) in places(found(report, RUNS))
    (fact,) = (each for each in report.evidence if each.probe == "coverage.analysed")
    assert fact.outcome is Outcome.NOT_FOUND
    assert report.verdict.gate is not None
    assert dark[0] in markdown(report)


def test_a_change_that_takes_such_a_path_away_is_audited_as_any_other(drawing: Drawing) -> None:
    first = drawing.commit({"base.py": "x = 1\n"})
    with_file(drawing, "deep/" * 1_000 + "evil.py", SHELL)
    drawing.branch("work")
    tree = drawing.git("rev-parse", f"{first}^{{tree}}")
    drawing.git("update-ref", "HEAD", drawing.git("commit-tree", tree, "-p", "HEAD", "-m", "Take it away"))
    report = audited(drawing.path, "main")
    assert [status for status, _ in covered(report).values()] == ["analysed"]


@pytest.mark.parametrize("character", ["\u202e", "\u2066", "\u200b", "\u2060", "\U000e0041", "\u00ad", "\u0430"])
def test_invisible_and_disguised_characters_are_evidence_and_shown_escaped(drawing: Drawing, character: str) -> None:
    """[T27]"""
    lines = {
        "identifier.py": f"name{character}x = 1",
        "string.py": f"name = 'x{character}x'",
        "comment.py": f"name = 1  # x{character}x",
    }
    report = changed(drawing, {path: f"y = 1\n{line}\n" for path, line in lines.items()})
    assert {(path, 2) for path in lines} <= set(places(found(report, "text.hidden_characters")))
    if character not in "\u0430\u2060":  # a letter is shown; a word joiner is also what keeps mentions from working
        assert character not in markdown(report)


def test_secrets_in_code_reach_no_report(drawing: Drawing) -> None:
    secret = "gh" + "p_" + "Zk39xQ2" * 6
    report = changed(drawing, {"b.py": f"import os\nos.system('x {secret}' + y)\n"})
    for text in (to_json(report), markdown(report)):
        assert secret not in text
    assert "redacted secret" in to_json(report)


def test_a_record_of_hostile_text_is_valid_utf8_and_the_same_twice(drawing: Drawing) -> None:
    report = changed(
        drawing,
        {
            "b.py": "import os\nos.system('\\ud800' + x)  # \u2028 \U000e0041\n",
            "c\udcff.txt".encode("utf-8", "surrogateescape").decode("latin-1"): "x",
        },
    )
    text = to_json(report)
    assert text.encode("utf-8").decode("utf-8") == text
    assert os.linesep == "\n"


def test_an_edit_inside_a_call_of_many_lines_or_far_along_a_line_is_new(drawing: Drawing) -> None:
    many = "import subprocess\nsubprocess.run(\n    'ls ' + str(int(safe)),\n    shell=True,\n)\n"
    far = f"import os\nos.system('{'x' * 400}' + str(int(safe)))\n"
    report = changed(
        drawing,
        {"a.py": many.replace("str(int(safe))", "safe"), "b.py": far.replace("str(int(safe))", "safe")},
        {"a.py": many, "b.py": far},
    )
    assert {each.introduced for each in found(report, RUNS)} == {True}


def test_code_that_moves_from_tests_into_the_product_is_new_there(drawing: Drawing) -> None:
    report = changed(drawing, {"tests/helper.py": None, "src/run.py": SHELL}, {"tests/helper.py": SHELL})
    assert [each.introduced for each in found(report, RUNS)] == [True]


def test_a_file_named_like_a_module_of_the_language_explains_nothing_away(drawing: Drawing) -> None:
    calls = {
        "a/x.py": "import subprocess\n\ndef go(it):\n    subprocess.run(it, shell=True)\n",
        "b/x.py": "from os import system\n\ndef go(it):\n    system(it)\n",
        "c/x.py": "import os\n\ndef go(it):\n    os.system(it)\n",
        "d/x.py": "import os\n\ndef go(it):\n    os.system(it)\n",
    }
    decoys = {
        "a/subprocess.py": "from hashlib import md5 as run\n",
        "b/os.py": "from hashlib import md5 as system\n",
        "c/os.py": "from hashlib import md5 as system\n",
        "d/__init__.py": "import hashlib as os\n",
    }
    report = changed(drawing, {**calls, **decoys})
    assert sorted(path for path, _ in places(found(report, RUNS))) == sorted(calls)


def test_what_a_module_passes_on_is_new_when_the_module_is(drawing: Drawing) -> None:
    before = {"x.py": "from tools import run\n\ndef go(it):\n    run(it)\n"}
    head = {"tools.py": "from os import system as run\n", "x.py": before["x.py"] + "\nx = 1\n"}
    report = changed(drawing, {**head}, before)
    assert {each.introduced for each in found(report, RUNS)} == {True}


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        *(
            (path, f"{word}{' ' * 1990}\n" * 40, 0)
            for path, word in (("build.gradle", "implementation"), ("build.gradle", "url"), ("Gemfile", "source"))
        ),
        ("requirements.txt", f"x @ git+https://example.org/x/y@1.0{'a' * 60}!\n", 1),
    ],
    ids=["implementation", "url", "source", "tag"],
)
def test_a_manifest_of_blanks_or_of_a_long_tag_costs_no_more_than_reading_it(path: str, text: str, count: int) -> None:
    started = time.process_time()
    assert len(read_manifest(path, text).dependencies) == count
    assert time.process_time() - started < 0.3


def test_a_document_of_signs_costs_no_more_than_reading_it() -> None:
    started = time.process_time()
    sentence = "." * 5_000 + " a/b.py"
    assert path_status("a/b.py", sentence, "", "README.md", tree(), lambda _: False) is PathStatus.HALLUCINATED
    assert line_kind("a" + " " * 20_000 + "b") is PassageKind.PARAGRAPH
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize("name", ["b", "self.b"])
def test_a_name_that_is_made_of_itself_hides_nothing(drawing: Drawing, name: str) -> None:
    source = f"import os\nclass C:\n    def m(self, c):\n        {name} = {name}.modules['x']\n        {name}.load(c)\n        os.system(c)\n"
    assert len(places(found(changed(drawing, {"a.py": source}), RUNS))) == 1


def test_one_unreadable_file_among_many_is_no_pass(drawing: Drawing) -> None:
    hidden = f"{SHELL}x = '{'y' * 1_100_000}'\n"
    report = changed(drawing, {**{f"f{n}.py": "x = 1\n" for n in range(12)}, "hidden.py": hidden})
    assert report.verdict.conclusion != "passed"


def test_an_exclusion_does_not_cover_what_the_change_brings_in(drawing: Drawing) -> None:
    report = changed(
        drawing,
        {"legacy/new.py": SHELL},
        {".github/auditor.yml": "exclude: ['legacy/**']\n", "legacy/old.py": "x = 1\n"},
    )
    assert places(found(report, RUNS)) == [("legacy/new.py", 5)]


def test_a_change_of_the_gate_does_not_pass_unseen(drawing: Drawing) -> None:
    """[T8]"""
    report = changed(
        drawing, {".github/auditor.yml": "exclude: ['**']\n"}, {".github/auditor.yml": "gate: {overall: 3}\n"}
    )
    assert report.verdict.conclusion == "failed"


def test_a_secret_in_a_file_name_reaches_no_report(drawing: Drawing) -> None:
    secret = "gh" + "p_" + "Zk39xQ2" * 6
    report = changed(drawing, {f"a{secret[:0]}/{secret}.py": "x = 1\n"})
    assert secret not in to_json(report)


@pytest.mark.parametrize(
    ("importer", "hidden"),
    [
        ("from tests.evil import run\n", "tests/evil.py"),
        ("from app.test_evil import run\n", "app/test_evil.py"),
        ("from .testing import evil\n", "app/testing/evil.py"),
        ("def f():\n    import tests.evil\n", "tests/evil.py"),
        ('import importlib\nimportlib.import_module("tests.evil")\n', "tests/evil.py"),
    ],
)
def test_product_code_that_is_named_like_a_test_is_gated_like_product_code(
    drawing: Drawing, importer: str, hidden: str
) -> None:
    drawing.commit({"README.md": "x\n", "app/__init__.py": ""})
    drawing.branch("work")
    drawing.commit({"app/main.py": importer, hidden: SHELL})
    report = audited(drawing.path, "main")
    assert places(found(report, RUNS)) == [(hidden, 5)]
    assert report.verdict.conclusion is Conclusion.FAILED


CALL = "def run(name):\n\n\n    system(name)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [("x = 1\n", SHELL), (f"from shlex import quote as system\n{CALL}", f"from os import system\n{CALL}")],
)
def test_an_old_importer_that_the_change_leaves_alone_is_found_too(drawing: Drawing, before: str, after: str) -> None:
    drawing.commit({"app/main.py": "from tests import (\n    helpers as h,  # why\n)\n", "tests/helpers.py": before})
    drawing.branch("work")
    drawing.commit({"tests/helpers.py": after})
    assert places(found(asked(drawing.path, "main", RUNS), RUNS)) == [("tests/helpers.py", 5)]


def test_what_a_test_named_module_of_the_product_imports_is_product_code_too(drawing: Drawing) -> None:
    drawing.commit({"app.py": "import tests.a\n", "tests/a.py": "from . import b\n", "tests/b.py": SHELL})
    assert places(found(asked(drawing.path, None, RUNS), RUNS)) == [("tests/b.py", 5)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pyproject.toml", '[project.scripts]\napp = "tests.evil:run"\n'),
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    app = tests.evil:run\n"),
        ("setup.py", "setup(entry_points={'console_scripts': ['app=tests.evil:run']})\n"),
    ],
)
def test_what_a_command_of_the_project_runs_is_product_code(drawing: Drawing, name: str, content: str) -> None:
    drawing.commit({name: content, "tests/evil.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"tests/evil.py": SHELL})
    assert places(found(asked(drawing.path, "main", RUNS), RUNS)) == [("tests/evil.py", 5)]


def test_helpers_of_tests_stay_test_code(drawing: Drawing) -> None:
    drawing.commit(
        {"app.py": "import latest\n", "tests/test_app.py": "from tests import helpers\n", "tests/helpers.py": SHELL}
    )
    report = asked(drawing.path, None, RUNS)
    assert found(report, RUNS) == []
    assert places(found(report, RUNS, in_tests=True)) == [("tests/helpers.py", 5)]


def link(drawing: Drawing, name: str, target: str) -> None:
    place = drawing.path / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def test_a_link_named_like_code_is_read_as_the_file_of_the_tree_it_leads_to(drawing: Drawing) -> None:
    link(drawing, "app/run.py", "../data/blob.txt")
    link(drawing, "app/again.py", "run.py")
    drawing.commit({"data/blob.txt": SHELL})
    report = asked(drawing.path, None, RUNS)
    assert places(found(report, RUNS)) == [("app/again.py", 5), ("app/run.py", 5)]


def test_a_link_from_product_code_to_a_test_is_product_code(drawing: Drawing) -> None:
    link(drawing, "app/run.py", "../tests/evil.py")
    drawing.commit({"tests/evil.py": SHELL})
    assert places(found(asked(drawing.path, None, RUNS), RUNS)) == [("app/run.py", 5)]


def test_a_link_out_of_the_tree_is_never_followed(drawing: Drawing, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text(SHELL)
    link(drawing, "absolute.py", str(tmp_path / "outside.py"))
    link(drawing, "above.py", "../outside.py")
    link(drawing, "a/loop.py", "loop.py")
    drawing.commit({"README.md": "x\n"})
    report = audited(drawing.path)
    assert found(report, RUNS) == []
    assert {covered(report)[name][0] for name in ("absolute.py", "above.py", "a/loop.py")} == {"unavailable"}


def test_a_link_to_code_that_is_read_anyway_is_not_counted_twice(drawing: Drawing) -> None:
    link(drawing, "b.py", "a.py")
    drawing.commit({"a.py": SHELL})
    report = asked(drawing.path, None, RUNS)
    assert places(found(report, RUNS)) == [("a.py", 5)]
    assert covered(report)["b.py"][0] == "not_applicable"


NOTEBOOK = """{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "os.system(words)"
   ]
  },
  {
   "cell_type": "code",
   "source": [
    "%matplotlib inline\\n",
    "import os\\n",
    "os.system(command)"
   ]
  }
 ]
}
"""


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("bin/run", f"#!/usr/bin/env python3\n{SHELL}", 6),
        ("run.in", f"#!/usr/bin/python\n{SHELL}", 6),
        ("run.sh", f"#!/usr/bin/env python\n{SHELL}", 6),
        ("work.ipynb", NOTEBOOK, 14),
        ("site.pth", "./lib\nimport os; os.system(command)\n", 2),
    ],
)
def test_python_that_its_name_does_not_tell_of_is_read_as_python(
    drawing: Drawing, name: str, content: str, line: int
) -> None:
    drawing.commit({"README.md": "x\n"})
    drawing.branch("work")
    drawing.commit({name: content})
    assert places(found(asked(drawing.path, "main", RUNS), RUNS)) == [(name, line)]


@pytest.mark.parametrize(
    "content",
    [
        NOTEBOOK.replace("\n", ""),
        NOTEBOOK.replace(' "cells": [', ' "cells": [\n  {"cell_type": "code", "source": "import os"},'),
    ],
)
def test_a_notebook_whose_code_cannot_be_placed_is_no_silence(drawing: Drawing, content: str) -> None:
    drawing.commit({"work.ipynb": content})
    report = asked(drawing.path, None, RUNS)
    outcomes = {each.outcome for each in report.evidence if each.probe == RUNS and not each.in_tests}
    assert Outcome.UNAVAILABLE in outcomes
    assert covered(report)["work.ipynb"][0] == "partial"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes", "#!/bin/sh\nos.system(x)\n"),
        ("a.ipynb", "[" * 100_000),
        ("b.pth", "./lib\n"),
        ("run", "#!python\n((("),
    ],
)
def test_other_files_are_not_taken_for_python_and_break_nothing(drawing: Drawing, name: str, content: str) -> None:
    drawing.commit({name: content})
    assert found(asked(drawing.path, None, RUNS), RUNS) == []


@pytest.mark.parametrize(
    "source",
    [
        "import os\n\nlist(map(os.system, given))\n",
        'import os\n\n{"run": os.system}["run"](given)\n',
        "import os\n\ndef run(command, by=os.popen):\n    by(command)\n",
        "import os\n\nos.system.__call__(given)\n",
        'import sys\n\nlist(map(sys.modules["os"].system, given))\n',
        "list(map(eval, given))\n",
        'import subprocess\nimport sys\n\nsubprocess.run([sys.executable, "-c", given], check=True)\n',
    ],
)
def test_no_detour_to_a_shell_or_an_interpreter_passes_the_gate(drawing: Drawing, source: str) -> None:
    drawing.commit({"README.md": "x\n"})
    drawing.branch("work")
    drawing.commit({"app.py": source})
    report = audited(drawing.path, "main")
    assert report.verdict.conclusion is Conclusion.FAILED
    assert any(
        reason.demand == "no_new" for reason in report.verdict.gate.reasons if reason.conclusion is Conclusion.FAILED
    )


@pytest.mark.parametrize("top", ["/*!@license", "/*! @license a", "/*!\n * @license\n"])
def test_blanks_at_the_top_of_a_script_cost_no_more_than_reading_them(top: str) -> None:
    started = time.process_time()
    assert not is_bundled("app/a.js", f"{top}{' ' * 1_400}\nvar a;\n")
    assert time.process_time() - started < 0.2
    assert is_bundled("app/a.js", f"{top} Thing v1.2.3 | (c) Someone | license MIT */\nvar a;\n")
