"""Settings of package managers that name another place to take packages from."""

from __future__ import annotations

import re
from collections.abc import Callable

from auditor.forensics.manifests.wanted import Manifest
from auditor.late import late

_NPM = late(r"^\s*registry\s*=\s*[\"']?(https?://[^\s\"']{1,300})")
_YARN = late(r"^\s*(?:npmRegistryServer:|registry\s)\s*[\"']?(https?://[^\s\"']{1,300})")
_PIP = late(r"^\s*(?:extra-)?index-url\s*=\s*(https?://\S{1,300})")
_HOMES = ("registry.npmjs.org", "registry.yarnpkg.com", "pypi.org/", "npm.pkg.github.com")


def _settings(form: re.Pattern[str]) -> Callable[[str], Manifest]:
    def read(text: str) -> Manifest:
        rows = ((number, line[:500]) for number, line in enumerate(text.split("\n"), start=1))
        told = ((number, line.strip()[:200]) for number, line in rows if form.match(line))
        return Manifest("settings", indexes=tuple(each for each in told if not any(home in each[1] for home in _HOMES)))

    return read


npmrc = _settings(_NPM)
"""Of `.npmrc` the registry for all packages; that of one scope is where a team keeps its own."""
yarnrc = _settings(_YARN)
pip_conf = _settings(_PIP)
