"""What is worked out of files that ship with the program, kept beside Python's byte code and under the same rules.

To parse the tables of an audit takes longer than to read a small change. Each is kept in a `__pycache__` folder, for one version of
Python, with a hash of the text that it was made of. Nothing is written where byte code is not, and where nothing is kept the text is
parsed.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source, source_hash
from pathlib import Path
from typing import Any

from auditor import strict_yaml


def plain_data(text: str, source: Path, part: str = "") -> object:
    """The plain data of the text of a YAML file that ships with the program, or of one part of it."""
    name = source.with_name(f"{source.name}.{part}") if part else source
    content = text.encode("utf-8")
    data = kept_data(name, content)
    if data is None:
        data = strict_yaml.parse_plain(text, source.name)[0]
        keep_data(name, content, data)
    return data


def kept_data(name: Path, made_of: bytes) -> object:
    """What is kept under a name and was made of this content, None where nothing is."""
    digest = source_hash(made_of)
    try:
        held = _place(name).read_bytes()
        # As trusted as byte code, which is read from the same folder in the same way.
        return marshal.loads(held[len(digest) :]) if held.startswith(digest) else None  # noqa: S302
    except (OSError, EOFError, ValueError, TypeError):
        return None


def keep_data(name: Path, made_of: bytes, data: Any) -> None:
    """Keep plain values. Written whole or not at all: another process may do the same."""
    if sys.dont_write_bytecode:
        return
    place = _place(name)
    written = place.with_name(f"{place.name}.{os.getpid()}")
    with suppress(OSError):
        place.parent.mkdir(exist_ok=True)
        written.write_bytes(source_hash(made_of) + marshal.dumps(data))
        written.replace(place)


def _place(name: Path) -> Path:
    """The file for a name, which need not be that of a file."""
    return Path(cache_from_source(str(name.with_name(f"{name.name}.data")))).with_suffix(".data")
