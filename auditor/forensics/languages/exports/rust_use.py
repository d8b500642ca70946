"""What a `use` declaration of Rust names."""

from __future__ import annotations

import re

from auditor.lazy_regex import lazy_compile

MAX_ITEMS = 2_000

_USE_ITEM = lazy_compile(r"(?:(?P<path>[\w:]+)::)?(?P<last>\w+|\*)(?:\s+as\s+(?P<alias>\w+))?$")


def used_names(declaration: str) -> dict[str, str]:
    """Path of each item that a `use` names -> its local name; `*` for all of a module."""
    text = re.sub(r"^(?:pub\s+)?use\s+", "", declaration).rstrip("; ")
    found: dict[str, str] = {}
    prefixes: list[str] = [""]
    for part in re.findall(r"[^{},]*\{|[^{},]+|\}", text)[:MAX_ITEMS]:
        said = part.strip()
        if said == "}":
            prefixes = prefixes[:-1] or [""]
        elif said.endswith("{"):
            prefixes.append(prefixes[-1] + said[:-1].strip())
        elif item := _USE_ITEM.match(said):
            whole = prefixes[-1] + said.partition(" as ")[0].strip()
            last = whole.removesuffix("::self").rpartition("::")[2]
            found[whole.removesuffix("::self")] = item["alias"] or last
    return found
