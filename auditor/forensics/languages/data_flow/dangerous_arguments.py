"""Which arguments of a call do harm: the program, the words that a shell runs, the text of a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from auditor.forensics.languages.data_flow.command_words import built_command, constructed_words
from auditor.forensics.languages.data_flow.constant_values import text_of
from auditor.forensics.languages.data_flow.effective_calls import EffectiveCall, positional
from auditor.forensics.languages.data_flow.expressions import (
    Call,
    Collection,
    Entry,
    Expression,
    FunctionValue,
    Joined,
    Member,
    Name,
    Operation,
    Spread,
    Text,
    last_name,
)
from auditor.forensics.languages.data_flow.flow_models import RECEIVER, Sink
from auditor.forensics.languages.data_flow.followed_file import FollowedFile
from auditor.forensics.languages.data_flow.listed_values import listed
from auditor.forensics.languages.data_flow.row_vocabulary import SinkPart
from auditor.forensics.languages.data_flow.scope_types import Scope
from auditor.forensics.python.command_texts import Beginning, run_texts
from auditor.forensics.python.shell_words import expands_words, is_shell, reads_program_script, runs_by_option

_READING_OPTION = re.compile(r"-\w*s$|-$")
_SHELL_OPTION = re.compile(r"(?i)-\w*c$|/[ck]$|-command$")
QUERY_TEXT = re.compile(
    r"(?i)\b(?:select|insert|update|delete|replace|merge|create|drop|alter|with|call|exec)\s[^;]{0,300}?(?:\b(?:from|into|set|table|where|values|join|as)\b|\*)|\w[\"'`)\]]?\s{0,3}(?:[<>!=]=?|<>|\blike\b|\bin\b)\s{0,3}[\"'(%]{0,3}\s{0,3}\Z|\border by\b|\b(?:asc|desc)\b"
)
_DASH_CHECK = re.compile(
    rb"(?:[sS]tarts_?[wW]ith|HasPrefix|start_with\?|strn?c?a?s?e?cmp)\s?\(?[^)\n]{0,60}[\"'`]-|[=!]==?\s?[\"'`]-[\"'`]"
)
"""A check of a word for the dash of an option, of whatever word."""
_WEB_ADDRESS = re.compile(r"(?i)https?://")
_ADDRESS_KEYS = frozenset({"url", "uri", "baseURL", "host", "hostname", "href"})
_BUILT = (Joined, Name, Operation)
"""Expressions of which the begin may be written out."""
_MAX_WORDS = 30
_MAX_BEGINNING_STEPS = 12
_WORD_BEGINS = re.compile(r"(?:^|\s)[\"']?\Z")
_ANY_TEXT = "x"
"""Stands for a piece of a text that is not written out."""
_MAX_TEXT = 2_000
"""Characters of a text that are read."""


class DangerousArguments:
    """The arguments of the calls of one file."""

    def __init__(self, file: FollowedFile) -> None:
        self._file = file

    def chosen(self, made: EffectiveCall, sink: Sink, scope: Scope) -> Iterator[Expression]:
        """The arguments of a call that do harm, without those that are written out."""
        whole = (each.value if isinstance(each, Entry) else each for each in made.arguments)
        for each in whole if sink.part is SinkPart.ANY else self._of_sink(made, sink, scope):
            if not isinstance(each, (Text, FunctionValue)):
                yield each

    def _of_sink(self, made: EffectiveCall, sink: Sink, scope: Scope) -> Iterator[Expression]:
        if sink.given and not self._is_given(made.arguments, sink, scope):
            return
        given = self._spread_out(positional(made.arguments, self._file.scopes.kinds.arguments), scope)
        if sink.keyword:
            for each in self.entries(made.arguments):
                if self._word(each.key) == sink.keyword and sink.part in {SinkPart.KEYS, SinkPart.QUERY}:
                    yield from self._of_part(each.value, made, sink, scope)
                elif self._word(each.key) == sink.keyword:
                    yield each.value
        elif sink.part is SinkPart.WORDS:
            words = constructed_words(self._file, made.arguments, scope)
            yield from words if self._has_shell(words, scope) else self._run_texts(words, scope)
        elif sink.position == RECEIVER:
            yield from (made.written.owner,) if isinstance(made.written, Member) else ()
        elif sink.position < 0:
            yield from given
        elif sink.position < len(given):
            yield from self._of_part(given[sink.position], made, sink, scope)
        else:
            yield from (each for each in given if isinstance(each, Spread))

    def _spread_out(self, arguments: Iterable[Expression], scope: Scope) -> list[Expression]:
        """The arguments, with what lists hold that are spread into them; a list that is not written out stays one."""
        given: list[Expression] = []
        for each in arguments:
            table = listed(self._file, each, scope) if isinstance(each, Spread) else None
            given.extend((each,) if table is None else table.entries)
        return given

    def _of_part(self, first: Expression, made: EffectiveCall, sink: Sink, scope: Scope) -> Iterator[Expression]:
        """What of one argument does harm."""
        if sink.part is SinkPart.QUERY:
            yield from self._query(first, scope)
        elif sink.part is SinkPart.WHOLE:
            yield first
        elif sink.part is SinkPart.KEYS:
            yield from self._keys(first, scope)
        elif sink.part is SinkPart.OPTIONS:
            yield from self._options(made.arguments[sink.position :], scope)
        elif sink.part is SinkPart.PATH:
            yield from () if _WEB_ADDRESS.match(self._beginning(first, scope)) else (first,)
        elif sink.part is SinkPart.ADDRESS:
            yield from self._address(first, sink, scope)
        else:
            yield from self._program(first, made, sink, scope)

    def _keys(self, given: Expression, scope: Scope) -> Iterator[Expression]:
        """What chooses the keys of a table: keys that are not written out, and tables that are spread into it."""
        table = listed(self._file, given, scope)
        for each in table.entries if table is not None else (given,):
            if isinstance(each, Entry) and each.key is not None:
                yield from () if isinstance(each.key, Text) else (each.key,)
            elif isinstance(each, Spread):
                inner = listed(self._file, each.value, scope)
                yield from () if inner is not None and all(map(_has_fixed_key, inner.entries)) else (each.value,)
            else:
                yield each

    def _options(self, arguments: Iterable[Expression], scope: Scope) -> Iterator[Expression]:
        """The words of a command that its program may read as an option."""
        words = self._words_of(arguments, scope)
        program = text_of(self._file, words[0], scope) if words else None
        if expands_words(program):
            yield from (each for each in words[1:] if not isinstance(each, Text))
            return
        if not runs_by_option(program) or _DASH_CHECK.search(self._file.file.source):
            return
        for before, word in pairwise(words):
            told = text_of(self._file, before, scope) or ""
            if told == "--":
                return
            if told[:1] == "-":
                continue
            if self._file.models.passing.command_lines:
                yield from self._words_in_line(word, scope)
            elif not (isinstance(word, _BUILT) and self._beginning(word, scope)):
                yield word

    def _words_in_line(self, line: Expression, scope: Scope) -> Iterator[Expression]:
        """The pieces of a text with several words that begin a word which may be an option."""
        before = ""
        for piece in _pieces(line):
            text = text_of(self._file, piece, scope)
            if text is not None:
                before += text
            elif "--" in (told := before.split()):
                return
            else:
                if _WORD_BEGINS.search(before) and not (told and told[-1].startswith("-")):
                    yield piece
                before += _ANY_TEXT

    def _is_given(self, arguments: Iterable[Expression], sink: Sink, scope: Scope) -> bool:
        """Is one of the names that a row asks for an argument, or in a pair that is one?"""
        for each in arguments:
            made = listed(self._file, each, scope)
            if any(self._word(one) in sink.given for one in (made.entries if made is not None else (each,))):
                return True
        return False

    def _word(self, expression: Expression | None) -> str:
        """A text, or the last part of a constant's name; empty for all else."""
        if isinstance(expression, Text):
            return expression.value
        return expression.name.lstrip("\\") if isinstance(expression, (Name, Member)) else ""

    def _beginning(self, word: Expression, scope: Scope) -> str:
        """What a text begins with that is written out."""
        for _ in range(_MAX_BEGINNING_STEPS):
            if isinstance(word, Joined) and word.parts:
                texts = [each for each in word.parts if not isinstance(each, Text) or each.value]
                word = texts[0] if texts else word.parts[0]
            elif isinstance(word, Operation):
                word = word.left
            elif isinstance(word, Name):
                bound = self._file.reaching(word.name, word.node.start_byte, scope)
                if len(bound) != 1 or bound[0].value is None:
                    break
                word = bound[0].value
            elif isinstance(word, Call) and word.arguments:
                word = word.arguments[0]
            else:
                break
        return text_of(self._file, word, scope) or ""

    def entries(self, arguments: Iterable[Expression]) -> Iterator[Entry]:
        """Named arguments, and what an object among them holds."""
        for each in arguments:
            if isinstance(each, Entry):
                yield each
            elif isinstance(each, Collection):
                yield from (one for one in each.entries if isinstance(one, Entry))

    def _query(self, given: Expression, scope: Scope) -> Iterator[Expression]:
        """The text of a query: of an object the entry that holds it, of a list the first member."""
        made = listed(self._file, given, scope)
        if made is None:
            yield given
            return
        entries = [each for each in made.entries if isinstance(each, Entry)]
        yield from (
            each.value for each in entries if isinstance(each.key, Text) and each.key.value in {"text", "sql", "query"}
        )
        if made.entries and not entries:
            yield made.entries[0]

    def _address(self, given: Expression, sink: Sink, scope: Scope) -> Iterator[Expression]:
        """The text of an address: of an object the entries that hold it, of a pair with a name the other member."""
        made = listed(self._file, given, scope)
        if made is None:
            yield given
        elif sink.given and made.entries:
            yield made.entries[-1]
        for each in made.entries if made is not None else ():
            if isinstance(each, Entry) and isinstance(each.key, Text) and each.key.value in _ADDRESS_KEYS:
                yield each.value

    def _program(self, first: Expression, made: EffectiveCall, sink: Sink, scope: Scope) -> Iterator[Expression]:
        """The program that is started, and all words where one of them is a shell."""
        words = self._words_of(made.arguments[sink.position :], scope)
        if self.runs_shell(made, scope):
            yield from words
            return
        yield from self._run_texts(words, scope)
        if self._reads_commands(words, scope):
            yield from self._standard_input(made, scope)
        members = listed(self._file, first, scope)
        if members is not None:
            yield from (each.value if isinstance(each, Spread) else each for each in members.entries[:1])
        elif not self._is_command(first, scope):
            yield first

    def _run_texts(self, words: Sequence[Expression], scope: Scope) -> Iterator[Expression]:
        """The words that a program runs as a command or as code, as `env -S` and `ssh` do."""
        texts = [text_of(self._file, each, scope) for each in words]
        pairs = zip(words, texts, strict=True)
        told = [Beginning(self._beginning(word, scope)) if text is None else text for word, text in pairs]
        yield from (words[each.at] for each in run_texts(told))

    def _is_command(self, value: Expression, scope: Scope) -> bool:
        """Is it an object that holds a command, whose fields are asked by themselves?"""
        if not self._file.models.passing.program_fields or not isinstance(value, Name):
            return False
        built = built_command(self._file, value, scope)
        callee = built.base.callee if built is not None and built.base.constructs else None
        name = last_name(callee)
        return any(each.part is SinkPart.WORDS for each in self._file.models.sinks_by_name.get(name, ()))

    def _reads_commands(self, words: Iterable[Expression], scope: Scope) -> bool:
        """Is it a shell that is given no file, so that it runs what it reads, or another program that does: `sh`, `gnuplot`?"""
        told = [text_of(self._file, each, scope) for each in words]
        if reads_program_script(told):
            return True
        if not told or not is_shell(told[0]):
            return False
        options = [each for each in told[1:] if each is not None and each[:1] in {"-", "+"}]
        return any(map(_READING_OPTION.match, options)) or len(options) == len(told) - 1

    def _standard_input(self, made: EffectiveCall, scope: Scope) -> Iterator[Expression]:
        """What a program reads: an option of the call, or a field of the object that it returns."""
        names = self._file.models.passing.input_members
        for each in self.entries(made.arguments):
            if isinstance(each.key, Text) and each.key.value in names:
                yield each.value
        for bound in scope.bindings.values() if names else ():
            if any(isinstance(each.value, Call) and each.value.callee is made.written for each in bound):
                entries = (each.value for each in bound if isinstance(each.value, Entry))
                yield from (each.value for each in entries if isinstance(each.key, Text) and each.key.value in names)

    def _words_of(self, arguments: Iterable[Expression], scope: Scope) -> list[Expression]:
        words: list[Expression] = []
        for each in arguments:
            members = listed(self._file, each, scope)
            if members is not None:
                words += [
                    one.value if isinstance(one, Spread) else one
                    for one in members.entries
                    if not isinstance(one, Entry)
                ]
            elif not isinstance(each, Entry):
                words.append(each)
        return words[:_MAX_WORDS]

    def runs_shell(self, made: EffectiveCall, scope: Scope) -> bool:
        """Is one of the words a shell that is given a command, or does an option say so?"""
        for each in self.entries(made.arguments):
            if isinstance(each.key, Text) and each.key.value == "shell":
                return self._file.written(each.value) not in {"false", "0", "undefined"}
        return self._has_shell(self._words_of(made.arguments, scope), scope)

    def _has_shell(self, words: Iterable[Expression], scope: Scope) -> bool:
        told = [text_of(self._file, each, scope) or "" for each in words]
        if self._file.models.passing.command_lines:
            told = [word for each in words for word in (self._beginning(each, scope).split() or [""])]
        shells = [number for number, each in enumerate(told) if is_shell(each)]
        return bool(shells) and any(_SHELL_OPTION.match(each) for each in told[shells[0] :])

    def has_query_text(self, arguments: Iterable[Expression], scope: Scope) -> bool:
        """Does an argument contain SQL text, directly or in a value assigned to one of its names?"""
        return any(QUERY_TEXT.search(each) for one in arguments for each in self._texts(one, scope, 8))

    def _texts(self, expression: Expression, scope: Scope, depth: int) -> Iterator[str]:
        if isinstance(expression, Text):
            yield expression.value[:_MAX_TEXT]
        elif isinstance(expression, Name):
            bound = self._file.reaching(expression.name, expression.node.start_byte, scope)[:8] if depth > 0 else ()
            for value in (each.value for each in bound):
                yield from self._texts(value, scope, depth - 2) if value is not None else ()
        elif depth > 0:
            for each in _parts(expression)[:40]:
                yield from self._texts(each, scope, depth - 1)


def _pieces(text: Expression) -> Iterator[Expression]:
    """The parts that a text is built from, in their order."""
    waiting = [text]
    for _ in range(_MAX_WORDS):
        if not waiting:
            return
        piece = waiting.pop()
        if isinstance(piece, Joined):
            waiting += reversed(piece.parts)
        elif isinstance(piece, Operation):
            waiting += [piece.right, piece.left]
        else:
            yield piece


def _has_fixed_key(entry: Expression) -> bool:
    return isinstance(entry, Entry) and isinstance(entry.key, Text)


def _parts(expression: Expression) -> tuple[Expression, ...]:
    """What an expression is made of."""
    if isinstance(expression, Joined):
        return expression.parts
    if isinstance(expression, Operation):
        return (expression.left, expression.right)
    if isinstance(expression, Call):
        owner = (expression.callee.owner,) if isinstance(expression.callee, Member) else ()
        return (*owner, *expression.arguments)
    if isinstance(expression, (Entry, Spread)):
        return (expression.value,)
    return expression.entries if isinstance(expression, Collection) else ()
