"""Asks site and text probes about one file, and quotes the lines of what they see."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.probe_kit.file_record import MINIFIED, MINIFIED_LENGTH, SeenSite
from auditor.forensics.probe_kit.probe_decorators import SiteProbe
from auditor.forensics.python.callable_resolution import (
    AMBIGUOUS_NAME_REASON,
    constructor_calls,
    effective_call,
    possible_callees,
)
from auditor.forensics.python.callback_arguments import CALLBACK_RUNNERS, callback_calls
from auditor.forensics.python.expression_roots import root_of
from auditor.forensics.python.function_references import find_module_references, find_references
from auditor.forensics.python.name_resolution import Module, may_have_other_name
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.possible_aliases import find_aliases, names_leading_to
from auditor.forensics.python.python_outline import read_outline
from auditor.forensics.python.scoped_nodes import Scope
from auditor.forensics.source_text.comments import strip_comments
from auditor.forensics.source_text.file_outline import Outline
from auditor.forensics.source_text.site_probe_types import Site, Text

_MAX_QUOTE_LENGTH = 300
"""Characters of a source line that a quote keeps; a longer line is cut, which is said by an ellipsis."""
PROBE_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a failing probe raises. It is not asked about that file again; all others are."""
SitesByProbe = dict[str, tuple[SeenSite, ...]]


def ask_text_probes(text: Text, interest: Interest) -> tuple[SitesByProbe, dict[str, int], dict[str, str]]:
    """What every text probe sees, how many places each was shown, and which failed and why."""
    sites: SitesByProbe = {}
    candidates: dict[str, int] = {}
    failed: dict[str, str] = {}
    for probe in interest.text_probes:
        try:
            seen = list(probe.ask(text))
        except PROBE_ERRORS as error:
            failed[probe.id] = f"the rule failed on it ({type(error).__name__})"
            continue
        candidates[probe.id] = 1
        if seen:
            sites[probe.id] = quote_sites(seen, text.lines)
    return sites, candidates, failed


def ask_site_probes(
    module: Module, interest: Interest, sites: SitesByProbe, candidates: dict[str, int], failed: dict[str, str]
) -> Outline | None:
    """Ask every site probe; fills the mappings and gives the file's outline."""
    answers = _Answers(candidates, failed)
    for kind, probes in interest.by_kind.items():
        shown = module.nodes[kind]
        for probe in probes if shown else ():
            answers.count(probe, len(shown) if kind in (probe.counted or probe.nodes) else 0)
            for node, scope in shown if probe.node_filter is None else probe.node_filter(shown, module):
                answers.ask(probe, Match(node, scope, module))
    for probe, sweep in interest.file_selectors:
        for node, scope in sweep(module):
            answers.ask(probe, Match(node, scope, module))
    _ask_about_calls(module, interest, answers)
    for probe_id, found in answers.seen.items():
        if probe_id not in failed:
            sites[probe_id] = quote_sites(found, module.lines, strip_comments)
    try:
        return read_outline(module)
    except (RecursionError, MemoryError):
        return None


@dataclass(slots=True)
class _Answers:
    """What the probes saw in a file, as far as they were asked."""

    candidates: dict[str, int]
    failed: dict[str, str]
    seen: dict[str, list[Site]] = field(default_factory=dict)
    followed: set[tuple[str, int]] = field(default_factory=set)
    """Probes, and functions passed on as values of which they saw the call: these are reported there."""

    def count(self, probe: SiteProbe, shown: int) -> None:
        """Note how many places a probe is shown."""
        self.candidates[probe.id] = self.candidates.get(probe.id, 0) + shown

    def ask(self, probe: SiteProbe, match: Match) -> bool:
        """Ask one probe about one place; did it see something? A probe that stumbled once is not asked about this file again."""
        if probe.id in self.failed:
            return False
        try:
            found = list(probe.ask(match))
        except PROBE_ERRORS as error:
            self.failed[probe.id] = f"the rule failed on it ({type(error).__name__})"
            return False
        if found:
            self.seen.setdefault(probe.id, []).extend(found)
        return bool(found)

    def ask_by_name(self, probe: SiteProbe, match: Match) -> bool:
        """Ask about a call of a known name; what only makes a callable counts where something is seen."""
        found = self.ask(probe, match)
        if found or match.name not in probe.callable_factories:
            self.count(probe, 1)
        return found


