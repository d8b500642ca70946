"""Files of rows that a team adds to the tables: one file a topic, checked as the program's own and within limits."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from auditor import strict_yaml
from auditor.domain import TeamRowsRecord, UserError
from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models import network_timeouts, shell_execution, sql_queries
from auditor.forensics.library_models.python_rows import SECTION
from auditor.forensics.library_models.team_rows import NO_TEAM_ROWS, TeamRows
from auditor.forensics.python import taint_models
from auditor.forensics.python.team_taint_models import TeamTaintModels
from auditor.forensics.source_text import generated_notices
from auditor.forensics.source_text.generated_notices import TeamGeneratedNotices
from auditor.row_tables import names_of, parse_table
from auditor.user_error import did_you_mean

MAX_FILES = 50
MAX_FILE_BYTES = 100_000
MAX_NAMES = 2_000
"""Names in all files together, `owners` with `members` written out."""
ROW_FILE_SUFFIXES = (".yaml", ".yml")
_NAME_COLUMNS = ("names", "calls")
_Mistakes = Iterator[tuple[strict_yaml.KeyPath, str]]


@dataclass(frozen=True)
class _Topic:
    """What a file of a topic may hold."""

    schema: type[Frozen]
    built_in: Callable[[], frozenset[str]]
    """Names of the program's own rows: to write one again says nothing."""
    section: str = SECTION
    """The key below which its sections are; empty where they are at the top."""


def _names_of_sections(table: Frozen) -> frozenset[str]:
    """The names of all sections of a table."""
    return frozenset(name for section in _sections(table) for name in names_of(section))


def _taint_names() -> frozenset[str]:
    known = taint_models.built_in_taint_models()
    sinks = {name for row in known.sinks for name in row.calls}
    harmless = {name for row in known.harmless for name in row.calls}
    sources = {name for row in known.sources for name in row.names if "." in name}
    return known.returning | sinks | harmless | sources


_TOPICS: Mapping[str, _Topic] = {
    generated_notices.TOPIC: _Topic(TeamGeneratedNotices, frozenset, section=""),
    network_timeouts.TOPIC: _Topic(
        network_timeouts.TeamNetworkTimeouts,
        lambda: _names_of_sections(network_timeouts.network_timeouts()),
    ),
    shell_execution.TOPIC: _Topic(
        shell_execution.TeamShellExecution,
        lambda: _names_of_sections(shell_execution.shell_execution()),
    ),
    sql_queries.TOPIC: _Topic(
        sql_queries.TeamSqlQueries,
        lambda: _names_of_sections(sql_queries.sql_queries()),
    ),
    taint_models.TOPIC: _Topic(TeamTaintModels, _taint_names, section=""),
}


@cache
def _built_in_names(topic: str) -> frozenset[str]:
    return _TOPICS[topic].built_in()


@dataclass
class _Reading:
    """What was read so far: the rows of each topic, and the place of each name."""

    tables: dict[str, list[Frozen]] = field(default_factory=dict)
    places: dict[tuple[str, str, str], str] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    names: int = 0


def read_team_rows(files: Iterable[tuple[str, bytes]]) -> TeamRows:
    """The rows of files, given by path and content. Raises UserError listing every mistake of all files with its line."""
    given = sorted(files)
    if len(given) > MAX_FILES:
        raise UserError(f"There are {len(given):,} files of rows: put them into at most {MAX_FILES}.")
    reading = _Reading()
    for path, content in given:
        _read_file(reading, path, content)
    if reading.mistakes:
        raise UserError("\n".join(reading.mistakes))
    if not given:
        return NO_TEAM_ROWS
    tables = {topic: _joined(parts) for topic, parts in reading.tables.items()}
    calls = {name for topic, _, name in reading.places if topic != generated_notices.TOPIC and "." in name}
    return TeamRows(_digest(given), tables, frozenset(calls))


