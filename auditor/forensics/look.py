"""One file, all site and text probes: decode, parse once, walk once, ask each probe about what it subscribed to."""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from auditor.forensics import aliases
from auditor.forensics.aliases import hangs_on, leading, other_names
from auditor.forensics.carried import python_inside, run_by
from auditor.forensics.comments import without_comments
from auditor.forensics.handed import RUNNING, handed_on
from auditor.forensics.languages import covered
from auditor.forensics.match import Match
from auditor.forensics.module import Module, keeps_another_name
from auditor.forensics.module_level import module_level
from auditor.forensics.outline import Outline
from auditor.forensics.outline_reader import outline
from auditor.forensics.probe import Probe, SiteProbe, SubjectProbe, Sweep, TextProbe
from auditor.forensics.record import FileRecord, Reading, SeenSite
from auditor.forensics.references import references
from auditor.forensics.roles import CODE_LANGUAGES, language_title
from auditor.forensics.sites import Site, Text
from auditor.forensics.wording import from_marked

if TYPE_CHECKING:
    from auditor.forensics.languages.rules import Language

MAX_PYTHON = 1_000_000
"""Bytes. Twice the largest file of the code bases measured; worst-case source needs 900 MB a megabyte to parse."""
MAX_TEXT = 8_000_000
_QUOTE = 300
"""Characters of a source line that a quote keeps; a longer line is cut, which is said by an ellipsis."""
_BINARY_PROBE = 8000
_CODINGS = {
    "utf-8": "utf-8", "utf8": "utf-8", "utf-8-sig": "utf-8", "u8": "utf-8", "ascii": "ascii", "us-ascii": "ascii",
    "latin-1": "latin-1", "latin1": "latin-1", "iso-8859-1": "latin-1", "iso-latin-1": "latin-1",
    "iso-8859-15": "iso-8859-15", "latin-9": "iso-8859-15", "cp1252": "cp1252", "windows-1252": "cp1252",
    "cp1251": "cp1251", "koi8-r": "koi8-r", "euc-jp": "euc-jp", "shift_jis": "shift_jis", "gbk": "gbk", "big5": "big5",
}  # fmt: skip
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
Key = TypeVar("Key")


