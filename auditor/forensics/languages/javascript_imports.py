"""Which names of a JavaScript or TypeScript file stand for modules and their members."""

from __future__ import annotations

import re

from auditor.forensics.languages.keyword_gated_patterns import PatternSearch

_IMPORT = PatternSearch(
    re.compile(
        r"\bimport\b\s*+(?>(?:type\s++(?!from\b))?)((?>(?:[\w$]{1,100}+\s*+(?>(?:,\s*+)?))?)(?>(?:\*\s*+as\s++[\w$]{1,100}+\s*+|\{[^{};'\"]{0,2000}+\}\s*+)?))from\s*+['\"](?:node:)?([^'\"\n]{1,200})['\"]"
    )
)
_REQUIRE = PatternSearch(
    re.compile(
        r"\b(?:const|let|var)\s+(\{[^}]{0,1000}\}|\w+)\s*=\s*(?:(?:require\(['\"](?:node:)?util['\"]\)\.|\w+\.)?promisify\(\s*)?(?:await\s+import|require)\(\s*['\"](?:node:)?([^'\"\n]{1,200})['\"]\s*\)(?:\.(\w+))?"
    )
)
_ALIAS = PatternSearch(
    re.compile(r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:(?:util\.)?promisify\(\s*)?(\w+(?:\.\w+)?)\s*\)?\s*(?:;|\n|$)")
)
_EVAL_BY_ANOTHER_NAME = re.compile(
    r"\b(?:const|let|var)\s+(\w+)\s*=\s*(?:\(0,\s*)?(?:(?:globalThis|window|global|self|root)\.)?(eval|Function)\)?\s*(?:;|\n|$)|\b(?:const|let|var)\s+(\w+)\s*=\s*(?:Object|Reflect)\.getPrototypeOf\(\s*(?:async\s*)?(?:function\s*\*?\s*\(\)|\(\)\s*=>)\s*\{\s*\}\s*\)\.constructor\b"
)
"""Another name for what runs text."""
_OTHER_NAMES = ("= eval", ".eval", ", eval)", ".getPrototypeOf(async")
"""What a file holds that gives such a name."""
_EVAL_ALIAS_END = PatternSearch(re.compile(r"(?:eval|Function)\)?\s*(?:;|\n|$)|getPrototypeOf\("))
"""The same where it is not called at once, as most are."""
_IMPORT_EQUALS = PatternSearch(
    re.compile(r"\bimport\s+(\w+)\s*=\s*require\(\s*['\"](?:node:)?([^'\"\n]{1,200})['\"]\s*\)")
)
_IMPORT_THEN = PatternSearch(
    re.compile(
        r"\bimport\(\s*['\"](?:node:)?([^'\"\n]{1,200})['\"]\s*\)\s*\.then\(\s*(?:async\b\s*)?(?:function\b\s*\w*\s*)?\(?\s*(\{[^{}]{0,1000}\}|\w+)\s*(?:\)|=>)"
    )
)
"""A module that is loaded when it is needed, and the name or the names that it is given."""
_MODULES = (
    "child_process", "crypto", "vm", "shelljs", "node-serialize", "cross-spawn", "execa", "child-process-promise", "promisify-child-process", "node-cmd", "vm2", "mathjs", "safe-eval", "safer-eval", "notevil", "static-eval", "expression-eval", "node-eval", "angular-expressions", "jexl",
    "serialize-to-js", "funcster", "cryo", "md5", "blueimp-md5", "js-md5", "sha1", "js-sha1", "ts-md5", "crypto-js", "crypto-js/md5", "crypto-js/sha1", "axios", "module",
    "jssha", "hash.js", "apache-md5", "gulp-shell", "node-pty", "@actions/exec", "spark-md5", "object-hash", "hasha", "sha.js", "@noble/hashes/legacy", "@noble/hashes/legacy.js", "@noble/hashes/sha1", "ky", "got", "superagent", "node-fetch", "undici", "needle", "request",
    "request-promise", "request-promise-native", "require-from-string", "ejs", "pug", "nunjucks", "lodash", "ssh2", "node-ssh", "ssh2-promise",
)  # fmt: skip
_KNOWN_MODULE_IMPORT = PatternSearch(
    re.compile(rf"\b(?:from|require\(|import\()\s*['\"](?:node:)?(?:{'|'.join(map(re.escape, _MODULES))})['\"]")
)
IMPORT_KEYWORDS = frozenset(
    (*_OTHER_NAMES, *(f"{before}{module}{behind}" for module in _MODULES for before in "'\":" for behind in "'\""))
)
"""What a file must contain for its imports to matter."""
_EQUIVALENT_MODULES = {
    "child-process-promise": "child_process",
    "promisify-child-process": "child_process",
    "request-promise": "request",
    "request-promise-native": "request",
    "@noble/hashes/legacy.js": "@noble/hashes/legacy",
}
"""Modules that are called like another one."""


