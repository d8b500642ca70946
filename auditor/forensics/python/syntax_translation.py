"""Python of other versions, translated into the words of the one that reads it: line for line, and only what has such words.

Many programs still hold statements of Python 2, and new ones what the running interpreter is too old for. Tree-sitter
knows them all; each such piece is replaced where it stands, so that the file can be parsed as a whole. Parameters of
types, which have no other words, are left out. Where every piece means the same in the words of this version, the
translation is exact and the file counts as read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from auditor.forensics.source_text.syntax_trees import get_parser, parse_tree
from auditor.forensics.source_text.tree_sitter_grammars import grammar

if TYPE_CHECKING:
    from tree_sitter import Node, Query


class Edit(NamedTuple):
    """Where a piece begins and ends, and what replaces it."""

    start: int
    end: int
    text: bytes
    is_exact: bool = False
    """Does it mean the same as the piece in every respect that can be asked for?"""


@dataclass(frozen=True)
class Translation:
    """A source in the syntax of this interpreter, line for line."""

    source: str
    is_exact: bool
    """Was nothing left out and nothing changed in its meaning?"""


_MAX_EDITS = 20_000
_MAX_QUERY_MATCHES = 10_000
_QUERY_SOURCE = r"""
(print_statement) @print
(exec_statement) @exec
(except_clause) @except
(raise_statement (expression_list)) @raise
(comparison_operator "<>" @unlike)
((integer) @number (#match? @number "^0[0-9]|[lL]$"))
((string (string_start) @start) @quoted (#match? @start "^([`tT]|[uU][rR]|[rR][tT])"))
(string (interpolation)) @woven
(type_alias_statement) @alias
(function_definition type_parameters: (_) @types)
(class_definition type_parameters: (_) @types)
(parameters (tuple_pattern) @unpacked)
(lambda_parameters (tuple_pattern) @unpacked)
"""


def translate_source(source: str) -> Translation | None:
    """The source in the syntax of this interpreter; None where it is broken or needs no translation."""
    import tree_sitter

    raw = source.encode("utf-8", errors="replace")
    root = parse_with_tree_sitter(raw)
    if root is None or (root.has_error and not _errs_in_type_parameters_only(root)):
        return None
    found = tree_sitter.QueryCursor(_query(), match_limit=_MAX_QUERY_MATCHES).captures(root)
    if not 0 < sum(len(each) for each in found.values()) <= _MAX_EDITS:
        return None
    edits = [edit for name, rewrite in _REWRITERS.items() for node in found.get(name, ()) for edit in rewrite(node)]
    put = _apply_edits(raw, edits)
    if put.count(b"\n") != raw.count(b"\n"):
        return None
    return Translation(put.decode("utf-8", errors="replace"), all(each.is_exact for each in edits))


def _errs_in_type_parameters_only(root: Node) -> bool:
    """Are all errors in parameters of types, which are left out? The grammar does not know their defaults (`class Box[T = int]`)."""
    waiting = [root]
    for _ in range(_MAX_NESTED_NODES):
        if not waiting:
            return True
        node = waiting.pop()
        if node.is_error or node.is_missing:
            return False
        heads = node.named_children[:1] if node.type == "type_alias_statement" else ()
        left_out = {each.id for each in (*heads, node.child_by_field_name("type_parameters")) if each is not None}
        broken = [each for each in node.children if each.has_error]
        if any(each.id in left_out and each.end_byte - each.start_byte > _MAX_PARAMETER_BYTES for each in broken):
            return False
        waiting += [each for each in broken if each.id not in left_out]
    return False


_MAX_PARAMETER_BYTES = 500
"""Of broken parameters of types that are left out; a query takes long for a large error."""


@lru_cache(maxsize=1)  # asked for by who puts a file in other words, and then by who reads it in pieces
def parse_with_tree_sitter(raw: bytes) -> Node | None:
    """What tree-sitter makes of a source; None where that would take longer than for any that people write.

    At every line of a comment it looks ahead to the end of all that follow, and the same of lines that go on behind a
    backslash: of many in a row the comments are blanked, which moves nothing, and too many of the others are not read.
    """
    if sum(map(_lookahead_cost, _CONTINUED_LINES.finditer(raw))) > _MAX_CONTINUATION_COST:
        return None
    plain = _COMMENTS.sub(_blank_if_costly, raw)
    return get_parser(grammar("tree_sitter_python")).parse(plain).root_node if _is_parsed_in_time(plain) else None


def _is_parsed_in_time(raw: bytes) -> bool:
    """Does tree-sitter recover from errors in time? Only incremental parsing can be cancelled."""
    return parse_tree(get_parser(grammar("tree_sitter_python")), raw, _MAX_PARSE_SECONDS) is not None


_DEFAULT_OF_TYPE = re.compile(
    r"(?m)^[ \t]{0,200}(?:class|(?:async[ \t]{1,9})?def|type)[ \t]{1,9}\w{1,200}[ \t]?\[[^\]\n]{0,500}?="
)
"""The head of a class, function or alias with a default for a parameter of a type."""
_COMMENTS = re.compile(rb"(?m)(?:^[ \t\f]*+(?:#[^\n]*+)?\n)+")
_CONTINUED_LINES = re.compile(rb"(?m)(?:^[^\n]*+(?<=\\)\n(?>(?:[ \t\f]*+(?:#[^\n]*+)?\n)*))+")
_LINE_CHARACTER = re.compile(rb"[^\n]")
_MAX_PARSE_SECONDS = 1.0
"""Of the processor, ten times what a file of the largest size takes that one statement breaks."""
_MAX_COMMENT_COST, _MAX_CONTINUATION_COST = 100_000, 5_000_000
"""Lines times bytes: of comments in a row that are left as they are, and of all lines that go on."""


def _lookahead_cost(found: re.Match[bytes]) -> int:
    return found[0].count(b"\n") * len(found[0])


def _blank_if_costly(found: re.Match[bytes]) -> bytes:
    return _LINE_CHARACTER.sub(b" ", found[0]) if _lookahead_cost(found) > _MAX_COMMENT_COST else found[0]


@cache
def _query() -> Query:
    import tree_sitter

    return tree_sitter.Query(grammar("tree_sitter_python"), _QUERY_SOURCE)


def _apply_edits(raw: bytes, edits: list[Edit]) -> bytes:
    """The source with all pieces replaced; of two that overlap the first."""
    pieces, place = [], 0
    for each in sorted(set(edits)):
        if each.start < place:
            continue
        pieces += [raw[place : each.start], each.text]
        place = each.end
    return b"".join([*pieces, raw[place:]])


def _rewrite_print(node: Node) -> Iterator[Edit]:
    """`print >>out, text` becomes `print(text, file=out)`."""
    word, *given = node.children
    chevron = given[0] if given and given[0].type == "chevron" else None
    yield Edit(word.end_byte, _after_space(node, word), b"(")
    into = b""
    if chevron is not None and chevron.named_children:
        rest = next((each for each in given if each.type == ","), None)
        yield Edit(chevron.start_byte, rest.end_byte if rest is not None else chevron.end_byte, b"")
        into = b"file=" + (chevron.named_children[0].text or b"")
        into = b", " + into if len(given) > 2 and given[-1].type != "," else b" " + into
    yield Edit(node.end_byte, node.end_byte, into + b")")


def _after_space(node: Node, word: Node) -> int:
    """Where what follows a word begins, as far as it is on the same line."""
    following = next((each for each in node.children if each.start_byte >= word.end_byte), None)
    near = following is not None and following.start_point[0] == word.end_point[0]
    return following.start_byte if following is not None and near else word.end_byte


def _rewrite_exec(node: Node) -> Iterator[Edit]:
    """`exec code in names` becomes `exec(code, names)`."""
    word = node.children[0]
    yield Edit(word.end_byte, _after_space(node, word), b"(")
    for each in node.children:
        if each.type == "in":
            yield Edit(each.start_byte, each.end_byte, b",")
    yield Edit(node.end_byte, node.end_byte, b")")


def _rewrite_except(node: Node) -> Iterator[Edit]:
    """`except A, b:` becomes `except (A, b):`, which says the same of what is caught in every version."""
    types = [each.type for each in node.children]
    if "," not in types or ":" not in types:
        return
    head = [each for each in node.children[1 : types.index(":")] if each.type not in {"as", "comment"}]
    if len(head) > 1 and "as" not in types and head[0].type != "(":
        yield Edit(head[0].start_byte, head[0].start_byte, b"(", is_exact=True)
        yield Edit(head[-1].end_byte, head[-1].end_byte, b")", is_exact=True)


def _rewrite_raise(node: Node) -> Iterator[Edit]:
    """`raise Error, text` becomes `raise Error`."""
    several = node.named_children[0]
    comma = next((each for each in several.children if each.type == ","), None)
    if comma is not None:
        yield Edit(comma.start_byte, node.end_byte, _blank_lines(several, comma.start_byte, node.end_byte))


def _blank_lines(node: Node, start: int, end: int) -> bytes:
    """As many lines as there were."""
    held = (node.text or b"")[start - node.start_byte : end - node.start_byte]
    return b"\\\n" * held.count(b"\n")


def _rewrite_number(node: Node) -> Iterator[Edit]:
    """`0777` becomes `0o777`, `10L` becomes `10`."""
    written = (node.text or b"").rstrip(b"lL")
    octal = re.fullmatch(rb"0+([0-7]+)", written)
    yield Edit(node.start_byte, node.end_byte, b"0o" + octal[1] if octal else written.lstrip(b"0") or b"0")


def _rewrite_quotes(node: Node) -> Iterator[Edit]:
    """Quotes that stand for `repr`, and letters before a text that are gone or not yet known."""
    first, last = node.children[0], node.children[-1]
    letters = first.text or b""
    if letters == b"`":
        yield Edit(first.start_byte, first.end_byte, b"(")
        yield Edit(last.start_byte, last.end_byte, b")")
        return
    known = letters.lower().replace(b"t", b"f").replace(b"u", b"")
    yield Edit(first.start_byte, first.end_byte, known)


_WHITESPACE_ESCAPES = (rb"\n", rb"\r", rb"\t")
"""Escapes for which a blank stands well enough."""
_OTHER_QUOTE = {b'"': b"'", b"'": b'"'}


def _rewrite_f_string(node: Node) -> Iterator[Edit]:
    """`f"{a["b"]}"` becomes `f"{a['b']}"`: quotes of the text itself, and marks, may be in newer ones."""
    quote = node.children[-1].text or b""
    if quote not in _OTHER_QUOTE:
        return
    for each in _interpolation_nodes(node):
        if each.type == "escape_sequence":
            yield Edit(each.start_byte, each.end_byte, b" ", is_exact=each.text in _WHITESPACE_ESCAPES)
        elif each.type in {"string_start", "string_end"} and (each.text or b"").endswith(quote):
            yield Edit(
                each.start_byte, each.end_byte, (each.text or b"").replace(quote, _OTHER_QUOTE[quote]), is_exact=True
            )


_MAX_NESTED_NODES = 400


def _interpolation_nodes(node: Node) -> Iterator[Node]:
    """What is in the places of a text into which values are put."""
    waiting = [each for each in node.named_children if each.type == "interpolation"]
    for _ in range(_MAX_NESTED_NODES):
        if not waiting:
            return
        each = waiting.pop()
        yield each
        waiting += each.children


def _rewrite_type_alias(node: Node) -> Iterator[Edit]:
    """`type Names[T] = list[T]` becomes `Names = list[T]`: what is behind the sign may be run, if late."""
    left, *_, right = node.named_children
    name = left.named_children[0] if left.named_children else left
    name = name.named_children[0] if name.type == "generic_type" else name
    if len(node.named_children) == 2 and left.start_point[0] == right.start_point[0] == node.start_point[0]:
        yield Edit(node.start_byte, right.start_byte, (name.text or b"") + b" = ", is_exact=True)
    else:
        yield Edit(node.start_byte, node.end_byte, b"pass" + b"\n" * (node.text or b"").count(b"\n"))


def _remove_type_parameters(node: Node) -> Iterator[Edit]:
    """`class Box[T: int]` becomes `class Box`. Bounds of types are run when somebody asks for them, so one with a call is no exact loss."""
    if b"\n" not in (node.text or b""):
        yield Edit(node.start_byte, node.end_byte, b"", is_exact=not _runs_something(node))


def _runs_something(node: Node) -> bool:
    """Is anything called in it, as far as the grammar knows it?"""
    if node.has_error and b"(" in (node.text or b""):
        return True
    waiting = [node]
    for _ in range(_MAX_NESTED_NODES):
        if not waiting:
            return False
        each = waiting.pop()
        if each.type in {"call", "await", "named_expression"}:
            return True
        waiting += each.children
    return True


def _rewrite_tuple_parameter(node: Node) -> Iterator[Edit]:
    """`def f(a, (b, c)):` becomes `def f(a, b, c):`."""
    for each in (node.children[0], node.children[-1]):
        if each.type in {"(", ")"}:
            yield Edit(each.start_byte, each.end_byte, b" ")


def _rewrite_not_equal(node: Node) -> Iterator[Edit]:
    yield Edit(node.start_byte, node.end_byte, b"!=")


_REWRITERS: dict[str, Callable[[Node], Iterator[Edit]]] = {
    "print": _rewrite_print, "exec": _rewrite_exec, "except": _rewrite_except, "raise": _rewrite_raise, "unlike": _rewrite_not_equal, "number": _rewrite_number,
    "quoted": _rewrite_quotes, "woven": _rewrite_f_string, "alias": _rewrite_type_alias, "types": _remove_type_parameters, "unpacked": _rewrite_tuple_parameter,
}  # fmt: skip
"""What each piece becomes."""
