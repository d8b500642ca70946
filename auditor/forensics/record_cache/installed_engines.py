"""Which engines are installed beside this interpreter, and where their programs are."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path
from sysconfig import get_path


def installed_version(package: str) -> str:
    """The installed version of a package; empty when it is not there."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


@cache
def program_path(package: str) -> str:
    """The path of a package's program; the bare name where only PATH can find it.

    The scripts folder of the interpreter comes first. After `pip install --user` the program is elsewhere (on macOS
    often not on PATH either), and only the list of files that pip kept says where.
    """
    beside = Path(get_path("scripts")) / package
    return str(beside) if beside.exists() else _program_from_metadata(package) or package


def _program_from_metadata(package: str) -> str:
    """The runnable program among the files of the installed package; empty when there is none."""
    from importlib.metadata import distributions

    for installed in distributions(name=package, path=_trusted_search_path()):
        for file in installed.files or ():
            if file.name == package and file.parent.name == "bin":
                place = Path(str(installed.locate_file(file))).resolve()
                if place.is_file() and os.access(place, os.X_OK):
                    return str(place)
    return ""


def _trusted_search_path() -> list[str]:
    """The import path without the current folder, which may be the audited repository."""
    try:
        here = os.path.realpath(Path.cwd())
    except OSError:  # it was removed: nothing can be found there
        here = ""
    return [each for each in sys.path if each and os.path.realpath(each) != here]