def read_imports(text: str) -> dict[str, str]:
    """Local names of the modules that rules name, and of functions that run text."""
    names = _eval_aliases(text) if any(map(text.__contains__, _OTHER_NAMES)) and _EVAL_ALIAS_END.occurs(text) else {}
    bare = _BINDING_START.sub(_without_comments, text) if "//" in text or "/*" in text else text
    if bare != text:  # what only looks like a comment may hide an import, so the text is also read unchanged
        names = _bound_names(bare, names)
    return _bound_names(text, names)


_COMMENT = r"/\*(?>(?:[^*]++|\*(?!/))*)(?>(?:\*/)?)|//[^\n]*+"
_COMMENTS = re.compile(_COMMENT)
_BINDING_START = re.compile(
    rf"\b(?:import|const|let|var)\b(?>(?:[^;'\"/]++|{_COMMENT}|/)*)(?>(?:['\"][^'\"\n]{{1,200}}+['\"](?>(?:\s++|{_COMMENT})*))?)"
)
"""A statement that may bind a module, and the comments behind the first text in it; it fits wherever it begins, so no place is tried twice."""


def _without_comments(found: re.Match[str]) -> str:
    return _COMMENTS.sub(" ", found[0]) if "//" in found[0] or "/*" in found[0] else found[0]


def _bound_names(text: str, names: dict[str, str]) -> dict[str, str]:
    """Those names and what imports bind."""
    if not _KNOWN_MODULE_IMPORT.occurs(text):
        return names
    for bound, module in (found.groups() for found in _IMPORT_EQUALS.fits(text)):
        names[bound] = _EQUIVALENT_MODULES.get(module, module)
    for bound, module in (found.groups() for found in _IMPORT.fits(text)):
        _add_bindings(bound, module, names)
    required = "require(" in text or "import(" in text
    for bound, module, member in (found.groups() for found in _REQUIRE.fits(text)) if required else ():
        _add_bindings(bound, f"{module}.{member}" if member and member != "default" else module, names)
    for module, bound in (found.groups() for found in _IMPORT_THEN.fits(text)) if "import(" in text else ():
        _add_bindings(bound, module, names)
    for name, target in (found.groups() for found in _ALIAS.fits(text)) if names else ():
        head, mark, rest = target.partition(".")
        if head in names and name not in names:
            names[name] = f"{names[head]}{mark}{rest}"
    return names


def _eval_aliases(text: str) -> dict[str, str]:
    """Names that are given `eval`, or what makes functions of text."""
    return {found[1] or found[3]: found[2] or "Function" for found in _EVAL_BY_ANOTHER_NAME.finditer(text)}


def _add_bindings(bound: str, module: str, names: dict[str, str]) -> None:
    module = _EQUIVALENT_MODULES.get(module, module)
    braces = re.search(r"\{([^}]*)\}", bound)
    for each in (braces[1] if braces else "").split(","):
        parts = re.split(r"\s+as\s+|\s*:\s*", each.strip())
        if parts[0].isidentifier():
            names[parts[-1].strip()] = module if parts[0] == "default" else f"{module}.{parts[0]}"
    rest = re.sub(r"\{[^}]*\}", "", bound)
    for each in rest.split(","):
        name = each.replace("* as", "").strip()
        if name.isidentifier():
            names[name] = module
