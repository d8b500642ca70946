"""Functions that a description refers to by name, for what no row can say: each is loaded when a language asks for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOOKS = {
    "bats_and_pipelines": "shell_source.preprocess",
    "commands_in_arrays": "shell_source.commands_in_arrays",
    "common_typescript": "grammar_workarounds.rewrite_common_typescript",
    "csharp_branches": "csharp_preprocessor.branch_alternatives",
    "functions_that_run_arguments": "shell_source.wrapper_functions",
    "javascript_imports": "javascript_imports.read_imports",
    "javascript_workarounds": "javascript_grammars.alternative_parses",
    "long_pipelines": "shell_source.is_slow_to_parse",
    "rust_workarounds": "grammar_workarounds.rust_alternatives",
    "shell_workarounds": "shell_source.alternative_parses",
    "typescript_or_tsx": "javascript_grammars.typescript_grammar",
    "typescript_workarounds": "javascript_grammars.typescript_alternatives",
}
_KEYWORDS = {"javascript_imports": "javascript_imports.IMPORT_KEYWORDS"}
"""Of these words a file must hold one for the hook to find anything."""


def hook_names() -> frozenset[str]:
    """All names that a description may use."""
    return frozenset(_HOOKS)


def hook(name: str) -> Any:
    """The function of that name. Raises KeyError for a name that is not known."""
    return _attribute(_HOOKS[name])


def hook_keywords(name: str) -> frozenset[str]:
    """Of these words a file must hold one for the hook to find anything; none where that is open."""
    found: frozenset[str] = _attribute(_KEYWORDS[name]) if name in _KEYWORDS else frozenset()
    return found


def _attribute(place: str) -> Any:
    module, _, name = place.partition(".")
    return getattr(import_module(f"{__package__}.{module}"), name)
