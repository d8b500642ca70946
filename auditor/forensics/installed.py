"""Which engines stand beside this interpreter."""

from __future__ import annotations


def version_of(package: str) -> str:
    """The installed version of a package; empty when it is not there."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""