def _ask_about_calls(module: Module, interest: Interest, answers: _Answers) -> None:
    """Ask about every call, and every function passed on, that some probe wants to see.

    Most calls are passed over by the last part of their name.
    """
    if interest.segments:
        aliases = find_aliases(module, interest.all_suffixes)
        wanted = aliases | (interest.all_suffixes & module.calls.keys())
        names = names_leading_to(module, interest.name_prefixes)
        for last in ("", "__call__", *sorted(wanted)):
            if last in module.calls:
                told = _ask_by_name(last, names, module, interest, answers, is_alias=last in aliases)
                _ask_by_method(last, told, module, interest, answers)
        if not CALLBACK_RUNNERS.isdisjoint(module.calls):
            words = aliases | interest.all_suffixes
            _ask_about_callbacks(words, names, module, interest, answers)
        if "__init__" in module.calls:
            _ask_about_constructors(names, module, interest, answers)
    _ask_about_references(module, interest, answers)


def _ask_about_references(module: Module, interest: Interest, answers: _Answers) -> None:
    """Ask about functions, and modules that hold them, that are passed on as values and whose calls were not seen."""
    if interest.by_module:
        for place, scope, name in find_module_references(module, interest.passed_modules):
            for probe in interest.by_module[name]:
                if (probe.id, id(place)) not in answers.followed:
                    answers.ask(probe, Match(place, scope, module, name))
    if interest.by_reference:
        for place, scope, name in find_references(module, interest.referenced_names, partial(find_aliases, module)):
            for probe in interest.by_reference[name]:
                if (probe.id, id(place)) not in answers.followed:
                    answers.ask_by_name(probe, Match(place, scope, module, name))


def _ask_about_callbacks(
    words: Container[str], leading: Container[str], module: Module, interest: Interest, answers: _Answers
) -> None:
    """Ask about the calls that others make; who looks for functions that are passed on sees these without."""
    for made, scope, by in callback_calls(module, words):
        name = module.resolve(made.func, scope) if root_of(made.func) in leading else None
        for probe in interest.by_name.get(name or "", ()):
            if name not in probe.references:
                answers.ask_by_name(probe, Match(made, scope, module, str(name), by=by))
        if name not in interest.by_name and isinstance(made.func, ast.Attribute):
            _ask_about_method(made.func.attr, Match(made, scope, module, by=by), interest, answers)


def _ask_about_method(method: str, match: Match, interest: Interest, answers: _Answers) -> None:
    """Ask who wants calls of a method about one that is made by another call, or under another name."""
    for probe in interest.by_method_name.get(method, ()):
        if probe.method_filter is None or probe.method_filter([(match.node, match.scope)], match.module):
            answers.ask(probe, replace(match, name=f".{method}"))


def _ask_by_name(
    last: str, leading: Container[str], module: Module, interest: Interest, answers: _Answers, *, is_alias: bool
) -> dict[int, list[SiteProbe]]:
    """Ask about the calls that end in a word and have a name that somebody looks for; gives who was, by the call.

    To resolve a name takes long: it is done where what the call hangs on may lead to something looked for.
    """
    told: dict[int, list[SiteProbe]] = {}
    telling, attribute = last in interest.telling, ast.Attribute
    classes = {each.node.name for each in module.scopes if isinstance(each.node, ast.ClassDef)} if is_alias else set()
    for node, scope in module.calls[last]:
        func = node.func
        if not (is_alias or telling or not isinstance(func, ast.Attribute) or may_have_other_name(func)):
            continue
        if root_of(func) not in leading:
            owner = func.value if telling and type(func) is attribute else None
            nested = type(owner) is attribute and owner.attr in interest.owner_words  # `shutil.os.system`
            if nested or not last or (is_alias and _is_own_name(func, classes)):
                _ask_about_possible_callees(node, scope, module, interest, answers)
            continue
        name = module.resolve(func, scope)
        if name is not None and name not in interest.by_name:
            name = interest.standard_name(name)
        if name in interest.by_name:
            told[id(node)] = interest.by_name[name]
            for probe in interest.by_name[name]:
                answers.ask_by_name(probe, Match(node, scope, module, name))
        elif name is None or not last or (is_alias and _is_own_name(func, classes)):
            seen = _ask_about_possible_callees(node, scope, module, interest, answers)
            suspected = module.resolve_likeliest(func, scope) if not seen and name is None else None
            for probe in interest.by_name.get(suspected or "", ()):
                answers.ask_by_name(probe, Match(node, scope, module, str(suspected), AMBIGUOUS_NAME_REASON))
    return told


