"""Settings of package managers that name another place to take packages from."""

from __future__ import annotations

import re
from collections.abc import Callable

from auditor.forensics.dependencies.dependency_types import Manifest
from auditor.forensics.dependencies.package_origins import is_on_host
from auditor.lazy_regex import lazy_compile

_NPM = lazy_compile(r"^\s*registry\s*=\s*[\"']?(https?://[^\s\"']{1,300})")
_YARN = lazy_compile(r"^\s*(?:npmRegistryServer:|registry\s)\s*[\"']?(https?://[^\s\"']{1,300})")
_PIP = lazy_compile(r"^(?:\s*(?:(?:extra-)?index-url|find-links)\s*[=:]\s*|\s+)(https?://\S{1,300})")
_DEFAULT_HOSTS = ("registry.npmjs.org", "registry.yarnpkg.com", "pypi.org", "npm.pkg.github.com")


def _settings_reader(form: re.Pattern[str]) -> Callable[[str], Manifest]:
    def read(text: str) -> Manifest:
        rows = ((number, line[:500]) for number, line in enumerate(text.split("\n"), start=1))
        told = ((number, line, found[1]) for number, line in rows if (found := form.match(line)) is not None)
        return Manifest(
            "settings",
            index_lines=tuple(
                (number, line.strip()[:200]) for number, line, place in told if not is_on_host(place, _DEFAULT_HOSTS)
            ),
        )

    return read


npmrc = _settings_reader(_NPM)
"""Of `.npmrc` the registry for all packages; that of one scope is where a team keeps its own."""
yarnrc = _settings_reader(_YARN)
pip_conf = _settings_reader(_PIP)
