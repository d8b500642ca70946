"""Valid code that a grammar stumbles over, written so that it does not: byte for byte in its place, and only for the tree.

A grammar that loses its way in one signature may give up a file of thousands of lines. What stands here is asked only
of files with an error, and counts only where less of the file is broken with it.
"""

from __future__ import annotations

import re

_TYPE_OF_ALL = re.compile(rb"export(?<!\wexport)(\s{1,20})type(?=\s{1,20}\*)")
_CALL_SIGNATURE = re.compile(rb"(?m:^([ \t]{0,200})[ \t](?=<))")
"""A line of an interface that begins with type parameters: the grammar takes them for arguments of the type before."""
_IMPORTED_TYPE = re.compile(
    rb"((?:\btypeof|[:<|])\s{0,20})(import\(\s{0,20}(?:'[^'\n]{1,300}'|\"[^\"\n]{1,300}\"),?\s{0,20}\))"
)
_NO_WORD = re.compile(rb"\W")
_NAMED_USING = re.compile(rb"(?<![\w$.])using(?![\w$]|[ \t]{1,20}[\w$])")
"""A name of that word: the grammar takes it for the beginning of a declaration."""
_TYPED_TEMPLATE = re.compile(rb"(?<=[\w$])<(?>(?:[^<>`()]{1,200}|<[^<>`()]{0,100}>){1,20})>(?=`)")
"""Types between a tag and its template: the grammar takes their signs for those of a comparison."""
_NO_SPACE = re.compile(rb"\S")
_ONE_AND = re.compile(rb"(?<!&)&(?![&=])")
"""In markup and in addresses it is text; between types and numbers, `|` stands as well."""


HANDED_ON = frozenset({"type *"})
"""What holds none of these hands on no types of a module."""


def handed_on(content: bytes) -> bytes:
    """All types of a module handed on: so usual, and so cheap to tell, that no parse is spent on finding it out."""
    return _TYPE_OF_ALL.sub(lambda found: b"export" + found[1] + b"    ", content)


def typescript(content: bytes) -> bytes:
    """Signatures of calls with type parameters, types of modules and templates, all types of a module handed on, and a word that has a meaning now."""
    told = handed_on(content)
    told = _CALL_SIGNATURE.sub(lambda found: found[1] + b";", told)
    return _plainer(told)


def markup(content: bytes) -> bytes:
    """The same where markup stands, in which a line may begin with `<` for another reason, and `&` is text."""
    return _ONE_AND.sub(b"|", _plainer(handed_on(content)))


def _plainer(content: bytes) -> bytes:
    """Without types of modules and templates, and with another word for a name that opens a declaration elsewhere."""
    told = _without_imported_types(content)
    told = _NAMED_USING.sub(b"usage", told)
    return _TYPED_TEMPLATE.sub(lambda found: _NO_SPACE.sub(b" ", found[0]), told) if b">`" in told else told


def _without_imported_types(content: bytes) -> bytes:
    if b"import(" not in content:
        return content
    return _IMPORTED_TYPE.sub(lambda found: found[1] + _NO_WORD.sub(b"_", found[2]), content)


_NEGATIVE = re.compile(rb"(<|, )-(?=\d[\d_]{0,60}\s{0,20}[,>])")
_CONDITION = re.compile(rb"#\[cfg\([^\]\n]{1,300}\)\](?=\s{1,200}(?:ref\s{1,20})?(?:mut\s{1,20})?\w{1,100}\s{0,20},)")


def rust(content: bytes) -> bytes:
    """Numbers below zero that a type is given, and fields of a pattern that stand under a condition."""
    told = _NEGATIVE.sub(lambda found: found[1] + b" ", content)
    return _CONDITION.sub(lambda found: b" " * len(found[0]), told) if b"#[cfg(" in told else told


_CUT = re.compile(rb"(\$\{\w{1,100}(?:##?|%%?))((?>(?:[^\\\s}\"'`$]|\\.|\"[^\"\n`(]{0,200}\"){1,120}))(?=\})")
_SIGN = re.compile(rb"[^\w$]")


def shell(content: bytes) -> bytes:
    """Patterns that are cut off a value and hold a bracket, a brace or a quotation mark of their own."""
    return _CUT.sub(lambda found: found[1] + _SIGN.sub(b"_", found[2]), content)
