"""Paths that a source text quotes and that may be those of files named like tests: what it requires, imports, starts or includes.

Read by form, whatever the language: which of them are files, and whether that matters, is for whoever knows the tree.
"""

from __future__ import annotations

import re
from itertools import islice

MAX_PATHS = 2_000
_WORD = r"(?:[tT]est|TEST|[sS]pec|e2e|E2E|IT\.)"
_ANY_WORD = re.compile(_WORD)
_QUOTED = re.compile(rf"['\"`](?=[\w@.~+/-]{{0,200}}{_WORD})(?P<path>[\w@.~+/-]{{1,300}})['\"`]")
_JOIN_CALL = re.compile(r"\b(?:join|resolve|joinpath|Join|Path|URL)\(\s*(?P<arguments>[^()\n]{1,300})")
_PART = re.compile(r"['\"`](?P<part>[\w@.~+/-]{1,200})['\"`]")
_SPLIT_TEXT = re.compile(r"(?P<mark>['\"`])\s{0,20}\+\s{0,20}(?P=mark)")
_SPLIT_SIGN = re.compile(r"['\"`]\s?\+|\+\s?['\"`]")
"""What a text holds in which a text is put together from two."""
_RELATIVE = re.compile(r"['\"`](?P<path>\.{1,2}/[\w@.~+/-]{1,300})['\"`]")
_RUST_MODULE = re.compile(
    r"^[ \t]*(?P<conditional>#\[cfg\([^\]\n]{0,200}\btest\b[^\]\n]{0,200}\)\][ \t]*\n?[ \t]*)?(?:#\[[^\]\n]{0,200}\][ \t]*\n?[ \t]*){0,5}(?:pub(?:\([^)\n]{0,40}\))?[ \t]+)?mod[ \t]+(?P<name>\w{1,100})[ \t]*;",
    re.MULTILINE,
)


def quoted_test_paths(text: str, language: str) -> tuple[str, ...]:
    """Quoted paths that hold a word of tests, in order, each once; those joined from quoted parts are reported as one."""
    whole = _SPLIT_TEXT.sub("", text) if _SPLIT_SIGN.search(text) else text
    if _ANY_WORD.search(whole) is None:
        return ()
    found = [each["path"] for each in islice(_QUOTED.finditer(whole), MAX_PATHS)]
    if "oin" in whole or "esolve(" in whole or "Path(" in whole or "URL(" in whole:
        joined = ("/".join(_PART.findall(each["arguments"])) for each in _JOIN_CALL.finditer(whole))
        found += islice((each for each in joined if "/" in each and _ANY_WORD.search(each)), MAX_PATHS)
    if language == "rust":
        found += [each for each in _rust_modules(whole) if "test" in each]
    return tuple(dict.fromkeys(each for each in found if "/" in each or "." in each))


def quoted_relative_paths(text: str, language: str) -> tuple[str, ...]:
    """Those, and all quoted paths that begin with a dot: files beside a test-named one need not be named like tests."""
    found = [each["path"] for each in islice(_RELATIVE.finditer(text), MAX_PATHS)]
    own = _rust_modules(text) if language == "rust" else []
    return tuple(dict.fromkeys((*quoted_test_paths(text, language), *found, *own)))


def _rust_modules(text: str) -> list[str]:
    """Files of modules that are compiled into the product, too."""
    declared = (each for each in _RUST_MODULE.finditer(text) if each["conditional"] is None)
    return [f"./{each['name']}.rs" for each in islice(declared, MAX_PATHS)]
