"""Which programs are shells: rows of `shell_programs.yaml`, and patterns that fit any of them."""

from __future__ import annotations

from pathlib import Path

from auditor.domain.frozen_model import Frozen
from auditor.row_tables import NameRows, names_of, read_table


class _Shells(Frozen):
    unix_shells: NameRows
    windows_shells: NameRows


_ROWS = read_table(Path(__file__).with_name("shell_programs.yaml"), _Shells)
UNIX_SHELLS = names_of(_ROWS.unix_shells)
WINDOWS_SHELLS = names_of(_ROWS.windows_shells)
UNIX_SHELL = f"(?:{'|'.join(sorted(UNIX_SHELLS))})"
"""The expression for the name of a shell of Unix, without a folder."""
WINDOWS_SHELL = rf"(?:{'|'.join(sorted(WINDOWS_SHELLS))})(?:\.exe)?"
"""The expression for the name of a shell of Windows, without a folder."""
