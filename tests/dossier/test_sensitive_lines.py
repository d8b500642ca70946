"""Sensitive lines of a change: what counts, what does not, what is kept of many, and what hostile text costs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from auditor.audit_builder import ChangeReader
from auditor.domain import (
    CodeLocation,
    Evidence,
    FileChange,
    Hunk,
    Outcome,
    SensitiveLines,
    Side,
    Status,
    TreeEntry,
)
from auditor.dossier import sensitive_line_reading
from auditor.dossier.changed_file import ChangedFile, changed_files
from auditor.dossier.risk import risk
from auditor.dossier.sensitive_lines import MAX_PLACES, searched
from auditor.forensics.library_models.named_patterns import expand_pattern
from auditor.forensics.sensitive_words import line_words
from auditor.forensics.sensitive_words.line_words import _Table, areas
from auditor.repo.repository_opening import open_repository
from auditor.report.report_json import from_json, to_json
from auditor.row_tables import read_table
from tests.auditing import audited
from tests.dossier import sensitive
from tests.reports import typical
from tests.repos import Drawing

Files = Mapping[str, str | bytes | None]


def found(
    drawing: Drawing, before: Files, after: Files, *findings: Evidence, never_send: tuple[str, ...] = ()
) -> SensitiveLines:
    """The sensitive lines of a change of real commits."""
    drawing.commit({"README": "A project.\n", **before})
    drawing.branch("change")
    drawing.commit(dict(after))
    with open_repository(drawing.path, base="main") as repo:
        return ChangeReader(repo, never_send=never_send).sensitive_lines(findings, findings)


def places(lines: SensitiveLines) -> list[str]:
    return [
        f"{area.area} {each.path}:{each.start}{' (before)' if each.side is Side.BASE else ''}"
        for area in lines.areas
        for each in area.places
    ]


def new_file(path: str, text: str) -> ChangedFile:
    """A file that a change adds, without a repository."""
    entry = TreeEntry(path, "b")
    count = text.count("\n") + 1
    change = FileChange(Status.ADDED, None, entry, (Hunk(0, 0, 1, count),), added=count)
    (file,) = changed_files([change], lambda _entries: {"b": text.encode("utf-8", errors="surrogatepass")}, {})
    return file


@pytest.mark.parametrize(
    ("path", "line", "area"),
    [
        ("a.py", "subprocess.run(line)", "programs"),
        ("a.go", 'cmd := exec.Command("sh", line)', "programs"),
        ("a.rb", "`lp #{name}`", "programs"),
        ("a.js", "const rule = new Function(text)", "runtime_code"),
        ("a.php", "include $page . '.php';", "runtime_code"),
        ("a.py", "state = pickle.loads(data)", "data_formats"),
        ("A.java", "new ObjectInputStream(body)", "data_formats"),
        ("a.py", 'rows = db.execute("SELECT * FROM orders WHERE " + where)', "queries"),
        ("a.ts", "await prisma.$queryRawUnsafe(text)", "queries"),
        ("a.js", "const answer = await fetch(address)", "network"),
        ("a.rs", "let body = reqwest::get(address)", "network"),
        ("a.py", "return send_file(os.path.join(ROOT, request.args['name']))", "files"),
        ("a.py", "requests.get(url, verify=False)", "tls"),
        ("a.go", "config.InsecureSkipVerify = true", "tls"),
        ("A.java", ".anyRequest().permitAll()", "access_control"),
        ("a.py", 'key = os.environ["KEY"]', "secrets"),
        ("package.json", '  "postinstall": "node prepare.js"', "build_time"),
        ("binding.gyp", '"sources": ["<!(node list.js)"]', "build_time"),
        ("Directory.Build.targets", "<Message Text='x' />", "build_time"),
        (".github/workflows/ci.yml", "    continue-on-error: true", "checks"),
        ("pyproject.toml", 'addopts = "--ignore=tests/security"', "checks"),
        ("a.py", "run(x)  # nosec", "checks"),
        ("tests/test_a.py", '@pytest.mark.skip("later")', "checks"),
        ("tests/conftest.py", "    with contextlib.suppress(AssertionError):", "checks"),
        ("Dockerfile", "# syntax=fastbuild/dockerfile-plus:1", "build_time"),
        ("patches/express+4.21.1.patch", "+    fn(req, res, next);", "build_time"),
        ("a.py", "if request.path.endswith(ENDINGS):", "access_control"),
        ("a.php", "if ($given['token'] != $this->token) {", "access_control"),
        ("a.ts", "return RANKS[role] ?? 9;", "access_control"),
        ("a.py", 'torch.hub.load("shop/model", "parser")', "runtime_code"),
    ],
)
def test_a_line_is_told_by_its_words(path: str, line: str, area: str) -> None:
    assert area in {each.area for each in searched([new_file(path, f"x = 1\n{line}\n")]).areas}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "total = price * count"),
        ("a.js", "const found = pattern.exec(text)"),
        ("a.py", "# subprocess.run(line) was here"),
        ("a.js", "// eval(text) is not used"),
        ("docs/guide.md", "Call subprocess.run(line)."),
        ("tests/test_a.py", "subprocess.run(line)"),
        ("tests/fixtures/package.json", '"postinstall": "x"'),
        ("a.py", "retriever = Retriever()"),
    ],
)
def test_ordinary_lines_comments_documents_and_tests_are_silent(path: str, line: str) -> None:
    assert searched([new_file(path, f"{line}\n")]) == SensitiveLines()


@pytest.mark.parametrize(("edited", "expected"), [(1, ["programs vendor/lib/a.py:1"]), (401, [])])
def test_small_edits_of_vendored_files_are_searched_as_judges_see_them(
    drawing: Drawing, edited: int, expected: list[str]
) -> None:
    after = {"vendor/lib/a.py": "subprocess.run(line)\n" + "x = 1\n" * (edited - 1) + "y = 1\n" * 500}
    assert places(found(drawing, {"vendor/lib/a.py": "y = 1\n" * 500}, after)) == expected


def test_many_edits_of_vendored_files_hide_no_own_line(drawing: Drawing) -> None:
    vendored = {f"node_modules/lib{each}/a.js": f"child_process.exec(c{each})\n" for each in range(60)}
    after = {**vendored, "src/app.js": "child_process.exec(req.query.x)\n"}
    assert places(found(drawing, {}, after))[0] == "programs src/app.js:1"


def test_docstrings_are_no_code_and_code_beside_them_is() -> None:
    lines = searched([new_file("a.py", 'def f():\n    """Runs subprocess.run."""\n    subprocess.run(x)\n')])
    assert places(lines) == ["programs a.py:3"]


def test_a_comment_that_opens_in_a_text_hides_no_code_below_it() -> None:
    lines = searched([new_file("a.js", "const text = `\n/*\n`;\neval(text);\n")])
    assert places(lines) == ["runtime_code a.js:4"]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.js", "/* why */ eval(text); /* and */\n", 1),
        ("a.js", "const two = 2\n* eval(text);\n", 2),
        ("a.js", "// harmless\u2028eval(text)\n", 1),
        ("a.py", "# harmless\reval(text)\n", 1),
        ("a.php", "// harmless ?><?php eval($text);\n", 1),
        ("a.js", f"const table = '{'x ' * 900}'; eval(text)\n", 1),
    ],
)
def test_code_that_passes_for_a_comment_or_stands_far_right_is_found(path: str, text: str, line: int) -> None:
    assert f"runtime_code {path}:{line}" in places(searched([new_file(path, text)]))


def test_comments_of_several_lines_are_silent() -> None:
    assert (
        searched([new_file("a.js", "/**\n * Calls eval(text).\n * @param {string} eval\n */\nrun()\n")])
        == SensitiveLines()
    )


def test_a_moved_or_indented_line_is_silent_wherever_it_goes(drawing: Drawing) -> None:
    before = {"a.py": "x = 1\nsubprocess.run(x)\n", "b.py": "y = 1\n"}
    after = {"a.py": "x = 1\n", "b.py": "y = 1\nif y:\n        subprocess.run(x)\n"}
    assert found(drawing, before, after) == SensitiveLines()


def test_a_line_that_is_copied_counts_once_more(drawing: Drawing) -> None:
    before = {"a.py": "subprocess.run(x)\ny = 1\n"}
    after = {"a.py": "y = 1\n", "b.py": "subprocess.run(x)\n\n\nsubprocess.run(x)\n"}
    assert places(found(drawing, before, after)) == ["programs b.py:4"]


def test_another_variable_beside_a_sensitive_word_is_silent(drawing: Drawing) -> None:
    assert found(drawing, {"a.py": "subprocess.run(x)\n"}, {"a.py": "subprocess.run(line)\n"}) == SensitiveLines()


def test_another_value_beside_a_sensitive_word_counts(drawing: Drawing) -> None:
    before, after = {"a.js": "rejectUnauthorized: true\n"}, {"a.js": "rejectUnauthorized: false\n"}
    assert places(found(drawing, before, after)) == ["tls a.js:1"]


def test_a_guard_that_is_removed_is_shown_where_it_was(drawing: Drawing) -> None:
    before = {"views.py": "@login_required\ndef pay():\n    return 1\n"}
    after = {"views.py": "def pay():\n    return 1\n"}
    assert places(found(drawing, before, after)) == ["access_control views.py:1 (before)"]


def test_a_call_that_is_removed_is_no_danger(drawing: Drawing) -> None:
    assert found(drawing, {"a.py": "x = 1\neval(x)\n"}, {"a.py": "x = 1\n"}) == SensitiveLines()


def test_a_package_from_another_host_is_sensitive_and_one_from_the_same_is_not(drawing: Drawing) -> None:
    def lock(*hosts: str) -> str:
        return "".join(f'"resolved": "https://{host}/a-1.tgz",\n' for host in hosts)

    before = {"package-lock.json": lock("registry.npmjs.org", "registry.npmjs.org")}
    after = {"package-lock.json": lock("registry.npmjs.org", "registry.npmjs.org", "registry.npmjs.org", "b.example")}
    assert places(found(drawing, before, after)) == ["build_time package-lock.json:4"]


def test_a_line_of_a_finding_is_not_repeated_and_a_long_finding_hides_nothing(drawing: Drawing) -> None:
    def finding(start: int, end: int) -> Evidence:
        place = CodeLocation(path="a.py", start=start, end=end)
        return Evidence(id="code.x#1", probe="code.x", outcome=Outcome.FOUND, statement="Seen.", locations=(place,))

    after = {"a.py": "eval(x)\n" + "y = 1\n" * 20 + "pickle.loads(y)\n"}
    assert places(found(drawing, {}, after, finding(1, 1))) == ["data_formats a.py:22"]
    with open_repository(drawing.path, base="main") as repo:
        assert len(places(ChangeReader(repo).sensitive_lines([finding(1, 22)], []))) == 2


def test_what_is_excluded_or_never_sent_is_not_quoted(drawing: Drawing) -> None:
    after = {"private/a.py": "eval(x)\n", "b.py": "eval(y)\n"}
    assert places(found(drawing, {}, after, never_send=("private/**",))) == ["runtime_code b.py:1"]


def test_secrets_and_invisible_characters_are_not_in_the_record(drawing: Drawing) -> None:
    token = "ghp_" + "Ab1" * 12
    lines = found(drawing, {}, {f"{token}.py": f'key = os.environ.get("K", "{token}")\u202e\n'})
    text = lines.model_dump_json()
    assert lines.areas
    assert token not in text
    assert "\u202e" not in text


def test_a_whole_tree_has_none_and_a_change_has_them_in_its_record(drawing: Drawing) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.branch("change")
    drawing.commit({"a.py": "x = 1\nkey = os.environ['KEY']\n"})
    assert audited(drawing.path).sensitive_lines == SensitiveLines()
    report = audited(drawing.path, base="main")
    assert places(report.sensitive_lines) == ["secrets a.py:2"]
    assert from_json(to_json(report)).sensitive_lines == report.sensitive_lines


def test_a_record_of_schema_1_5_has_none() -> None:
    plain = json.loads(to_json(typical()))
    plain["schema_version"] = "1.5"
    del plain["sensitive_lines"]
    assert from_json(json.dumps(plain)).sensitive_lines == SensitiveLines()


def test_an_import_counts_only_where_nothing_else_of_its_area_does() -> None:
    assert places(searched([new_file("a.py", "import pickle\n\nx = pickle.loads(y)\n")])) == ["data_formats a.py:3"]
    assert places(searched([new_file("a.py", "import pickle\n")])) == ["data_formats a.py:1"]
    assert places(searched([new_file("a.py", "import os; os.system(x)\n")])) == ["programs a.py:1"]


def test_neighbouring_lines_of_an_area_are_one_place() -> None:
    (area,) = searched([new_file("a.py", "a = os.getenv(x)\nb = os.getenv(y)\nc = os.getenv(z)\n")]).areas
    assert [(each.start, each.end) for each in area.places] == [(1, 3)]


def test_one_line_is_not_buried_below_a_thousand_of_another_area_or_file() -> None:
    many = "".join(f"key_{each} = os.environ['K{each}']\ny = {each}\n" for each in range(1_000))
    lines = searched([new_file("a.py", many), new_file("z.py", "os.getenv(x)\n"), new_file("zz.py", "eval(x)\n")])
    assert {"runtime_code zz.py:1", "secrets z.py:1"} <= set(places(lines))
    assert places(lines)[0] == "runtime_code zz.py:1"
    assert len(places(lines)) == MAX_PLACES
    assert sum(each.left_out for each in lines.areas) == 1_002 - MAX_PLACES


def test_the_rarest_word_comes_first_in_a_file_of_decoys() -> None:
    text = "".join(f"subprocess.run(a{each})\ny = 1\n" for each in range(300)) + "os.system(name)\n"
    (area,) = searched([new_file("a.py", text)]).areas
    assert area.places[0].start == 601


def test_a_hundred_thousand_lines_take_seconds() -> None:
    words = ("eval(x{0})", "path.join(a{0}, ", "value = {0}", "subprocess.run(y{0})", "SELECT {0} FROM", "open(x{0}")
    text = "\n".join(words[each % len(words)].format(each) for each in range(100_000))
    file = new_file("a.py", text)
    started = time.process_time()
    lines = searched([file])
    assert time.process_time() - started < 8
    assert len(places(lines)) == MAX_PLACES


@pytest.mark.parametrize(
    "piece",
    [
        "path.join(",
        "eval(",
        "a.b[c",
        "SELECT '+",
        '"resolved": "http://',
        " ",
        "((((",
        "getattr(a,",
        "\\x41",
        "${",
        "aA",
    ],
)
def test_a_line_of_a_megabyte_takes_no_time(piece: str) -> None:
    for path in ("a.py", "a.js", "a.rb", "a.php", ".github/workflows/a.yml", "package.json"):
        file = new_file(path, piece * (1_000_000 // len(piece)))
        started = time.process_time()
        searched([file])
        assert time.process_time() - started < 2


def test_no_pattern_takes_more_than_linear_time_on_what_is_looked_at() -> None:
    for row in read_table(Path(line_words.__file__).with_name("sensitive_areas.yaml"), _Table).words:
        pattern = re.compile(expand_pattern(row.pattern))
        for piece in ("a", "(", " ", '"', "a.", "path.join(", "${", "query(", "-> ", "=", "x[y]("):
            text = (piece * 400)[:400]
            started = time.process_time()
            pattern.search(text)
            assert time.process_time() - started < 0.1, row.pattern


def test_hostile_paths_and_bytes_do_no_harm(drawing: Drawing) -> None:
    after: dict[str, str | bytes | None] = {
        "a\n`|](x) <b>.py": "eval(x)\n",
        "\u202eb.py": "eval(y)\n",
        "c.py": b"eval(z)\xff\xfe\n",
        "d.py": b"\0\1\2eval",
    }
    assert len(places(found(drawing, {}, after))) >= 2


def test_files_beyond_the_limit_are_counted_and_small_ones_are_searched(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensitive_line_reading, "MAX_BYTES", 1_000)
    monkeypatch.setattr(sensitive_line_reading, "_BATCH", 1)
    lines = found(drawing, {}, {"a.py": "x = 1\n" * 500, "b.py": "x = 2\n" * 600, "z.py": "eval(x)\n"})
    assert places(lines) == ["runtime_code z.py:1"]
    assert lines.unread_files == 1


def test_changed_lines_beyond_the_limit_are_counted(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sensitive_line_reading, "MAX_CHANGED", 1_000)
    lines = found(drawing, {}, {"a.py": "x = 1\n" * 500, "b.py": "x = 2\n" * 600, "z.py": "eval(x)\n"})
    assert places(lines) == ["runtime_code z.py:1"]
    assert lines.unread_files == 1


def test_what_is_sensitive_is_read_first_by_judges() -> None:
    line = searched([new_file("a.py", "eval(x)\n")])
    assert line.areas
    from auditor.domain import ExhibitLine

    sensitive, plain = ExhibitLine(number=1, text="eval(x)"), ExhibitLine(number=1, text="total(x)")
    assert risk("a.py", [sensitive], is_public=False, is_tested=True) > risk(
        "a.py", [plain], is_public=False, is_tested=True
    )


def test_each_row_names_an_area_of_the_table_and_each_area_has_rows() -> None:
    table = read_table(Path(line_words.__file__).with_name("sensitive_areas.yaml"), _Table)
    assert {each.area for each in table.words} == set(areas())
    assert all(each.names or each.parts or each.pattern for each in table.words)


def test_figures_of_real_changes_are_printed(drawing: Drawing, capsys: pytest.CaptureFixture[str]) -> None:
    drawing.commit({"a.py": "x = 1\n"})
    drawing.commit({"a.py": "x = 2\n"})
    drawing.commit({"a.py": "x = 2\neval(x)\n"})
    assert sensitive.main([str(drawing.path), "--lines"]) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 changes (50%) have a sensitive line" in printed
    assert "runtime_code a.py:2 eval(x)" in printed
