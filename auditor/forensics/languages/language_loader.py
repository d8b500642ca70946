"""Languages made of their descriptions and rows, each when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, partial
from typing import Any, TypeVar

from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.data_flow.flow_models import followed_probes
from auditor.forensics.languages.described_languages import DESCRIPTIONS
from auditor.forensics.languages.description_rows import Description, GrammarRow, ImportLines, StringRows, TestRows
from auditor.forensics.languages.exports.export_readers import export_reader
from auditor.forensics.languages.language_hooks import hook, hook_keywords, hook_names
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.named_values import Scope
from auditor.forensics.languages.rule_loader import load_rules, shared_definitions
from auditor.forensics.languages.string_syntax import StringSyntax
from auditor.forensics.languages.test_syntax import TestSyntax
from auditor.forensics.library_models.named_patterns import UnknownName
from auditor.forensics.source_text.tree_sitter_grammars import grammar
from auditor.row_tables import read_table
from auditor.user_error import UserError, did_you_mean

_MAX_IMPORT_BYTES = 20_000
Rows = TypeVar("Rows", bound=Frozen)
Syntax = TypeVar("Syntax")


@cache
def description_of(name: str) -> Description:
    """What is said of a language."""
    path = DESCRIPTIONS / f"{name}.yaml"
    own = read_table(path, Description)
    return own if own.like is None else _extended(description_of(own.like), own)


def _extended(base: Description, own: Description) -> Description:
    """All that one description says, and for the rest what another one says."""
    said = {key: getattr(own, key) for key in own.model_fields_set}
    for key in ("hooks", "writing", "test_syntax", "data_flow"):
        if key in said and (inner := getattr(base, key)) is not None:
            said[key] = _overlaid(inner, said[key])
    return base.model_copy(update=said)


def _overlaid(base: Rows, own: Rows) -> Rows:
    """The rows of one table, and for the rest those of another: values alone, as a copy would keep what was worked out of them."""
    rows = {each: getattr(own if each in own.model_fields_set else base, each) for each in type(base).model_fields}
    return type(base).model_construct(_fields_set=base.model_fields_set | own.model_fields_set, **rows)


@cache
def load_language(name: str) -> Language:
    """A language with its rules. Raises UserError where its description or a row names what does not exist."""
    told = description_of(name)
    try:
        return _language(name, told)
    except UnknownName as error:
        raise UserError(f"{name}.yaml: {error}") from error


def _language(name: str, told: Description) -> Language:
    scope = Scope((told, shared_definitions()))
    values = _field_values(Language, told, scope)
    values |= _hooked(told, scope)
    if told.writing is not None:
        values["writing"] = _syntax(StringSyntax, told.writing, scope)
    if told.test_syntax is not None:
        values["test_syntax"] = _syntax(TestSyntax, told.test_syntax, scope)
    if told.exports is not None:
        _load_export_reader(told.exports)
    if told.like is not None:
        like = load_language(told.like)
        rules, fallible = like.rules, like.fallible_call_rules
    else:
        rules, fallible = load_rules(name, told)
    return Language(
        name=name, rules=rules, fallible_call_rules=fallible, followed_probes=followed_probes(name), **values
    )


def _load_export_reader(name: str) -> None:
    """Import it now, so that workers have it from the start."""
    try:
        export_reader(name)
    except ImportError as error:
        raise UnknownName(f"no module of `exports/` is called {name!r}.") from error


def _hooked(told: Description, scope: Scope) -> dict[str, Any]:
    """What functions add to a language."""
    given = {key: value for key in told.hooks.model_fields_set if (value := getattr(told.hooks, key)) is not None}
    unknown = sorted(set(given.values()) - hook_names())
    if unknown:
        raise UnknownName(
            f"no hook is called {unknown[0]!r}; {did_you_mean(unknown[0], sorted(hook_names()), 'see language_hooks.py.')}"
        )
    made: dict[str, Any] = {key: hook(value) for key, value in given.items()}
    if "imports" in given:
        made["imported"] = hook_keywords(given["imports"])
    if told.import_lines is not None:
        made["imports"] = partial(
            _read_import_lines, _import_pattern(told.import_lines, scope), told.import_lines.separator
        )
    if "grammar" not in made:
        if told.grammar is None:
            raise UnknownName("a language needs `grammar`.")
        made["grammar"] = partial(_only_grammar, told.grammar)
    return made


def _only_grammar(row: GrammarRow, _content: bytes) -> Any:
    return grammar(row.package, row.dialect)


def _import_pattern(told: ImportLines, scope: Scope) -> re.Pattern[str]:
    return scope.pattern(told.line)


def _read_import_lines(form: re.Pattern[str], separator: str, text: str) -> dict[str, str]:
    """Local names -> what they stand for, of the lines of a file."""
    names: dict[str, str] = {}
    for line in re.split(r"\n|(?<=;)", text[:_MAX_IMPORT_BYTES]):
        found = form.match(line)
        if found is not None:
            names[found["name"] or found["path"].rpartition(separator)[2]] = found["path"]
    return names


def _syntax(made: type[Syntax], rows: StringRows | TestRows, scope: Scope) -> Syntax:
    return made(**_field_values(made, rows, scope))


def _field_values(made: type[Any], rows: Frozen, scope: Scope) -> dict[str, Any]:
    """The fields of a dataclass that rows say something of, each as its annotation asks."""
    converters = _converters(scope)
    return {
        each.name: converters[str(each.type).removesuffix(" | None")](value)
        for each in fields(made)
        if each.name in rows.model_fields_set
        and str(each.type).removesuffix(" | None") in converters
        and (value := getattr(rows, each.name)) is not None
    }


def _converters(scope: Scope) -> Mapping[str, Callable[[Any], Any]]:
    """How plain values become what a field of some annotation holds."""
    return {
        "bool": bool,
        "str": str,
        "GrammarKinds": lambda kinds: kinds,
        "bytes": lambda text: text.encode("latin-1"),
        "re.Pattern[str]": scope.pattern,
        "re.Pattern[bytes]": scope.byte_pattern,
        "frozenset[str]": lambda names: frozenset(scope.items(names)),
        "tuple[str, ...]": scope.items,
        "tuple[str, str]": tuple,
        "tuple[bytes, ...]": lambda texts: tuple(scope.expand(each).encode("latin-1") for each in texts),
        "Mapping[str, int]": dict,
        "Mapping[str, str]": dict,
        "Mapping[str, tuple[str, str]]": dict,
    }
