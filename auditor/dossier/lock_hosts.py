"""Lines of a lock file that fetch a package from another host than the packages beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from auditor.dossier.changed_file import ChangedFile

_HOST = re.compile(r"(?:https?|git|ssh)://(?:[^\s/@\"']{0,100}@)?([\w.-]{1,200})")
_MAX_LINE = 400
_FEW = 5


def foreign_hosts(file: ChangedFile) -> Iterator[tuple[int, str]]:
    """The numbers and hosts of added lines with a host that the file did not name before.

    In a new file, or one that named no host, hosts of a fifth of the lines count as known.
    """
    known = {host for line in file.before for host in _hosts(line)}
    if not known:
        counted = Counter(host for line in file.after for host in _hosts(line))
        known = {host for host, count in counted.items() if count * _FEW >= counted.total()}
    for number in sorted(file.change.added_lines):
        line = file.after[number - 1] if number <= len(file.after) else ""
        new = [host for host in _hosts(line) if host not in known]
        if new:
            yield number, new[0]


def _hosts(line: str) -> list[str]:
    return _HOST.findall(line[:_MAX_LINE]) if "://" in line else []
