"""Valid code that a grammar stumbles over, written so that it does not: byte for byte in its place, and only for the tree.

A grammar that loses its way in one signature may give up a file of thousands of lines. What stands here is asked only
of files with an error, and counts only where less of the file is broken with it.
"""

from __future__ import annotations

import re
from typing import Any

from auditor.forensics.source_text.tree_sitter_grammars import grammar

_EXPORT_ALL_TYPES = re.compile(rb"export(?<!\wexport)(\s{1,20})type(?=\s{1,20}\*)")
_ASSERTED_FUNCTION = re.compile(rb"(?<=[\w$)\]])!(?=\()")
_CALL_SIGNATURE = re.compile(rb"(?m:^([ \t]{0,200})[ \t](?=<))")
"""A line of an interface that begins with type parameters: the grammar takes them for arguments of the type before."""
_IMPORTED_TYPE = re.compile(
    rb"((?:\btypeof|[:<|])\s{0,20})(import\(\s{0,20}(?:'[^'\n]{1,300}'|\"[^\"\n]{1,300}\"),?\s{0,20}\))"
)
_NON_WORD = re.compile(rb"\W")
_USING_AS_NAME = re.compile(rb"(?<![\w$.])using(?![\w$]|[ \t]{1,20}[\w$])")
"""A name of that word: the grammar takes it for the beginning of a declaration."""
_TYPED_TEMPLATE = re.compile(rb"(?<=[\w$])<(?>(?:[^<>`()]{1,200}|<[^<>`()]{0,100}>){1,20})>(?=`)")
"""Types between a tag and its template: the grammar takes their signs for those of a comparison."""
_NON_SPACE = re.compile(rb"\S")
_SINGLE_AMPERSAND = re.compile(rb"(?<!&)&(?![&=])")
"""In markup and in addresses it is text; between types and numbers, `|` is used as well."""


def rewrite_common_typescript(content: bytes) -> bytes:
    """All types of a module passed on, and functions said to be there, as in `run!(x)`: so cheap to recognize that no parse is spent on it."""
    told = _ASSERTED_FUNCTION.sub(b" ", content)
    return _EXPORT_ALL_TYPES.sub(lambda found: b"export" + found[1] + b"    ", told)


def rewrite_typescript(content: bytes) -> bytes:
    """Signatures of calls with type parameters, types of modules and templates, all types of a module passed on, and a word that has a meaning now."""
    told = rewrite_common_typescript(content)
    told = _CALL_SIGNATURE.sub(lambda found: found[1] + b";", told)
    return _rewrite_types_and_using(told)


def rewrite_markup(content: bytes) -> bytes:
    """The same where markup is, in which a line may begin with `<` for another reason, and `&` is text."""
    return _SINGLE_AMPERSAND.sub(b"|", _rewrite_types_and_using(rewrite_common_typescript(content)))


def _rewrite_types_and_using(content: bytes) -> bytes:
    """Without types of modules and templates, and with another word for a name that opens a declaration elsewhere."""
    told = _rewrite_imported_types(content)
    told = _USING_AS_NAME.sub(b"usage", told)
    return _TYPED_TEMPLATE.sub(lambda found: _NON_SPACE.sub(b" ", found[0]), told) if b">`" in told else told


def _rewrite_imported_types(content: bytes) -> bytes:
    if b"import(" not in content:
        return content
    return _IMPORTED_TYPE.sub(lambda found: found[1] + _NON_WORD.sub(b"_", found[2]), content)


_NEGATIVE_TYPE_ARGUMENT = re.compile(rb"(<|, )-(?=\d[\d_]{0,60}\s{0,20}[,>])")
_FIELD_CONDITION = re.compile(
    rb"#\[cfg\([^\]\n]{1,300}\)\](?=\s{1,200}(?:ref\s{1,20})?(?:mut\s{1,20})?\w{1,100}\s{0,20},)"
)


def rewrite_rust(content: bytes) -> bytes:
    """Numbers below zero that a type is given, and fields of a pattern that are under a condition."""
    told = _NEGATIVE_TYPE_ARGUMENT.sub(lambda found: found[1] + b" ", content)
    return _FIELD_CONDITION.sub(lambda found: b" " * len(found[0]), told) if b"#[cfg(" in told else told


def rust_alternatives(content: bytes) -> tuple[tuple[Any, bytes], ...]:
    """The other way to read a file that its grammar does not parse."""
    return ((grammar("tree_sitter_rust"), rewrite_rust(content)),)


_PATTERN_REMOVAL = re.compile(
    rb"(\$\{\w{1,100}(?:##?|%%?))((?>(?:[^\\\s}\"'`$]|\\.|\"[^\"\n`(]{0,200}\"){1,120}))(?=\})"
)
_NON_WORD_SIGN = re.compile(rb"[^\w$]")


def rewrite_shell(content: bytes) -> bytes:
    """Patterns that are cut off a value and hold a bracket, a brace or a quotation mark of their own."""
    return _PATTERN_REMOVAL.sub(lambda found: found[1] + _NON_WORD_SIGN.sub(b"_", found[2]), content)
