"""Calls and the rules that speak of them, those of functions that hand a parameter on included."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.forensics.languages import sql_query_fragments
from auditor.forensics.languages.call_arguments import matches_condition, matches_with_constants, may_match
from auditor.forensics.languages.called_names import callee_name, joined_callee_name
from auditor.forensics.languages.constant_names import constant_aware_texts
from auditor.forensics.languages.function_metrics import function_name
from auditor.forensics.languages.language_rule_types import CallRule, default_program, last_name_part
from auditor.forensics.languages.language_type import Language
from auditor.forensics.languages.parsed_file import ParsedFile, enclosing_function
from auditor.forensics.languages.rule_exceptions import is_excused
from auditor.forensics.languages.string_building import TextResolver
from auditor.forensics.languages.string_syntax import DYNAMIC_MARK
from auditor.forensics.languages.unused_results import is_result_unchecked, is_result_unused
from auditor.forensics.source_text.site_probe_types import call_with_argument
from auditor.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from tree_sitter import Node


_MAX_FORWARDED_ARGUMENTS = 200
"""Calls of a file of which it is asked whether what they are given comes from callers."""
_GAP = r"(?>(?:\s|/\*[^*]{0,200}\*/)*)"
_INLINE_REQUIRE = re.compile(rf"^\(?(?:await\s+import|require)\({_GAP}['\"](?:node:)?([\w@/-]+)['\"]{_GAP}\)\)?")
"""A module that is named where it is used."""
_QUERY_PROBE = "code.sql_from_strings"
"""The question whose rules do not apply where a name is held to a fixed set."""
_COMMAND_PROBE = "code.shell_execution"
"""The question whose rules are asked again where a name is held to a fixed set."""
_MAX_WRAPPER_ARGUMENTS = 12
"""Arguments among which the command is looked for that another one runs."""
_MAX_SHOWN_BYTES = 42
_SHOWN_TEXT = lazy_compile(r"[A-Za-z][\w./-]{0,39}")
_SHOWN_ARGUMENT = lazy_compile(r'"[\w./-]{1,40}"|&?[A-Za-z:][\w.:]{0,39}')
"""Arguments that are short enough to be shown with the name of what is called."""


def match_calls(file: ParsedFile, callees: Sequence[Node]) -> list[tuple[Node, str, tuple[CallRule, ...]]]:
    """Calls that rules may apply to, by where they begin, with the qualified name of the callee and those rules."""
    found: list[tuple[Node, str, tuple[CallRule, ...]]] = []
    in_parts, hands_on = file.language.has_split_callee, file.wrapper_commands
    failing = file.failing if callees and file.language.failing is not None else {}
    known: dict[str, tuple[str, tuple[CallRule, ...]]] = {}
    for each in callees:
        call = file.around(each) if in_parts else None
        said = (
            callee_name(file.source, each)
            if call is None
            else joined_callee_name(file.source, _callee_nodes(file.language, call))
        )
        if said not in known:
            known[said] = _resolve_and_match(file, said)
        named, rules = known[said]
        if failing and last_name_part(named) in failing and _may_be_unused(file, each):
            rules = (*rules, *_fallible_call_rules(file, each, last_name_part(named)))
        if (rules or named in hands_on) and (call := call or file.around(each)) is not None:
            found.append((call, named, rules))
    if len(found) > 1:
        found.sort(key=lambda each: each[0].byte_range)
    return found


def _resolve_and_match(file: ParsedFile, said: str) -> tuple[str, tuple[CallRule, ...]]:
    """The full name of what is called, and the rules that name it; most calls of a file call what another one called."""
    named = _resolve_imports(file, said)
    return named, _without_idle_query_rules(file, *file.language.applicable_rules[named])


def _without_idle_query_rules(file: ParsedFile, rules: tuple[CallRule, ...], of_queries: bool) -> tuple[CallRule, ...]:
    """Rules without those of queries, where no text begins like one."""
    if of_queries and not file.has_query_text:
        return tuple(each for each in rules if not each.requires_query_text)
    return rules


def _may_be_unused(file: ParsedFile, called: Node) -> bool:
    """Does a call begin its statement, or is it behind a sign that nobody wants it, or takes it as it is?"""
    start = called.start_byte
    before = file.source[max(0, start - 200) : start]
    signs = (file.language.discarded_result_prefix, file.language.truth_test_prefix)
    return not before.rpartition(b"\n")[2].strip() or any(
        each is not None and each.search(before) is not None for each in signs
    )


def _fallible_call_rules(file: ParsedFile, called: Node, name: str) -> tuple[CallRule, ...]:
    """Rules of functions of the file that may fail, where what is called is one of them as far as its type shows."""
    types = file.failing[name]
    parts = called.named_children
    if len(parts) < 2:
        return file.language.fallible_call_rules if "" in types else ()
    form = file.language.failing
    own = form is not None and (
        "of" not in form.groupindex or any(each.lstrip("*&") in types for each in file.types_of(parts[0]))
    )
    return file.language.fallible_call_rules if own else ()


def _callee_nodes(language: Language, call: Node) -> list[Node]:
    """The fields of a call that hold what is called."""
    if not language.calls.get(call.type, "-"):
        return call.named_children[:1]
    return [held for name in language.callee_fields if (held := call.child_by_field_name(name)) is not None]


def apply_rules_to_wrapped_command(file: ParsedFile, node: Node) -> None:
    """A command whose arguments are another command: `sudo -u app psql -c ...`. The first that rules speak of is that."""
    arguments = file.arguments_of(node)
    for number, each in enumerate(arguments[:_MAX_WRAPPER_ARGUMENTS]):
        named = file.text(each, 80).strip("\"'").rpartition("/")[2]
        rules = _without_idle_query_rules(file, *file.language.applicable_rules[named])
        if named == "-v":
            return  # only asked for where it is
        if rules:
            apply_call_rules(file, node, named, rules, arguments[number + 1 :])
            return


def apply_call_rules(
    file: ParsedFile, node: Node, named: str, rules: Sequence[CallRule], arguments: list[Node] | None = None
) -> None:
    """Apply the rules that name a call to it; for each probe the first rule that matches is reported."""
    told: set[str] = set()
    candidates, speaking = file.looked.candidates, file.applicable_rules
    for rule in rules:
        if rule.probe in told:
            continue
        candidates[rule.probe] += 1
        if not rule.applies_to_callers and speaking.get(rule) is False:
            continue
        if arguments is None:
            arguments = file.arguments_of(node)
        if rule.applies_to_callers and len(arguments) > rule.forwarded_position:
            file.forwarded_arguments.append((rule, arguments[rule.forwarded_position]))
        if _rule_matches(file, rule, node, arguments, file.texts):
            told.add(rule.probe)
            applied = _rule_with_constants(file, rule, rules, node, arguments)
            if applied is not None:
                shown = _shown_call(file, applied, named, arguments)
                _report_call(file, applied, node, shown, arguments, applied.forwarded_position)


def _shown_call(file: ParsedFile, rule: CallRule, named: str, arguments: Sequence[Node]) -> str:
    """What is called, with the argument that the rule shows: as the text that it stands for, or as it is written."""
    position = rule.shown_argument
    if position is None or len(arguments) <= position:
        return named
    text = constant_aware_texts(file).reads(arguments[position])
    shown = f'"{text}"' if _SHOWN_TEXT.fullmatch(text) else file.text(arguments[position], _MAX_SHOWN_BYTES)
    return call_with_argument(named, position, shown) if _SHOWN_ARGUMENT.fullmatch(shown) else named


def _report_call(file: ParsedFile, rule: CallRule, node: Node, named: str, arguments: list[Node], at: int) -> None:
    """Report a call for the argument at a position."""
    if rule.requires_query_text and sql_query_fragments.passes_values(file, rule, arguments[at + 1 :]):
        _report_value_query(file, rule, node, named, arguments[at])
    else:
        file.add_site(rule.probe, node, rule.statement, named, rule.confidence, rule.because)


def _report_value_query(file: ParsedFile, rule: CallRule, node: Node, named: str, query: Node) -> None:
    """Note a query that is passed a list of values: where pieces of one are inserted into it, those may hold no value themselves."""
    told = sql_query_fragments.query_statement(file, query)
    if told == "":
        file.add_site(rule.probe, node, rule.statement, named, rule.confidence, rule.because)
    elif told is not None:
        file.add_site(rule.probe, node, told, named, sql_query_fragments.CONFIDENCE, sql_query_fragments.REASON)


def _rule_with_constants(
    file: ParsedFile, rule: CallRule, rules: Sequence[CallRule], node: Node, arguments: list[Node]
) -> CallRule | None:
    """The rule for a command in which names that can only stand for constants are read as those; None where none applies."""
    read = [*file.texts.receiver(node), *arguments]
    if rule.probe != _COMMAND_PROBE or DYNAMIC_MARK not in (plain := file.texts.listed(read)):
        return rule
    texts = constant_aware_texts(file)
    if texts.listed(read) == plain:
        return rule
    same = (each for each in rules if each.probe == rule.probe)
    return next((each for each in same if _rule_matches(file, each, node, arguments, texts)), None)


def _rule_matches(file: ParsedFile, rule: CallRule, node: Node, arguments: list[Node], texts: TextResolver) -> bool:
    """Does a rule match a call of that name? Most are ruled out by the call alone."""
    for each in rule.syntactic_conditions:
        if not matches_condition(file, node, arguments, each, texts):
            return False
    followed = rule.followed
    if followed and not all(may_match(file, arguments, each) for each in followed):
        return False
    return file.can_apply(rule) and _resolved_conditions_hold(file, rule, node, arguments, texts)


def _resolved_conditions_hold(
    file: ParsedFile, rule: CallRule, node: Node, arguments: list[Node], texts: TextResolver
) -> bool:
    """Do the conditions hold that need names resolved, and those about the surroundings?"""
    return (
        all(matches_condition(file, node, arguments, each, texts) for each in rule.followed)
        and not any(matches_condition(file, node, arguments, each, texts) for each in rule.unless)
        and not file.holds(rule.unless_in_file)
        and not (rule.unless_before is not None and rule.unless_before.search(file.before(node)))
        and not (rule.in_function and enclosing_function(file, node) is None)
        and not (rule.dropped and not is_result_unused(file, node))
        and not (rule.unchecked_result is not None and not is_result_unchecked(file, node, rule.unchecked_result))
        and not (rule.unless_nearby is not None and is_excused(file, node, rule.unless_nearby, rule))
        and not (rule.is_about_swallowed_errors and file.has_justifying_comment(node))
        and (
            rule.probe != _QUERY_PROBE or all(matches_with_constants(file, node, arguments, each) for each in rule.when)
        )
    )


def apply_rules_to_callers(file: ParsedFile) -> None:
    """Apply rules to callers of functions that forward a parameter to the call that a rule is about."""
    named: dict[str, tuple[CallRule, int]] = {}
    for rule, place in file.forwarded_arguments[:_MAX_FORWARDED_ARGUMENTS]:
        function = enclosing_function(file, place) if place.type in file.texts.writing.names else None
        at = None if function is None else _parameter_index(file, function, file.text(place, 100))
        if function is not None and at is not None:
            name = function_name(file, function, function.start_byte)
            if name is not None and name in file.called and file.texts.is_parameter(place):
                named[name] = (rule, at)
    for name, (rule, at) in named.items():
        for node in file.calls_of(file.called[name]):
            if (rule.probe, node.start_point[0] + 1) in file.told:
                continue  # by its own name
            arguments = file.arguments_of(node)
            if len(arguments) > at and all(
                each.reads is None
                or each.place != rule.forwarded_position
                or each.reads.search(
                    constant_aware_texts(file).reads(arguments[at], told_apart=each.distinguishes_identifiers)
                )
                for each in rule.when
            ):
                _report_call(file, rule, node, name, arguments, at)


def _parameter_index(file: ParsedFile, function: Node, name: str) -> int | None:
    """The place of a parameter among those of its function."""
    held = function.child_by_field_name("parameters")
    places = [each for each in (held.named_children[:20] if held is not None else ()) if each.type != "self_parameter"]
    for number, each in enumerate(places):
        if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", file.text(each, 200)):
            return number
    return None


def _resolve_imports(file: ParsedFile, named: str) -> str:
    """The qualified name of a callee, its first part looked up among the imports."""
    if named.startswith(("require(", "(")):
        named = _INLINE_REQUIRE.sub(r"\1", named)
    packages = file.language.package_prefix
    if packages is not None:
        named = packages.sub("", named)
    if named.endswith(("}", '}"')) and named not in file.language.by_name:
        named = default_program(named)
    head, mark, rest = named.partition(".")
    return f"{file.names.get(head, head)}{mark}{rest}" if head in file.names else named