@dataclass(frozen=True)
class Interest:
    """What all asked probes together want to see. Made once, used for every file."""

    probes: tuple[Probe, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names that other modules of the repository pass on to the files asked about, and what they stand for."""
    told: Mapping[str, object] = field(default_factory=dict)
    """What is known of names that other modules of the repository bind, for the files asked about."""
    compares: bool = True
    """Is there a base? Without one, nobody asks how much a test checks, or what a file offers to others."""
    definitions: bool = True
    """Is there more to see in Python than the names that a module binds by imports and assignments?"""

    @cached_property
    def site_probes(self) -> tuple[SiteProbe, ...]:
        """Those that look at Python."""
        return tuple(each for each in self.probes if isinstance(each, SiteProbe))

    @cached_property
    def text_probes(self) -> tuple[TextProbe, ...]:
        """Those that look at any text."""
        return tuple(each for each in self.probes if isinstance(each, TextProbe))

    @cached_property
    def by_kind(self) -> dict[type[ast.AST], list[SiteProbe]]:
        """Who wants nodes of a kind."""
        return _inverted((kind, each) for each in self.site_probes for kind in each.nodes)

    @cached_property
    def sweeping(self) -> tuple[tuple[SiteProbe, Sweep], ...]:
        """Who picks places from a file as a whole, and how."""
        return tuple((each, each.sweep) for each in self.site_probes if each.sweep is not None)

    @cached_property
    def by_name(self) -> dict[str, list[SiteProbe]]:
        """Who wants calls of a qualified name."""
        return _inverted((name, each) for each in self.site_probes for name in each.by_name)

    @cached_property
    def followed(self) -> frozenset[str]:
        """Qualified names that are looked for also where another module of the repository passes them on."""
        return frozenset(name for each in self.site_probes for name in each.calls)

    @cached_property
    def by_method(self) -> dict[str, list[SiteProbe]]:
        """Who wants calls of a method, whatever it is called on."""
        return _inverted((name, each) for each in self.site_probes for name in each.methods)

    @cached_property
    def by_reference(self) -> dict[str, list[SiteProbe]]:
        """Who wants to know where a function is passed on."""
        return _inverted((name, each) for each in self.site_probes for name in each.references)

    @cached_property
    def referenced(self) -> frozenset[str]:
        """Qualified names of functions that somebody looks for where they are passed on."""
        return frozenset(self.by_reference)

    @cached_property
    def endings(self) -> frozenset[str]:
        """Last parts of all qualified names."""
        return frozenset(name.rpartition(".")[2] for name in self.by_name)

    @cached_property
    def segments(self) -> frozenset[str]:
        """Last parts of all that is wanted: a call that ends in none of them need not be looked at."""
        return self.endings | frozenset(self.by_method)

    @cached_property
    def passed_on(self) -> frozenset[str]:
        """Last parts of the names that other modules pass on."""
        return frozenset(name.rpartition(".")[2] for name in self.renamed)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Last parts of the names under which what is wanted may be called."""
        return self.endings | self.passed_on

    @cached_property
    def looked_for(self) -> frozenset[str]:
        """Last parts of all calls that are looked at."""
        return self.segments | self.passed_on

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """What the qualified names of all calls begin with, themselves included."""
        starts = {start for name in self.by_name for start in accumulate(name.split("."), "{}.{}".format)}
        return frozenset({"builtins", *starts, *(f"builtins.{start}" for start in starts)})

    @cached_property
    def codes(self) -> frozenset[str]:
        """Ruff's rules that take a second look."""
        return frozenset(code for each in self.site_probes for code in each.second_look)

    def wants_second_look(self, record: FileRecord) -> bool:
        """Did a probe see something in this file that ruff has rules for?"""
        return any(each.second_look and each.id in record.sites for each in self.site_probes)

    @cached_property
    def digest(self) -> str:
        """Tells who was asked: a record made for some probes says nothing of what the others would have seen."""
        asked = [each.id for each in self.probes if not isinstance(each, SubjectProbe)]
        return hashlib.sha256("\n".join((*asked, str(self.compares))).encode()).hexdigest()[:16]

    @cached_property
    def kinds(self) -> frozenset[type[ast.AST]]:
        """Node kinds to keep during the walk."""
        return aliases.KINDS | frozenset(self.by_kind)


def look(content: bytes, language: str, interest: Interest) -> FileRecord:
    """What the probes see in one file. Never raises on account of the content."""
    if language != "python":
        content = from_marked(content)
    if b"\0" in content and (written_in := _source_language(content, language)):
        reason = f"it holds zero bytes, so it could not be read as {language_title(written_in)}"
        return FileRecord(Reading.NONE, reason, carries="" if language in CODE_LANGUAGES else written_in)
    if b"\0" in content[:_BINARY_PROBE]:
        return FileRecord(Reading.BINARY, "binary")
    return _look_at_python(content, interest) if language == "python" else _look_at_text(content, language, interest)


def _look_at_text(content: bytes, language: str, interest: Interest) -> FileRecord:
    """What the probes see in a file that is not named like Python."""
    if len(content) > MAX_TEXT:
        return FileRecord(Reading.NONE, f"larger than {MAX_TEXT:,} bytes")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        if language not in CODE_LANGUAGES:
            return FileRecord(Reading.BINARY, "binary: neither code nor text in UTF-8")
        text = content.decode("utf-8", errors="backslashreplace")
    sites, candidates, failed = _ask_texts(Text(text, language), interest)
    seen = _with_carried(text, language, interest, sites, candidates, failed)
    told = "" if seen.carries or language in CODE_LANGUAGES else run_by(text)
    known = covered().get(told or language)
    if known is None:
        return seen
    return replace(_look_at_code(content, text, known, interest, seen), carries=seen.carries or told)


def _source_language(content: bytes, language: str) -> str:
    """The programming language of a file by its name, else by its first line; empty where it is in none."""
    if language in CODE_LANGUAGES:
        return language
    first = content.split(b"\n", 1)[0][:_QUOTE].decode("ascii", errors="replace")
    return run_by(first) or ("python" if python_inside(first, language) else "")


def _with_carried(
    text: str, language: str, interest: Interest, sites: Seen, candidates: dict[str, int], failed: dict[str, str]
) -> FileRecord:
    """The record of a text, with what the probes of Python see in the Python that it carries."""
    carried = python_inside(text, language)
    if carried is None:
        return FileRecord(Reading.FULL, "", sites, candidates, failed)
    if carried.unread or len(carried.source) > MAX_PYTHON:
        reason = carried.unread or f"it carries more than {MAX_PYTHON:,} bytes of Python"
        return FileRecord(Reading.PARTIAL, reason, sites, candidates, failed, carries="python")
    return replace(_parsed(Text(carried.source, "python"), interest, sites, candidates, failed), carries="python")


def _look_at_code(content: bytes, text: str, language: Language, interest: Interest, seen: FileRecord) -> FileRecord:
    """What the rules of a covered language see, added to what was seen of the text."""
    from auditor.forensics.languages import reading

    wanted = frozenset(each.id for each in interest.site_probes) & language.probes
    looked = reading.look(content, language, wanted, compared=interest.compares)
    if looked.unread:
        failed = {**seen.failed, **dict.fromkeys(sorted(wanted), looked.unread)}
        return replace(seen, failed=failed, reason=looked.unread)
    lines = text.split("\n")
    sites = dict(seen.sites)
    for probe, found in looked.sites.items():
        sites[probe] = (*sites.get(probe, ()), *_quoted(found, lines))
    candidates = {**dict.fromkeys(sorted(wanted), 0), **seen.candidates}
    for probe, count in looked.candidates.items():
        candidates[probe] = candidates.get(probe, 0) + count
    reason = "; ".join(filter(None, (seen.reason, looked.reason)))
    return replace(
        seen, sites=sites, candidates=candidates, outline=looked.outline, reason=reason, tests=tuple(looked.tests)
    )


def _look_at_python(content: bytes, interest: Interest) -> FileRecord:
    if len(content) > MAX_PYTHON:
        return FileRecord(Reading.NONE, f"larger than {MAX_PYTHON:,} bytes")
    source = decoded(content)
    if isinstance(source, Undecodable):
        return FileRecord(Reading.NONE, source.reason)
    if not interest.definitions:
        return _binding(source)
    text = Text(source, "python")
    return _parsed(text, interest, *_ask_texts(text, interest))


def _binding(source: str) -> FileRecord:
    """What a module binds at its own level, for those who take names from it: its definitions are not gone into."""
    tree = module_level(source)
    text = Text(source, "python")
    module = parsed_module(text, aliases.KINDS) if tree is None else _walked(text, tree, aliases.KINDS)
    if isinstance(module, Unparsed):
        return FileRecord(Reading.NONE, module.reason)
    return FileRecord(Reading.FULL, outline=outline(module))


def _parsed(
    text: Text, interest: Interest, sites: Seen, candidates: dict[str, int], failed: dict[str, str]
) -> FileRecord:
    """What the probes of Python see, beside what those of any text saw."""
    parsed = parsed_module(text, interest.kinds)
    if isinstance(parsed, Unparsed):
        from auditor.forensics.treesitter import look_without_parser

        return look_without_parser(text, parsed, interest, sites, candidates, failed)
    parsed.renamed, parsed.told = interest.renamed, interest.told
    shape = ask_sites(parsed, interest, sites, candidates, failed)
    return FileRecord(Reading.FULL, "", sites, candidates, failed, shape)


@dataclass(frozen=True)
class Undecodable:
    """Why bytes are not text that Python would accept."""

    reason: str


@dataclass(frozen=True)
class Unparsed:
    """Why a source has no syntax tree; `broken` when it is the source's fault rather than our limits'."""

    reason: str
    broken: bool


def decoded(content: bytes) -> str | Undecodable:
    """The text of a Python file, by its declared coding when that is on our list.

    The parser is never given bytes: some codecs take quadratic time on hostile input.
    """
    coding = "utf-8"
    for line in content.split(b"\n", 2)[:2]:
        declared = _CODING.match(line)
        if declared:
            coding = declared[1].decode("ascii", errors="replace").lower().replace("_", "-")
            break
    known = _CODINGS.get(coding) or _CODINGS.get(coding.replace("-", "_"))
    if known is None:
        return Undecodable(f"its declared coding {coding[:40]!r} is not read")
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode(known)
    except UnicodeDecodeError:
        return Undecodable(f"not valid {known}")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def parsed_module(text: Text, kinds: Iterable[type[ast.AST]]) -> Module | Unparsed:
    """The parsed and walked file, or why there is none."""
    tree = parsed_tree(text.content)
    return tree if isinstance(tree, Unparsed) else _walked(text, tree, kinds)


def _walked(text: Text, tree: ast.Module, kinds: Iterable[type[ast.AST]]) -> Module | Unparsed:
    try:
        return Module(text, tree, kinds)
    except RecursionError:
        return Unparsed("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return Unparsed("too complex to be parsed within the memory limit", broken=False)


def parsed_tree(source: str) -> ast.Module | Unparsed:
    """The syntax tree of a Python source, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as error:
        return Unparsed(f"not valid Python for this interpreter (line {error.lineno})", broken=True)
    except ValueError:
        return Unparsed("holds characters that no Python source may hold", broken=True)
    except RecursionError:
        return Unparsed("nested too deeply to be parsed", broken=False)
    except MemoryError:
        return Unparsed("too complex to be parsed within the memory limit", broken=False)


STUMBLES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a probe raises on a file that it was not made for. It is not asked about that file again; all others are."""
Seen = dict[str, tuple[SeenSite, ...]]


def _ask_texts(text: Text, interest: Interest) -> tuple[Seen, dict[str, int], dict[str, str]]:
    sites: Seen = {}
    candidates: dict[str, int] = {}
    failed: dict[str, str] = {}
    for probe in interest.text_probes:
        try:
            seen = list(probe.ask(text))
        except STUMBLES as error:
            failed[probe.id] = f"the probe stumbled on it ({type(error).__name__})"
            continue
        candidates[probe.id] = 1
        if seen:
            sites[probe.id] = _quoted(seen, text.lines)
    return sites, candidates, failed


def ask_sites(
    module: Module, interest: Interest, sites: Seen, candidates: dict[str, int], failed: dict[str, str]
) -> Outline | None:
    """Ask every site probe; fills the mappings and gives the file's outline."""
    answers = _Answers(candidates, failed)
    for kind, probes in interest.by_kind.items():
        shown = module.nodes[kind]
        for probe in probes if shown else ():
            answers.count(probe, len(shown) if kind in (probe.counted or probe.nodes) else 0)
            for node, scope in shown if probe.glance is None else probe.glance(shown, module):
                answers.ask(probe, Match(node, scope, module))
    for probe, sweep in interest.sweeping:
        for node, scope in sweep(module):
            answers.ask(probe, Match(node, scope, module))
    _ask_about_calls(module, interest, answers)
    for probe_id, found in answers.seen.items():
        if probe_id not in failed:
            sites[probe_id] = _quoted(found, module.lines, without_comments)
    try:
        return outline(module)
    except (RecursionError, MemoryError):
        return None


@dataclass(slots=True)
class _Answers:
    """What the probes saw in a file, as far as they were asked."""

    candidates: dict[str, int]
    failed: dict[str, str]
    seen: dict[str, list[Site]] = field(default_factory=dict)

    def count(self, probe: SiteProbe, shown: int) -> None:
        """Note how many places a probe is shown."""
        self.candidates[probe.id] = self.candidates.get(probe.id, 0) + shown

    def ask(self, probe: SiteProbe, match: Match) -> bool:
        """Ask one probe about one place; did it see something? A probe that stumbled once is not asked about this file again."""
        if probe.id in self.failed:
            return False
        try:
            found = list(probe.ask(match))
        except STUMBLES as error:
            self.failed[probe.id] = f"the probe stumbled on it ({type(error).__name__})"
            return False
        if found:
            self.seen.setdefault(probe.id, []).extend(found)
        return bool(found)

    def ask_by_name(self, probe: SiteProbe, match: Match) -> None:
        """Ask about a call of a known name; what only makes a callable counts where something is seen."""
        if self.ask(probe, match) or match.name not in probe.makers:
            self.count(probe, 1)


def _ask_about_calls(module: Module, interest: Interest, answers: _Answers) -> None:
    """Ask about every call, and every function passed on, that some probe wants to see.

    Most calls are passed over by the last part of their name.
    """
    if interest.segments:
        wanted = other_names(module, interest.looked_for) | (interest.looked_for & module.calls.keys())
        names = leading(module, interest.beginnings)
        for last in ("", "__call__", *sorted(wanted)):
            if last in module.calls:
                told = _ask_by_name(last, names, module, interest, answers)
                _ask_by_method(last, told, module, interest, answers)
        if not RUNNING.isdisjoint(module.calls):
            words = other_names(module, interest.looked_for) | interest.looked_for
            _ask_about_handed(words, names, module, interest, answers)
    if interest.by_reference:
        for place, scope, name in references(module, interest.referenced, partial(other_names, module)):
            for probe in interest.by_reference[name]:
                answers.ask_by_name(probe, Match(place, scope, module, name))


def _ask_about_handed(
    words: Container[str], leading: Container[str], module: Module, interest: Interest, answers: _Answers
) -> None:
    """Ask about the calls that others make; who looks for functions that are passed on sees these without."""
    for made, scope, by in handed_on(module, words):
        name = module.resolve(made.func, scope) if hangs_on(made.func) in leading else None
        for probe in interest.by_name.get(name or "", ()):
            if name not in probe.references:
                answers.ask_by_name(probe, Match(made, scope, module, str(name), by=by))


SEVERAL = "a name in it is bound in several ways, and this is the likeliest"


def _ask_by_name(
    last: str, leading: Container[str], module: Module, interest: Interest, answers: _Answers
) -> dict[int, list[SiteProbe]]:
    """Ask about the calls that end in a word and have a name that somebody looks for; gives who was, by the call.

    To resolve a name takes long: it is done where what the call hangs on may lead to something looked for.
    """
    told: dict[int, list[SiteProbe]] = {}
    telling = last in interest.telling
    for node, scope in module.calls[last]:
        func = node.func
        if not (telling or not isinstance(func, ast.Attribute) or keeps_another_name(func)):
            continue
        if hangs_on(func) not in leading:
            continue
        name = module.resolve(func, scope)
        if name in interest.by_name:
            told[id(node)] = interest.by_name[name]
            for probe in interest.by_name[name]:
                answers.ask_by_name(probe, Match(node, scope, module, name))
        elif name is None and (suspected := module.suspected(func, scope)):
            for probe in interest.by_name.get(suspected, ()):
                answers.ask_by_name(probe, Match(node, scope, module, suspected, SEVERAL))
    return told


def _ask_by_method(
    last: str, told: Mapping[int, list[SiteProbe]], module: Module, interest: Interest, answers: _Answers
) -> None:
    """Ask who wants every call of a method about those that they were not told of by name."""
    for probe in interest.by_method.get(last, ()):
        shown = [
            each
            for each in module.calls[last]
            if type(each[0].func) is ast.Attribute and not (told and probe in told.get(id(each[0]), ()))
        ]
        if not shown:
            continue
        answers.count(probe, len(shown))
        for node, scope in shown if probe.method_glance is None else probe.method_glance(shown, module):
            answers.ask(probe, Match(node, scope, module, f".{last}"))


def _quoted(sites: Iterable[Site], lines: list[str], telling: Callable[[str], str] = str) -> tuple[SeenSite, ...]:
    """Sites in order, each with its first line and a mark of what `telling` leaves of all its lines."""
    ordered = sorted(sites, key=lambda site: (site.line, site.end, site.statement, site.call))
    return tuple(
        SeenSite(site, quote(lines, site.line), _mark(telling("\n".join(lines[site.line - 1 : site.end]))))
        for site in dict.fromkeys(ordered)
    )


def _mark(text: str) -> str:
    spanned = "\n".join(filter(None, (line.strip() for line in text.split("\n"))))
    return hashlib.blake2b(spanned.encode("utf-8", errors="surrogatepass"), digest_size=8).hexdigest()


def quote(lines: list[str], number: int) -> str:
    """A line as it is shown: without what stands around it, and not longer than anybody reads."""
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return line if len(line) <= _QUOTE else line[:_QUOTE] + "…"


def _inverted(pairs: Iterable[tuple[Key, SiteProbe]]) -> dict[Key, list[SiteProbe]]:
    inverted: dict[Key, list[SiteProbe]] = {}
    for key, probe in pairs:
        inverted.setdefault(key, []).append(probe)
    return inverted
