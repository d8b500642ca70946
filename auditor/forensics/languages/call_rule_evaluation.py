"""Calls and the rules that speak of them, those of functions that hand a parameter on included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages import query_fragments
from auditor.forensics.languages.call_arguments import fits, is_there, still_reads
from auditor.forensics.languages.called_names import called, callee
from auditor.forensics.languages.constant_names import careful_texts
from auditor.forensics.languages.function_metrics import name_of
from auditor.forensics.languages.language_rule_types import Call, Language, by_default, last_of
from auditor.forensics.languages.parsed_file import File, enclosing
from auditor.forensics.languages.rule_exceptions import is_excused
from auditor.forensics.languages.unused_results import is_dropped, is_unlooked

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_HANDED = 200
"""Calls of a file of which it is asked whether what they are given comes from callers."""
_GAP = r"(?>(?:\s|/\*[^*]{0,200}\*/)*)"
_REQUIRED = re.compile(rf"^\(?(?:await\s+import|require)\({_GAP}['\"](?:node:)?([\w@/-]+)['\"]{_GAP}\)\)?")
"""A module that is named where it is used."""
_OF_QUERIES = "code.sql_from_strings"
"""The question for which it matters whether a name is held to a fixed set."""
_MAX_BEFORE_COMMAND = 12
"""Arguments among which the command is looked for that another one runs."""


def spoken_of(file: File, callees: Sequence[Node]) -> list[tuple[Node, str, tuple[Call, ...]]]:
    """Calls that rules speak of, by where they begin, with what is called by its full name, and those rules."""
    found: list[tuple[Node, str, tuple[Call, ...]]] = []
    in_parts, hands_on = file.language.in_parts, file.hands_on
    failing = file.failing if callees and file.language.failing is not None else {}
    known: dict[str, tuple[str, tuple[Call, ...]]] = {}
    for each in callees:
        call = file.around(each) if in_parts else None
        said = called(file.source, each) if call is None else callee(file.source, _parts(file.language, call))
        if said not in known:
            known[said] = _named(file, said)
        named, rules = known[said]
        if failing and last_of(named) in failing and _may_be_dropped(file, each):
            rules = (*rules, *_of_failing(file, each, last_of(named)))
        if (rules or named in hands_on) and (call := call or file.around(each)) is not None:
            found.append((call, named, rules))
    if len(found) > 1:
        found.sort(key=lambda each: each[0].byte_range)
    return found


def _named(file: File, said: str) -> tuple[str, tuple[Call, ...]]:
    """The full name of what is called, and the rules that name it; most calls of a file call what another one called."""
    named = _resolved(file, said)
    return named, _that_may_speak(file, *file.language.speaking[named])


def _that_may_speak(file: File, rules: tuple[Call, ...], of_queries: bool) -> tuple[Call, ...]:
    """Rules without those of queries, where no text begins like one."""
    if of_queries and not file.queries:
        return tuple(each for each in rules if not each.of_queries)
    return rules


def _may_be_dropped(file: File, called: Node) -> bool:
    """Does a call begin its statement, or stand behind a sign that nobody wants it?"""
    start = called.start_byte
    before = file.source[max(0, start - 200) : start]
    unwanted = file.language.unwanted
    return not before.rpartition(b"\n")[2].strip() or (unwanted is not None and unwanted.search(before) is not None)


def _of_failing(file: File, called: Node, name: str) -> tuple[Call, ...]:
    """Rules of functions of the file that may fail, where what is called is one of them as far as its type tells."""
    types = file.failing[name]
    parts = called.named_children
    if len(parts) < 2:
        return file.language.of_failing if "" in types else ()
    form = file.language.failing
    own = form is not None and (
        "of" not in form.groupindex or any(each.lstrip("*&") in types for each in file.types_of(parts[0]))
    )
    return file.language.of_failing if own else ()


def _parts(language: Language, call: Node) -> list[Node]:
    """The fields of a call that hold what is called."""
    return [held for name in language.callee if (held := call.child_by_field_name(name)) is not None]


def show_call_handed_on(file: File, node: Node) -> None:
    """A command whose arguments are another command: `sudo -u app psql -c ...`. The first that rules speak of is that."""
    arguments = file.arguments_of(node)
    for number, each in enumerate(arguments[:_MAX_BEFORE_COMMAND]):
        named = file.text(each, 80).strip("\"'").rpartition("/")[2]
        rules = _that_may_speak(file, *file.language.speaking[named])
        if named == "-v":
            return  # only asked for where it is
        if rules:
            show_call(file, node, named, rules, arguments[number + 1 :])
            return


def show_call(file: File, node: Node, named: str, rules: Sequence[Call], arguments: list[Node] | None = None) -> None:
    """Note what the rules that name a call tell of it; of each question the first that speaks."""
    told: set[str] = set()
    candidates, speaking = file.looked.candidates, file.speaking
    for rule in rules:
        if rule.probe in told:
            continue
        candidates[rule.probe] += 1
        if not rule.handed_on and speaking.get(rule) is False:
            continue
        if arguments is None:
            arguments = file.arguments_of(node)
        if rule.handed_on and len(arguments) > rule.handed_place:
            file.handing.append((rule, arguments[rule.handed_place]))
        if _tells(file, rule, node, arguments):
            told.add(rule.probe)
            if rule.of_queries and query_fragments.hands_values(file, rule, arguments):
                _see_of_values(file, rule, node, named, arguments)
            else:
                file.see(rule.probe, node, rule.statement, named, rule.confidence, rule.because)


def _see_of_values(file: File, rule: Call, node: Node, named: str, arguments: list[Node]) -> None:
    """Note a query that is handed a list of values: where pieces of one are put into it, those may hold no value themselves."""
    told = query_fragments.told_of(file, arguments[rule.handed_place])
    if told == "":
        file.see(rule.probe, node, rule.statement, named, rule.confidence, rule.because)
    elif told is not None:
        file.see(rule.probe, node, told, named, query_fragments.CONFIDENCE, query_fragments.BECAUSE)


def _tells(file: File, rule: Call, node: Node, arguments: list[Node]) -> bool:
    """Does a rule speak of a call of that name? Most are turned away by what the call itself tells."""
    for each in rule.at_once:
        if not fits(file, node, arguments, each):
            return False
    followed = rule.followed
    if followed and not all(is_there(file, arguments, each) for each in followed):
        return False
    return file.may_speak(rule) and _tells_all(file, rule, node, arguments)


def _tells_all(file: File, rule: Call, node: Node, arguments: list[Node]) -> bool:
    """Is all else as a rule asks: what names stand for, and what stands around the call?"""
    return (
        all(fits(file, node, arguments, each) for each in rule.followed)
        and not any(fits(file, node, arguments, each) for each in rule.unless)
        and not file.holds(rule.without)
        and not (rule.unless_before is not None and rule.unless_before.search(file.before(node)))
        and not (rule.in_function and enclosing(file, node) is None)
        and not (rule.dropped and not is_dropped(file, node))
        and not (rule.unlooked is not None and not is_unlooked(file, node, rule.unlooked))
        and not (rule.without_near is not None and is_excused(file, node, rule.without_near, rule))
        and not (rule.says_nothing and file.is_explained(node))
        and (rule.probe != _OF_QUERIES or all(still_reads(file, node, arguments, each) for each in rule.when))
    )


def show_callers(file: File) -> None:
    """Show the callers of functions that hand a parameter on to the rules of what it is handed to."""
    named: dict[str, tuple[Call, int]] = {}
    for rule, place in file.handing[:_MAX_HANDED]:
        function = enclosing(file, place) if place.type in file.texts.writing.names else None
        at = None if function is None else _parameter(file, function, file.text(place, 100))
        if function is not None and at is not None:
            name = name_of(file, function, function.start_byte)
            if name is not None and name in file.called and file.texts.parameter(place):
                named[name] = (rule, at)
    for name, (rule, at) in named.items():
        for node in file.calls_of(file.called[name]):
            if (rule.probe, node.start_point[0] + 1) in file.told:
                continue  # by its own name
            arguments = file.arguments_of(node)
            if len(arguments) > at and all(
                each.reads is None
                or each.place != rule.handed_place
                or each.reads.search(careful_texts(file).reads(arguments[at], told_apart=each.told_apart))
                for each in rule.when
            ):
                file.see(rule.probe, node, rule.statement, name, rule.confidence, rule.because)


def _parameter(file: File, function: Node, name: str) -> int | None:
    """The place of a parameter among those of its function."""
    held = function.child_by_field_name("parameters")
    places = [each for each in (held.named_children[:20] if held is not None else ()) if each.type != "self_parameter"]
    for number, each in enumerate(places):
        if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", file.text(each, 200)):
            return number
    return None


def _resolved(file: File, named: str) -> str:
    """The name with its first part looked up among the imports."""
    if named.startswith(("require(", "(")):
        named = _REQUIRED.sub(r"\1", named)
    packages = file.language.packages
    if packages is not None and "." in named:
        named = packages.sub("", named)
    if named.endswith(("}", '}"')) and named not in file.language.by_name:
        named = by_default(named)
    head, mark, rest = named.partition(".")
    return f"{file.names.get(head, head)}{mark}{rest}" if head in file.names else named
