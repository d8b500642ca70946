"""Tables derived from records, and questions over them."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from auditor.domain import Outcome, UserError
from auditor.fleet.store import Store
from auditor.fleet.table_index import TableIndex, build_index, current_index
from auditor.fleet.table_queries import TableConnection, open_tables
from auditor.fleet.table_schema import TABLES
from auditor.report.query_output import csv_text, json_text, markdown_text, terminal_table
from tests.fleet.commands import run
from tests.fleet.recorded_store import RecordedStore, put

pytest.importorskip("duckdb")
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tables(recorded: RecordedStore) -> Iterator[TableConnection]:
    with open_tables(build_index(recorded.store)) as connection:
        yield connection


@pytest.fixture
def own_store(recorded: RecordedStore, tmp_path: Path) -> Store:
    """A copy that a test may change."""
    shutil.copytree(recorded.store.path, tmp_path / "store", ignore=shutil.ignore_patterns("tables"))
    return Store.open(tmp_path / "store")


def test_the_tables_have_one_row_for_each_record_ruling_and_fact(
    recorded: RecordedStore, tables: TableConnection
) -> None:
    records = recorded.records().values()
    counted = {
        name: tables.question(f"FROM {name} SELECT count(*)").rows[0][0] for name in ("audits", "rulings", "facts")
    }
    assert counted == {
        "audits": len(records),
        "rulings": sum(len(each.verdict.rulings) for each in records),
        "facts": sum(len(each.evidence) for each in records),
    }


def test_a_question_gives_what_the_records_say(recorded: RecordedStore, tables: TableConnection) -> None:
    answer = tables.question("SELECT head, conclusion, overall FROM audits")
    assert answer.columns == ("head", "conclusion", "overall")
    assert set(answer.rows) == {
        (head, each.verdict.conclusion.value, each.verdict.overall) for head, each in recorded.records().items()
    }
    shells = tables.question(
        "SELECT count(*) FROM facts WHERE rule = 'code.shell_execution' AND outcome = 'found'"
    ).rows
    found = [
        fact
        for each in recorded.records().values()
        for fact in each.evidence
        if fact.probe == "code.shell_execution" and fact.outcome is Outcome.FOUND
    ]
    assert shells == ((len(found),),)
    assert found


def test_the_documentation_describes_every_column() -> None:
    page = (ROOT / ".github/docs/fleet.md").read_text()
    for table in TABLES:
        section = page.partition(f"#### `{table.name}`")[2].partition("####")[0]
        documented = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", section, re.MULTILINE)
        assert documented == [(each.name, each.type, each.meaning) for each in table.columns], table.name


@pytest.mark.parametrize(
    "statement",
    [
        "COPY audits TO '{file}'",
        "COPY audits FROM '{file}'",
        "ATTACH '{file}'",
        "EXPORT DATABASE '{file}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_json('{file}')",
        "SELECT * FROM read_parquet('{file}')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')",
        "SELECT getenv('HOME')",
        "SELECT * FROM secret_of_this_test",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET threads = 1",
        "RESET memory_limit",
        "PRAGMA enable_external_access = true",
        "CALL enable_logging(storage = 'file', storage_path = '{file}')",
        "CREATE SECRET s (TYPE s3)",
    ],
)  # fmt: skip
def test_no_statement_reaches_a_file_the_network_or_a_setting(
    tables: TableConnection, tmp_path: Path, statement: str
) -> None:
    secret_of_this_test = {"a": [1]}  # DuckDB would read a variable of this frame by its name
    assert secret_of_this_test
    file = tmp_path / "file"
    file.write_text("secret")
    text = statement.replace("{file}", str(file))
    with pytest.raises(
        Exception, match=r"(?i)permission|disabled|locked|does not exist|cannot|not in the catalog|unrecognized"
    ):
        tables.connection.execute(text).fetchall()
    with pytest.raises(UserError):
        tables.question(text)
    assert file.read_text() == "secret"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SELECT 1; SELECT 2",
        "DROP TABLE audits",
        "INSERT INTO audits SELECT * FROM audits",
        "ATTACH ':memory:' AS m",
        "SELEC 1",
        "SELECT nothing FROM audits",
    ],
)
def test_a_question_is_one_select_that_is_right(tables: TableConnection, text: str) -> None:
    before = tables.question("SELECT count(*) FROM audits").rows
    with pytest.raises(UserError, match="question"):
        tables.question(text)
    assert tables.question("SELECT count(*) FROM audits").rows == before


def test_whole_tables_are_used_again(own_store: Store) -> None:
    build_index(own_store)
    assert not current_index(own_store).rebuilt_because


def test_tables_that_are_missing_are_derived(own_store: Store) -> None:
    assert current_index(own_store).rebuilt_because == "there are no tables yet"


def spoil_parquet(index: TableIndex) -> None:
    file = Path(index.files("facts")[0])
    file.write_bytes(file.read_bytes()[:200])


def lose_parquet(index: TableIndex) -> None:
    Path(index.files("facts")[0]).unlink()


def spoil_index(index: TableIndex) -> None:
    (index.folder / "index.json").write_text('{"version": 1, "files"')


def age_index(index: TableIndex) -> None:
    file = index.folder / "index.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "version": 0}))


def point_outside(index: TableIndex) -> None:
    file = index.folder / "index.json"
    plain = json.loads(file.read_text())
    file.write_text(json.dumps({**plain, "files": {"facts/../../../etc/passwd": "0" * 64}}))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (spoil_parquet, "a Parquet file is missing or damaged"),
        (lose_parquet, "a Parquet file is missing or damaged"),
        (spoil_index, "index.json of the tables is damaged"),
        (age_index, "the tables were made by another version"),
        (point_outside, "a Parquet file is missing or damaged"),
    ],
)
def test_damaged_tables_are_derived_again(own_store: Store, spoil: Callable[[TableIndex], None], reason: str) -> None:
    spoil(build_index(own_store))
    index = current_index(own_store)
    assert index.rebuilt_because == reason
    with open_tables(index) as connection:
        assert connection.question("SELECT count(*) > 0 FROM facts").rows == ((True,),)


def test_tables_follow_the_records(own_store: Store, recorded: RecordedStore) -> None:
    before = build_index(own_store)
    (first, *_) = recorded.records().values()
    put(own_store, "https://example.org/other", first)
    after = current_index(own_store)
    assert after.rebuilt_because == "there are other records than in the tables"
    assert after.content.rows["audits"] == before.content.rows["audits"] + 1


def test_a_record_edited_by_hand_is_left_out(own_store: Store) -> None:
    (first, *_) = own_store.records()
    first.path.write_text(first.path.read_text().replace('"failed"', '"passed"') + " ")
    index = build_index(own_store)
    assert index.content.not_read == {first.key: "it does not have the bytes that the audit wrote"}


def test_a_hostile_repository_name_is_a_value_like_any_other(own_store: Store, recorded: RecordedStore) -> None:
    (first, *_) = recorded.records().values()
    name = "https://example.org/'); DROP TABLE audits; --\u202e\x1b[31m*[x]?"
    put(own_store, name, first)
    with open_tables(build_index(own_store)) as connection:
        assert (name,) in connection.question("SELECT DISTINCT repository FROM audits").rows


def test_a_store_in_a_folder_with_pattern_characters_is_read(recorded: RecordedStore, tmp_path: Path) -> None:
    place = tmp_path / "we[i]rd*' store"
    shutil.copytree(recorded.store.path, place)
    with open_tables(build_index(Store.open(place))) as connection:
        assert connection.question("SELECT count(*) FROM audits").rows == ((len(recorded.changes),),)


def test_an_unfinished_folder_of_a_killed_process_is_removed(own_store: Store) -> None:
    left = own_store.path / "tables-999999999-ab"
    left.mkdir()
    build_index(own_store)
    assert not left.exists()


ROWS = (("a|`b`", 1, None), ("=1+1", 2.5, True), ("\x1b[31mred", -3, False))


def test_a_terminal_gets_no_control_characters() -> None:
    lines = terminal_table(("name", "n", "b"), ROWS).splitlines()
    assert lines[0].split() == ["name", "n", "b"]
    assert lines[3].split() == ["=1+1", "2.5", "true"]
    assert lines[4].split() == ["\u27e8U+001B\u27e9[31mred", "-3", "false"]
    assert lines[5] == "(3 rows)"
    assert "\x1b" not in terminal_table(("name", "n", "b"), ROWS)


def test_csv_holds_no_formula() -> None:
    read = list(csv.reader(io.StringIO(csv_text(("name", "n", "b"), ROWS))))
    assert read == [
        ["name", "n", "b"],
        ["a|`b`", "1", ""],
        ["'=1+1", "2.5", "True"],
        ["⟨U+001B⟩[31mred", "-3", "False"],
    ]


def test_json_keeps_values_and_is_ascii() -> None:
    text = json_text(("name", "name", "b"), ROWS)
    assert text.isascii()
    assert json.loads(text)[1] == {"name": "=1+1", "name_2": 2.5, "b": True}


def test_a_bar_and_a_backtick_end_no_cell_of_markdown() -> None:
    assert markdown_text(("name", "n", "b"), ROWS[:1]).splitlines()[2] == "| `` a\\|`b` `` | 1 |  |"


def test_the_commands_index_and_answer(own_store: Store) -> None:
    code, printed = run("fleet", "index", "--store", own_store.path)
    assert (code, printed.splitlines()[0]) == (0, "audits: 20 rows")
    code, printed = run(
        "fleet", "sql", "SELECT count(*) AS n FROM audits", "--store", own_store.path, "--format", "csv"
    )
    assert (code, printed) == (0, "n\n20\n")
    code, printed = run("fleet", "sql", "SELECT * FROM read_text('/etc/passwd')", "--store", own_store.path)
    assert code == 2
    assert "root:" not in printed


def test_a_missing_duckdb_is_one_sentence_with_the_command(own_store: Store) -> None:
    blocked = "import sys; sys.modules['duckdb'] = None; from auditor.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run([sys.executable, "-c", blocked, "fleet", "index", "--store", str(own_store.path)], cwd=ROOT, capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2,
        "auditor: DuckDB is not installed: run `pip install '.[fleet]'` in a checkout of Automaton Auditor.\n",
    )
