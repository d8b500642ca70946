"""Files of a team's own rows: what they may hold, what is refused with its line, and their limits."""

from __future__ import annotations

import time

import pytest

from auditor.domain import UserError
from auditor.forensics.engine.team_row_files import MAX_FILE_BYTES, MAX_FILES, describe_team_rows, read_team_rows
from auditor.forensics.library_models.team_rows import NO_TEAM_ROWS, in_force, team_rows
from auditor.forensics.python.taint_models import harmless_calls
from auditor.forensics.source_text.generated_files import has_generated_notice

SOURCE = "source: https://docs.acme.example/"
CLIENT = f"python:\n  request_functions:\n    - {{names: [acme.http.fetch], {SOURCE}}}\n"
QUOTING = f"harmless:\n  - {{calls: [acme.sh.quote], probes: [code.shell_execution], {SOURCE}}}\n"
NOTICE = f"generated:\n  - {{text: 'Built by acme-stubs (v1.*)', {SOURCE}}}\n"


def refused(*files: tuple[str, str]) -> list[str]:
    with pytest.raises(UserError) as caught:
        read_team_rows((path, text.encode()) for path, text in files)
    return str(caught.value).splitlines()


def test_no_files_are_no_rows() -> None:
    assert read_team_rows(()) == NO_TEAM_ROWS
    assert describe_team_rows(NO_TEAM_ROWS, ()) is None


def test_the_digest_follows_topic_and_content_and_not_the_folder() -> None:
    first = read_team_rows([("rows/network_timeouts.yaml", CLIENT.encode())])
    moved = read_team_rows([("other/network_timeouts.yaml", CLIENT.encode())])
    edited = read_team_rows([("rows/network_timeouts.yaml", CLIENT.replace("fetch", "get").encode())])
    renamed = [read_team_rows([(f"{topic}.yaml", b"python: {}\n")]) for topic in ("sql_queries", "shell_execution")]
    assert first.digest == moved.digest != edited.digest
    assert renamed[0].digest != renamed[1].digest


def test_the_record_names_what_makes_the_audit_report_less() -> None:
    files = [("a/taint_models.yaml", QUOTING.encode()), ("a/generated_notices.yaml", NOTICE.encode()), ("a/network_timeouts.yaml", CLIENT.encode())]  # fmt: skip
    record = describe_team_rows(read_team_rows(files), [path for path, _ in files])
    assert record is not None
    assert (record.rows, record.harmless_calls, record.generated_notices) == (3, ("acme.sh.quote",), ("Built by acme-stubs (v1.*)",))  # fmt: skip
    assert record.files == ("a/generated_notices.yaml", "a/network_timeouts.yaml", "a/taint_models.yaml")


def test_every_mistake_of_all_files_is_listed_with_its_line() -> None:
    said = refused(
        ("r/sql.yaml", "python: {}\n"),
        ("r/network_timeouts.yaml", f"python:\n  channels: []\n  sessions:\n    - {{names: [requests.Session], {SOURCE}}}\n"),
        ("r/shell_execution.yaml", "python:\n  shell_calls:\n    - names: [acme.sh.run]\n"),
        ("r/taint_models.yaml", f"harmless:\n  - {{calls: [acme.q], probes: [code.no_such], {SOURCE}}}\n"),
    )  # fmt: skip
    assert [line.partition(": ")[0] for line in said] == ["r/network_timeouts.yaml:4", "r/shell_execution.yaml:3", "r/sql.yaml:1", "r/taint_models.yaml:2"]  # fmt: skip
    assert "built-in row" in said[0]
    assert "source is missing" in said[1]
    assert "sql_queries" in said[2]
    assert "code.no_such" in said[3]


def test_a_section_that_a_team_cannot_write_is_refused_with_those_it_can() -> None:
    (line,) = refused(("network_timeouts.yaml", "python:\n  channels: []\n"))
    assert "unknown key 'channels'; known keys: default_timeouts, request_functions, sessions, socket_timeouts." in line


def test_rules_of_other_languages_are_refused() -> None:
    (line,) = refused(("network_timeouts.yaml", CLIENT + "other_languages: {}\n"))
    assert line.startswith("network_timeouts.yaml:4: unknown key 'other_languages'")


def test_a_name_in_two_files_is_refused() -> None:
    (line,) = refused(("a/network_timeouts.yaml", CLIENT), ("b/network_timeouts.yaml", CLIENT))
    assert line == "b/network_timeouts.yaml:3: 'acme.http.fetch' is in another row of a/network_timeouts.yaml already."


