"""How the texts of inputs become values. Each raises ValueError with the rest of a sentence that begins with the input's name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from auditor.judges.bench_factory import EFFORTS
from auditor.judges.signed_answer_cache import MIN_SECRET_LENGTH
from auditor.user_error import did_you_mean

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def parse_line(value: str) -> str:
    """A single line."""
    if _CONTROL.search(value) or "\n" in value:
        raise ValueError("must be a single line without control characters")
    return value


def parse_secret(value: str) -> str:
    """A secret that cannot be guessed."""
    if len(parse_line(value)) < MIN_SECRET_LENGTH:
        raise ValueError(f"must have {MIN_SECRET_LENGTH} characters at least, such as those of `openssl rand -hex 32`")
    return value


def parse_score(value: str) -> float:
    """A score."""
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not 1 <= found <= 5:
        raise ValueError(f"must be a number from 1 to 5, not {_quote_value(value)}")
    return found


def integer_parser(low: int, high: int) -> Callable[[str], int]:
    """A whole number between two bounds."""

    def read(value: str) -> int:
        found = int(value) if re.fullmatch(r"[0-9]{1,9}", value) else -1
        if not low <= found <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, not {_quote_value(value)}")
        return found

    return read


def mapping_parser(example: str, read_one: Callable[[str], Any]) -> Callable[[str], dict[str, Any]]:
    """Lines of `name: value`; commas part them too."""

    def read(value: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in filter(None, (each.strip() for each in re.split(r"[\n,]", value))):
            name, separator, rest = (part.strip() for part in line.partition(":"))
            if not separator or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                raise ValueError(f"must have lines such as `{example}`, not {_quote_value(line)}")
            if name in found:
                raise ValueError(f"names {name} twice")
            try:
                found[name] = read_one(rest)
            except ValueError as error:
                raise ValueError(f"has for {name} what {error}") from error
        return found

    return read


_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}")


def parse_model(value: str) -> str:
    """The name of a model."""
    if not _MODEL.fullmatch(value):
        raise ValueError(f"must be the name of a model, not {_quote_value(value)}")
    return value


def parse_usd(value: str) -> float:
    """US dollars."""
    try:
        found = float(value)
    except ValueError:
        found = math.nan
    if not 0 < found < 10_000:
        raise ValueError(f"must be an amount above 0 and below 10000, not {_quote_value(value)}")
    return found


def parse_effort(value: str) -> str:
    """How much a model may think."""
    if value not in EFFORTS:
        raise ValueError(f"must be one of {', '.join(EFFORTS)}, not {_quote_value(value)}")
    return value


def parse_folder(value: str) -> str:
    """A folder inside the workspace."""
    path = PurePosixPath(parse_line(value))
    if path.is_absolute() or ".." in path.parts or path.parts[:1] in ((".git",), (".github",)) or not path.parts:
        raise ValueError(f"must be a folder inside the workspace, not {_quote_value(value)}")
    return str(path)


def choice_parser(kind: type[StrEnum]) -> tuple[Callable[[str], StrEnum], tuple[str, ...]]:
    """One of the words of an enumeration: how it is read, and the words."""
    values = tuple(each.value for each in kind)

    def read(value: str) -> StrEnum:
        if value not in values:
            hint = did_you_mean(value, values, "")
            wanted = " or ".join([", ".join(values[:-1]), values[-1]])
            raise ValueError(f"must be {wanted}, not {_quote_value(value)}{f'; {hint}' if hint else ''}")
        return kind(value)

    return read, values


def _quote_value(value: str) -> str:
    return repr(value if len(value) <= 40 else value[:40] + "…")
