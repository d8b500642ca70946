"""Which calls of a file are worth following: decided by names alone, before anything is lowered.

Most files name no untrusted input beside a dangerous call; of the others only few calls matter.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from auditor.forensics.languages.called_names import last_callee_part
from auditor.forensics.languages.data_flow.effective_calls import INDIRECT_CALLS, VARIABLE_FUNCTION
from auditor.forensics.languages.data_flow.expressions import Call, Collection, Entry, Expression, Member, Name, Text
from auditor.forensics.languages.data_flow.flow_models import LanguageModels, Sink
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.row_vocabulary import SinkPart
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.languages.grammar_kinds import GrammarKinds
from auditor.forensics.languages.parsed_file import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

_NEIGHBOURS = re.compile(
    r"(?:from|require\(?|require_relative|import)\s{0,4}\(?[\"']\.{0,2}[\w/]|^package\s|^using\s+[A-Z]|\b(?:require|include)(?:_once)?\b[^;\n\"']{0,60}[\"'][\w./-]{1,120}\.php|^\s{0,8}(?:pub\s)?mod\s\w{1,60};|^\s{0,8}(?:pub\s)?use\s(?:crate|super|self)::|^\s{0,8}(?:(?:public|final|abstract|sealed)\s{1,9}){0,3}(?:class|record|enum)\s[A-Z]",
    re.MULTILINE,
)
"""What a file holds that may call functions of other files of the repository."""
_RENAMING = re.compile(
    r"(?<![\w.])(\w{2,60})\s{1,4}as\s{1,4}(\w{1,60})(?=\s{0,4}[,;}\n])|^\s{0,8}(?:global\s)?using\s{1,4}(\w{1,60})\s{0,4}=\s{0,4}(?:\w{1,60}\.){0,8}(\w{1,60});",
    re.MULTILINE,
)
"""`readFile as read`, `using Files = System.IO.File;`"""
_GIVEN = re.compile(r"[:=]\s{0,4}(?:\w{1,60}\.){1,4}(\w{2,60})(?=\s{0,4}[,;}\n])")
"""`html: pug.render`, `run = exec.Command`: a function of a module that is given another name."""
_GIVEN_NAME = re.compile(r"([\w$]{1,60})[\"']?\s{0,4}:?$")
_MAX_RENAMED = 100
_MAX_GIVEN = 2_000
_MAX_NAME = 70
_PACKAGE_SIGNS = (".", "::", "\\")
"""What languages write between the parts of a package."""
_WORD = re.compile(rb"[A-Za-z_$][\w$]*")
_MAX_VALUE_BYTES = 400
_ROUNDS = 3
"""Assignments from one name to the next that are followed."""
_MAX_OCCURRENCES = 300
_LITERAL_MODULE = re.compile(rb"\s*['\"`][^'\"`\n$]*['\"`]\s*[),]")
_LOADERS = frozenset({"require", "import"})
_MAX_CALLS = 4_000
_CLOSING = ord(")")
_NOT_A_NAME = (b")", b"]", b"}")


@dataclass(frozen=True)
class Relevance:
    """Does a file take in untrusted input, may it hide calls, and which callees are dangerous by their own name?"""

    takes_in: bool
    hides: bool
    hides_query: bool
    asks: bool
    """May a dangerous call be given what a function of another file returns?"""
    named: tuple[Node, ...]


def relevance(file: ParsedFile, models: LanguageModels) -> Relevance:
    """What is worth following in a file."""
    kinds = file.language.data_flow
    said = models.search.standing(file.latin1_source)
    plain, query = models.hiding_forms
    hides_query = file.has_query_text and _fits(file, query, said)
    hides = hides_query or _fits(file, plain, said)
    takes_in, downloads = (not said.isdisjoint(each) for each in (models.passing.words, models.passing.download_words))
    near = file.follows_neighbours and _NEIGHBOURS.search(file.latin1_source) is not None
    renamed = _renamed(file, kinds, models.sinks_by_last_part) if takes_in or downloads or hides or near else {}
    takes_in = takes_in or (downloads and _runs_downloads(file, models, renamed))
    named: list[Node] = []
    asks = near and not takes_in
    if takes_in or hides or asks:
        for last in _likely_words(file, models, renamed):
            for each in (last, *renamed.get(last, ())):
                nodes = file.called.get(each, ())
                named += nodes if each not in _LOADERS else [one for one in nodes if _loads_by_value(file, one)]
        if VARIABLE_FUNCTION in models.sinks_by_name:
            named += [each for each in file.callees if _is_computed(file.source, each)]
            named += [each for name in models.passing.callback_calls for each in file.called.get(name, ())]
    shells = takes_in and not said.isdisjoint({"`", "%x"}) and "`" in models.sinks_by_name
    sets = takes_in and any(each.rstrip("=").encode() in file.source for each in models.setting_names)
    keywords = (
        takes_in
        and kinds is not None
        and any(each.partition("_")[0] in file.latin1_source for each in kinds.keyword_calls)
    )
    called = bool(named) or shells
    follows = takes_in and (called or sets or keywords or near or hides)
    return Relevance(follows, hides, hides_query, asks and called, tuple(named))


def _runs_downloads(file: ParsedFile, models: LanguageModels, renamed: Mapping[str, list[str]]) -> bool:
    """Does a file that asks a server also name a call that may run the answer?"""
    likely = _likely_words(file, models, renamed)
    return any(last in models.download_sinks and last not in _LOADERS for last in likely)


def _is_computed(source: bytes, callee: Node) -> bool:
    """Is what is called a variable, or what another call gives: `$f`, `strrev("metsys")`?"""
    return source[callee.start_byte : callee.start_byte + 1] in {b"$", b"("} or source[callee.end_byte - 1] == _CLOSING


def _fits(file: ParsedFile, forms: Mapping[str, re.Pattern[str]], said: frozenset[str]) -> bool:
    """Does any of the patterns match the file? A pattern is searched only if the file contains its word."""
    return any(word in said and form.search(file.latin1_source) is not None for word, form in forms.items())


def _loads_by_value(file: ParsedFile, callee: Node) -> bool:
    """Is a module loaded by a name that is not written out?"""
    start = callee.end_byte
    return _LITERAL_MODULE.match(file.source, start + 1, start + _MAX_VALUE_BYTES) is None


def _renamed(file: ParsedFile, kinds: GrammarKinds | None, dangerous: Container[str]) -> dict[str, list[str]]:
    """Names with those that the file gives them: as it imports them, in tables, or in capitals where these do not count."""
    found: dict[str, list[str]] = {}
    for each in islice(_RENAMING.finditer(file.latin1_source), _MAX_RENAMED):
        name, other = (each[1], each[2]) if each[1] else (each[4], each[3])
        found.setdefault(name, []).append(other)
    source = file.latin1_source
    for each in islice(_GIVEN.finditer(source), _MAX_GIVEN):
        held = _GIVEN_NAME.search(source, max(0, each.start() - _MAX_NAME), each.start())
        if held is not None and each[1] in dangerous:
            found.setdefault(each[1], []).append(held[1])
    for called in file.called if kinds is not None and kinds.caseless_calls else ():
        if called.lower() != called:
            found.setdefault(called.lower(), []).append(called)
    return found


def _likely_words(file: ParsedFile, models: LanguageModels, renamed: Mapping[str, list[str]]) -> Iterator[str]:
    """Last parts of dangerous calls of which the file also names what they belong to."""
    for last, rows in models.sinks_by_last_part.items():
        is_called = last in file.called or any(each in file.called for each in renamed.get(last, ()))
        if is_called and any(_may_be_meant(file, sink, head) for sink, head in rows):
            yield last


def _may_be_meant(file: ParsedFile, sink: Sink, head: str) -> bool:
    if sink.part is SinkPart.QUERY:
        return file.has_query_text or (not sink.needs_text and _names_any(file, sink.requires))
    if sink.requires and not _names_any(file, sink.requires):
        return False
    return not head or head.encode() in file.source


def _names_any(file: ParsedFile, packages: Iterable[str]) -> bool:
    plain = [each.strip("*") for each in packages]
    return any(each.replace(".", sign).encode() in file.source for each in plain for sign in _PACKAGE_SIGNS)


# what may be hidden


def hot_names(followed: FollowedFile, *, with_queries: bool) -> frozenset[str]:
    """Names that may stand for a dangerous function: those themselves, and what is given a value that names one."""
    names = followed.models.dangerous_names | (followed.models.query_names if with_queries else frozenset())
    hot = {name.rpartition(".")[2].encode() for name in names}
    hot |= {each.encode() for each in followed.models.passing.reflecting_names}
    scopes = (followed.scopes.root, *followed.scopes.functions.values())
    for _ in range(_ROUNDS):
        before = len(hot)
        for scope in scopes:
            _heat(followed, scope, hot)
        hot.update(_hot_classes(followed, hot))
        if len(hot) == before:
            break
    for block in followed.scopes.object_blocks[:20]:  # `with (object) { name() }`
        held = followed.scopes.objects_around(block.named_children[-1])
        if any(_is_hot(followed, each, hot) for each in held):
            hot.update(
                _WORD.findall(followed.file.source, block.start_byte, min(block.end_byte, block.start_byte + 4_000))
            )
    return frozenset(each.decode("utf-8", errors="replace") for each in hot)


def _heat(followed: FollowedFile, scope: Scope, hot: set[bytes]) -> None:
    for name, bound in scope.bindings.items():
        for each in bound[:20]:
            if each.value is not None and _is_hot(followed, each.value, hot):
                hot.add(name.removeprefix("this.").encode())
                hot.update(_hot_keys(followed, each.value, hot))
    defaults = (each for each in scope.parameters.values() if each.default is not None)
    hot.update(each.name.encode() for each in defaults if each.default and _is_hot(followed, each.default, hot))
    if scope.name:
        if any(not hot.isdisjoint(_WORD.findall(each)) for each in _ends(followed, scope)):
            hot.add(scope.name.encode())
        hot.update(_hot_parameters(followed, scope, hot))


def _hot_classes(followed: FollowedFile, hot: set[bytes]) -> list[bytes]:
    """Classes that extend one with a dangerous name, and what makes the object of the one above."""
    source, found = followed.file.source, []
    for node in followed.scopes.classes:
        named, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if named is None or body is None:
            continue
        above = source[named.end_byte : min(body.start_byte, named.end_byte + _MAX_VALUE_BYTES)]
        if not hot.isdisjoint(_WORD.findall(above)):
            found += [source[named.start_byte : named.end_byte], b"super"]
    return found


def _ends(followed: FollowedFile, scope: Scope) -> Iterator[bytes]:
    """What a function returns, as it is written."""
    source = followed.file.source
    for each in scope.returns[:5]:
        yield source[each.start_byte : min(each.end_byte, each.start_byte + _MAX_VALUE_BYTES)]
    body = scope.node.child_by_field_name("body")
    if body is not None and body.end_byte - body.start_byte < _MAX_VALUE_BYTES:
        yield source[body.start_byte : body.end_byte]


def _hot_parameters(followed: FollowedFile, scope: Scope, hot: set[bytes]) -> Iterator[bytes]:
    """Parameters that a caller gives a value that names a dangerous function."""
    for call in followed.calls_of(scope.name) if scope.parameters else ():
        for number, given in enumerate(call.arguments):
            if _is_hot(followed, given, hot):
                yield from (each.name.encode() for each in scope.parameters.values() if each.position == number)


def _is_hot(followed: FollowedFile, value: Expression, hot: set[bytes]) -> bool:
    if isinstance(value, Member) and value.name.encode() in hot:  # `{ exec: run } = require("child_process")`
        return True
    start, end = value.node.byte_range
    written = followed.file.source[start : min(end, start + _MAX_VALUE_BYTES)]
    return not hot.isdisjoint(_WORD.findall(written))


def _hot_keys(followed: FollowedFile, value: Expression, hot: set[bytes]) -> Iterator[bytes]:
    entries = value.entries if isinstance(value, Collection) else (value,)
    for each in entries[:50]:
        if isinstance(each, Entry) and isinstance(each.key, Text) and _is_hot(followed, each.value, hot):
            yield each.key.value.encode()


def hiding_callees(followed: FollowedFile, hot: frozenset[str]) -> list[Node]:
    """Callees that may stand for a dangerous function, or call one."""
    wanted = hot | INDIRECT_CALLS | followed.models.passing.member_callbacks | followed.models.passing.runners
    wanted |= {each.rpartition(".")[2] for each in followed.models.passing.callback_calls}
    wanted |= followed.models.passing.word_methods
    source = followed.file.source
    found = [
        each
        for each in followed.file.callees
        if last_callee_part(source, each) in wanted or source[each.end_byte - 1 : each.end_byte] in _NOT_A_NAME
    ]
    return found[:_MAX_CALLS]


def arguments_that_name(followed: FollowedFile) -> list[Node]:
    """Calls in whose arguments a dangerous function is named without being called."""
    names = {name.rpartition(".")[2] for name in followed.models.hidden_names} | {"method"}
    for scope in (followed.scopes.root, *followed.scopes.functions.values()):
        for name, bound in scope.bindings.items():
            if name.isidentifier() and any(
                isinstance(each.value, (Member, Call, Name))
                and _is_hot(followed, each.value, {one.encode() for one in names})
                for each in bound[:3]
            ):
                names.add(name)
    imported = followed.imports.names.items()
    names |= {local for local, meant in imported if meant.rpartition(".")[2] in names and local.isidentifier()}
    words = sorted(map(re.escape, names))
    form = re.compile(rf"(?<![\w$])(?:{'|'.join(words)})(?![\w$])(?!\s*[(:=])".encode())
    found: dict[int, Node] = {}
    for number, each in enumerate(form.finditer(followed.file.source)):
        if number >= _MAX_OCCURRENCES:
            break
        node = followed.file.root.descendant_for_byte_range(each.start(), each.end())
        for around in followed.around(node)[:8] if node is not None else ():
            if around.type in followed.scopes.kinds.calls:
                held = around.child_by_field_name("arguments")
                if held is not None and held.start_byte <= each.start():
                    found.setdefault(around.id, around)
                break
    return list(found.values())