@pytest.mark.parametrize(
    "name", ["'*'", "'acme.*'", "'acme.(a+)+$'", "'.run'", "fetch", "'acme..fetch'", "''", "'acme.http.fetch '"]
)
def test_only_a_qualified_name_written_out_is_a_call(name: str) -> None:
    (line, *_) = refused(("shell_execution.yaml", f"python:\n  shell_calls:\n    - {{names: [{name}], {SOURCE}}}\n"))
    assert line.startswith("shell_execution.yaml:3: ")


@pytest.mark.parametrize("text", ["'#'", "'generated'", '"a line\\nand more"', "''", f"'{'x' * 201}'"])
def test_a_notice_that_many_files_hold_or_that_is_no_line_is_refused(text: str) -> None:
    (line, *_) = refused(("generated_notices.yaml", f"generated:\n  - {{text: {text}, {SOURCE}}}\n"))
    assert line.startswith("generated_notices.yaml:2: ")


@pytest.mark.parametrize("call", ["json.loads", "shlex.quote", "os.system"])
def test_a_call_of_the_built_in_tables_cannot_be_made_harmless(call: str) -> None:
    (line,) = refused(("taint_models.yaml", QUOTING.replace("acme.sh.quote", call)))
    assert "is in a built-in row" in line


def test_a_function_is_harmless_only_for_rules_that_the_row_names() -> None:
    (line,) = refused(("taint_models.yaml", QUOTING.replace("probes: [code.shell_execution], ", "")))
    assert "probes is missing" in line
    with in_force(read_team_rows([("taint_models.yaml", QUOTING.encode())])):
        assert "acme.sh.quote" in harmless_calls("code.shell_execution")
        assert "acme.sh.quote" not in harmless_calls("code.sql_from_strings")


def test_rows_end_with_the_audit_that_they_were_read_for() -> None:
    with in_force(read_team_rows([("taint_models.yaml", QUOTING.encode())])):
        assert team_rows() != NO_TEAM_ROWS
    assert team_rows() == NO_TEAM_ROWS
    assert "acme.sh.quote" not in harmless_calls("code.shell_execution")


def test_a_notice_is_taken_literally_in_letters_of_either_case() -> None:
    with in_force(read_team_rows([("generated_notices.yaml", NOTICE.encode())])):
        assert has_generated_notice("# built by ACME-stubs (v1.*)\nx = 1\n")
        assert not has_generated_notice("# Built by acme-stubs (v1.7)\nx = 1\n")
    assert not has_generated_notice("# built by acme-stubs (v1.*)\nx = 1\n")


def test_a_notice_that_is_a_slow_regular_expression_costs_no_time() -> None:
    rows = read_team_rows(
        [("generated_notices.yaml", f"generated:\n  - {{text: '(a+)+(a+)+(a+)+$', {SOURCE}}}\n".encode())]
    )
    started = time.process_time()
    with in_force(rows):
        assert not has_generated_notice("# " + "a" * 1_400 + "!\n")
    assert time.process_time() - started < 1


def test_owners_with_members_are_counted_before_they_are_written_out() -> None:
    many = ", ".join(f"n{number:05}" for number in range(6_000))
    started = time.process_time()
    said = refused(
        ("shell_execution.yaml", f"python:\n  shell_calls:\n    - {{owners: [{many}], members: [{many}], {SOURCE}}}\n")
    )
    assert "more than 2,000 names" in said[0]
    assert time.process_time() - started < 10


def test_too_large_a_file_is_refused_unread() -> None:
    (line,) = refused(("shell_execution.yaml", "#" * (MAX_FILE_BYTES + 1)))
    assert "larger than 100,000 bytes" in line


def test_too_many_files_are_refused() -> None:
    (line,) = refused(*((f"{number}/sql_queries.yaml", "python: {}\n") for number in range(MAX_FILES + 1)))
    assert "at most 50" in line


@pytest.mark.parametrize("text", ["[1, 2]", "python: 3", "python: {shell_calls: 3}", "python: {shell_calls: [3]}", "&a [*a]", "!!python/object:os.system {}", "\0", "python: {3: []}"])  # fmt: skip
def test_whatever_a_file_holds_is_a_mistake_and_no_crash(text: str) -> None:
    assert refused(("shell_execution.yaml", text))


@pytest.mark.parametrize("text", ["[1]", "sources: 3", "harmless: [3]", "sinks: [{probe: [], calls: 3}]", "harmless: [{calls: [[]], probes: [3]}]"])  # fmt: skip
def test_whatever_a_file_of_untrusted_input_holds_is_a_mistake_and_no_crash(text: str) -> None:
    assert refused(("taint_models.yaml", text))