def _is_own_name(func: ast.expr, classes: Container[str]) -> bool:
    """Is it a name of the file's own, or an attribute of `self`, of a class of the file, or of a new object of one?"""
    if not isinstance(func, ast.Attribute) or may_have_other_name(func):
        return True
    owner = func.value.func if isinstance(func.value, ast.Call) else func.value
    return isinstance(owner, ast.Name) and owner.id in classes


def _ask_about_possible_callees(
    node: ast.Call, scope: Scope, module: Module, interest: Interest, answers: _Answers
) -> bool:
    """Ask about every function that somebody looks for and that a call may make; was there one?"""
    asked = False
    made = effective_call(module, node, scope)
    for callee in possible_callees(module, made.func, scope):
        name = interest.standard_name(callee.name)
        match = Match(made, scope, module, name, callee.doubt, by=node if made is not node else None)
        if name[:1] == ".":
            _ask_about_method(name[1:], match, interest, answers)
            continue
        if callee.method and name not in interest.by_name:
            _ask_about_method(callee.method, match, interest, answers)
        for probe in interest.by_name.get(name, ()):
            asked = True
            if answers.ask_by_name(probe, match):
                answers.followed.update((probe.id, each) for each in callee.origins)
    return asked


def _ask_about_constructors(leading: Container[str], module: Module, interest: Interest, answers: _Answers) -> None:
    """Ask about the constructors of base classes that a class of the file calls."""
    for made, scope, base in constructor_calls(module):
        name = module.resolve(base, scope) if root_of(base) in leading else None
        for probe in interest.by_name.get(name or "", ()):
            answers.ask_by_name(probe, Match(made, scope, module, str(name)))


def _ask_by_method(
    last: str, asked_by_name: Mapping[int, list[SiteProbe]], module: Module, interest: Interest, answers: _Answers
) -> None:
    """Ask who wants every call of a method about those that they did not get by name."""
    for probe in interest.by_method_name.get(last, ()):
        shown = [
            each
            for each in module.calls[last]
            if type(each[0].func) is ast.Attribute
            and not (asked_by_name and probe in asked_by_name.get(id(each[0]), ()))
        ]
        if not shown:
            continue
        answers.count(probe, len(shown))
        for node, scope in shown if probe.method_filter is None else probe.method_filter(shown, module):
            answers.ask(probe, Match(node, scope, module, f".{last}"))


def quote_sites(sites: Iterable[Site], lines: list[str], normalize: Callable[[str], str] = str) -> tuple[SeenSite, ...]:
    """Sites in order, each with its first line and a digest of what `normalize` leaves of all its lines."""
    counts = Counter(sorted(sites, key=lambda site: (site.line, site.end, site.statement, site.call)))
    return tuple(
        SeenSite(
            site,
            quote_line(lines, site.line, beginning=site.call.partition("(")[0]),
            mark := _digest(normalize("\n".join(lines[site.line - 1 : site.end]))),
            tuple((number, quote_line(lines, number)) for number in site.related),
            count if mark == MINIFIED else 1,
        )
        for site, count in counts.items()
    )


def _digest(text: str) -> str:
    """A digest of lines; MINIFIED where one is so long that any edit of the file changes it."""
    if len(text) > MINIFIED_LENGTH and max(map(len, text.split("\n"))) > MINIFIED_LENGTH:
        return MINIFIED
    spanned = "\n".join(filter(None, (line.strip() for line in text.split("\n"))))
    return hashlib.blake2b(spanned.encode("utf-8", errors="surrogatepass"), digest_size=8).hexdigest()


def quote_line(lines: list[str], number: int, beginning: str = "") -> str:
    """A line as it is shown: without blanks at its ends, and of a long one its start, or what begins with a text far behind it."""
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    if len(line) <= _MAX_QUOTE_LENGTH:
        return line
    start = line.find(beginning) if beginning else 0
    if start + len(beginning) <= _MAX_QUOTE_LENGTH:
        start = 0
    end = start + _MAX_QUOTE_LENGTH
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
