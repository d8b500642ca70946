"""What is wrong with the descriptions and rows of languages, beyond what their schema says: each mistake with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, get_args, get_origin, get_type_hints

import yaml

from auditor import strict_yaml
from auditor.domain.frozen_model import Frozen
from auditor.forensics.languages.description_rows import Description
from auditor.forensics.languages.grammar_names import GrammarName
from auditor.forensics.languages.language_loader import description_of
from auditor.forensics.languages.named_values import PROVIDED_PATTERNS, Definitions
from auditor.forensics.languages.rule_rows import QuestionFile
from auditor.forensics.source_text.tree_sitter_grammars import grammar

SECTIONS = ("calls", "fallible_calls", "values", "handlers", "nodes")
TABLES = ("statements", "reasons", "patterns", "lists", "conditions", "results")
_NAME = re.compile(r"(?<!\\)\{([a-z]\w*)\}")
_NUMBER = re.compile(r"(?:-?\d)?")
_WORD = re.compile(r"[a-z]\w*")
_ROW = re.compile(r"^    - languages: \[[^\]\n]*\]\n", re.MULTILINE)
KeyPath = tuple[str | int, ...]


def description_mistakes(text: str, origin: str) -> list[str]:
    """Node kinds and fields that the grammar does not have, and lists out of order."""
    told, lines = strict_yaml.parse_with_lines(Description, text, origin)
    mistakes = list(_order_of_definitions(told, ()))
    base = description_of(told.like) if told.like is not None else told
    row = told.grammar or base.grammar
    if row is None:
        return [lines.mistake((), "a language needs `grammar`.")]
    known = grammar(row.package, row.dialect)
    for path, name, what in _grammar_names(Description, told, ()):
        if what is GrammarName.NODE_KIND and not any(known.id_for_node_kind(name, named) for named in (True, False)):
            mistakes.append((path, f"the grammar has no node kind {name!r}."))
        elif path == ("arguments",) and known.id_for_node_kind(name, True) is not None:
            continue  # the kind of the part, where the grammar has it in no field
        elif what is GrammarName.FIELD and not _NUMBER.fullmatch(name) and known.field_id_for_name(name) is None:
            mistakes.append((path, f"the grammar has no field {name!r}."))
    return [lines.mistake(path, sentence) for path, sentence in mistakes]


def _grammar_names(model: type[Frozen], held: Frozen, around: KeyPath) -> Iterator[tuple[KeyPath, str, GrammarName]]:
    """Every text that has to be in the grammar, and where it is written."""
    hints = get_type_hints(model, include_extras=True)
    for name, field in model.model_fields.items():
        if name in held.model_fields_set:
            yield from _names_in(hints[name], getattr(held, name), (*around, field.alias or name))


def _names_in(hint: Any, value: Any, path: KeyPath) -> Iterator[tuple[KeyPath, str, GrammarName]]:
    what = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, GrammarName)), None)
    if what is not None:
        yield path, value, what
    elif isinstance(value, Frozen):
        yield from _grammar_names(type(value), value, path)
    elif isinstance(value, Mapping):
        kind_hint, field_hint = next(get_args(each) for each in _alternatives(hint) if get_origin(each) is dict)
        for key, inner in value.items():
            yield from _names_in(kind_hint, key, (*path, key))
            yield from _names_in(field_hint, inner, (*path, key))
    elif isinstance(value, tuple):
        inner_hint = next(get_args(each)[0] for each in _alternatives(hint) if get_origin(each) is tuple)
        for number, inner in enumerate(value):
            yield from _names_in(inner_hint, inner, (*path, number))
    elif isinstance(value, frozenset):
        for inner in sorted(value):
            yield from _names_in(get_args(hint)[0], inner, path)


def _alternatives(hint: Any) -> Sequence[Any]:
    return [hint] if get_origin(hint) in (dict, tuple) else get_args(hint)


def row_mistakes(text: str, origin: str) -> list[str]:
    """Rows out of order, languages without a description or a source, node kinds that a grammar does not have, and names that nothing uses."""
    file, lines = strict_yaml.parse_with_lines(QuestionFile, text, origin)
    rows = file.other_languages
    held: list[tuple[KeyPath, Any]] = [
        (("other_languages", section, number), row)
        for section in SECTIONS
        for number, row in enumerate(getattr(rows, section))
    ]
    mistakes = list(_order_of_definitions(rows, ("other_languages",)))
    if len(_ROW.findall(text)) != len(held):
        mistakes.append((("other_languages",), "each row begins with `- languages: [...]`, four spaces deep."))
    named = {language for _, row in held for language in row.languages}
    mistakes += [
        (("other_languages", "sources"), f"no source for {each!r}.") for each in sorted(named - rows.sources.keys())
    ]
    mistakes += [
        (("other_languages", "sources", each), f"no row is for {each!r}.")
        for each in sorted(rows.sources.keys() - named)
    ]
    for before, (path, after) in pairwise(held):
        if before[0][1] == path[1] and after.languages < before[1].languages:
            mistakes.append((path, f"rows are sorted by language: {after.languages} before {before[1].languages}."))
    for path, row in held:
        mistakes += [(path, sentence) for sentence in _unknown_kinds(row)]
    return [lines.mistake(path, sentence) for path, sentence in [*mistakes, *_unused(text, rows)]]


def _unknown_kinds(row: Any) -> Iterator[str]:
    """Node kinds of a row that the grammar of a language does not have."""
    conditions = [
        each for name in ("when", "unless") for each in (getattr(row, name, None) or ()) if not isinstance(each, str)
    ]
    kinds = {*getattr(row, "kinds", ()), *(kind for each in conditions for kind in each.kinds)}
    for language in row.languages:
        told = description_of(language).grammar
        assert told is not None
        known = grammar(told.package, told.dialect)
        yield from (
            f"the grammar of {language} has no node kind {kind!r}."
            for kind in sorted(kinds)
            if known.id_for_node_kind(kind, True) is None
        )


def _order_of_definitions(told: Definitions, around: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    for table in TABLES:
        for before, after in pairwise(getattr(told, table)):
            if after < before:
                yield (*around, table, after), f"names are sorted: {after!r} belongs before {before!r}."


def _unused(text: str, rows: Definitions) -> Iterator[tuple[KeyPath, str]]:
    """Names that nothing in the file uses."""
    used = names_used(yaml.safe_load(text)["other_languages"])
    for table in TABLES:
        for name in getattr(rows, table):
            if name not in used:
                yield ("other_languages", table, name), f"nothing uses {name!r}."


def names_used(data: Any) -> set[str]:
    """All names that some value refers to."""
    if isinstance(data, dict):
        return {name for value in data.values() for name in names_used(value)}
    if isinstance(data, list):
        return {name for value in data for name in names_used(value)}
    if not isinstance(data, str):
        return set()
    return {*_NAME.findall(data), *([data] if _WORD.fullmatch(data) else [])} - PROVIDED_PATTERNS.keys()