def _digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Identifies a set of rows by its content, whatever the paths of its files."""
    lines = sorted(f"{PurePosixPath(path).stem} {hashlib.sha256(content).hexdigest()}" for path, content in files)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _read_file(reading: _Reading, path: str, content: bytes) -> None:
    name = PurePosixPath(path).stem
    topic = _TOPICS.get(name)
    if topic is None:
        hint = did_you_mean(name, _TOPICS, f"topics are {', '.join(_TOPICS)}.")
        reading.mistakes.append(f"{path}:1: no topic is called {name!r}; {hint}")
        return
    if len(content) > MAX_FILE_BYTES:
        reading.mistakes.append(f"{path}:1: larger than {MAX_FILE_BYTES:,} bytes, which no file of rows needs to be.")
        return
    try:
        table = parse_table(
            topic.schema,
            content,
            path,
            section=topic.section,
            check=lambda data: _row_mistakes(reading, name, path, data),
        )
    except UserError as error:
        reading.mistakes += str(error).splitlines()
    else:
        reading.tables.setdefault(name, []).append(table)


def _joined(parts: list[Frozen]) -> Frozen:
    """One table of those of several files."""
    first = parts[0]
    sections = type(first).model_fields
    return first.model_copy(
        update={name: tuple(row for part in parts for row in getattr(part, name)) for name in sections}
    )


def _row_mistakes(reading: _Reading, topic: str, path: str, data: object) -> _Mistakes:
    """Mistakes for rows with too many names, and for names that a built-in row or another row of the team already has."""
    section_key = _TOPICS[topic].section
    under: strict_yaml.KeyPath = (section_key,) if section_key else ()
    sections = data.get(section_key) if section_key and isinstance(data, dict) else data
    for section, rows in sections.items() if isinstance(sections, dict) else ():
        for number, row in enumerate(rows if isinstance(rows, list) else ()):
            if not isinstance(row, dict):
                continue
            place = (*under, section, number)
            reading.names += _name_count(row)
            if reading.names > MAX_NAMES:
                yield place, f"all rows together have more than {MAX_NAMES:,} names."
                return
            for name in _names(row):
                if name in _built_in_names(topic):
                    yield place, f"{name!r} is in a built-in row."
                before = reading.places.setdefault((topic, str(section), name), path)
                if before != path:  # within one file the loader says so
                    yield place, f"{name!r} is in another row of {before} already."


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _name_count(row: Mapping[Any, object]) -> int:
    plain = sum(len(_texts(row.get(column))) for column in _NAME_COLUMNS)
    return 1 + plain + len(_texts(row.get("owners"))) * len(_texts(row.get("members")))


def _names(row: Mapping[Any, object]) -> list[str]:
    """The names of a row, written out. The caller has counted them."""
    plain = [name for column in _NAME_COLUMNS for name in _texts(row.get(column))]
    text = row.get("text")
    owned = [f"{owner}.{member}" for owner in _texts(row.get("owners")) for member in _texts(row.get("members"))]
    return [*plain, *owned, *([text] if isinstance(text, str) else [])]


def describe_team_rows(rows: TeamRows, files: Iterable[str]) -> TeamRowsRecord | None:
    """What the record says of the rows in force; None where there are none. Rows that make an audit report less are named."""
    if rows == NO_TEAM_ROWS:
        return None
    sections = [section for table in rows.tables.values() for section in _sections(table)]
    harmless = getattr(rows.tables.get(taint_models.TOPIC), "harmless", ())
    notices = getattr(rows.tables.get(generated_notices.TOPIC), "generated", ())
    return TeamRowsRecord(
        digest=rows.digest,
        files=tuple(sorted(files)),
        rows=sum(len(section) for section in sections),
        harmless_calls=tuple(sorted({name for row in harmless for name in row.calls})),
        generated_notices=tuple(sorted(row.text for row in notices)),
    )


def _sections(table: Frozen) -> list[tuple[Any, ...]]:
    return [getattr(table, name) for name in type(table).model_fields]
