"""Pages as they were read and found good. `UPDATE_GOLDEN=1 pytest tests/report/test_golden.py` writes them anew.

The difference is then read line by line: would whoever gets the page understand it as well as before?
"""

from __future__ import annotations

import os
from pathlib import Path

_JOINER, _SHOWN = "\u2060", "{U+2060}"
"""What keeps a mention from being one cannot be seen, so golden pages have it written out."""
_FOLDER = Path(__file__).parent


def expected(name: str, text: str) -> str:
    """What the page of that name was; what it is now, when it is to be written anew."""
    file = _FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text.replace(_JOINER, _SHOWN), encoding="utf-8", newline="\n")
    return file.read_text(encoding="utf-8").replace(_SHOWN, _JOINER)
