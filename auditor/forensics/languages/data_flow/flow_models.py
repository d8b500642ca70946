"""The rows of untrusted input in other languages than Python: sources, sinks, and what lies between. See `flow_models.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from pydantic import Field

from auditor import row_tables
from auditor.domain.frozen_model import Frozen
from auditor.forensics.code_facts.flow_rows import CheckRow, HarmlessRow, SinkRow, SourceRow
from auditor.forensics.code_facts.input_flows import Grade
from auditor.forensics.languages.data_flow.row_vocabulary import SinkPart, SourceKind
from auditor.forensics.source_text.keyword_index import KeywordSearch
from auditor.row_tables import FreeSet, TopicRow, read_table

_DATA = Path(__file__).with_name("flow_models.yaml")
Languages = FreeSet
ANY_MEMBER = ".<any>"
"""Part of a name in a row of sinks: any function of the module."""
ANY_POSITION = -1
RECEIVER = -2
"""The position of what a method is called on."""


class Source(SourceRow):
    """A row of sources."""

    language: Languages = Field(min_length=1)
    kind: SourceKind
    position: int = Field(default=0, ge=ANY_POSITION)
    """Of the parameter; -1 for any."""
    beside: FreeSet = frozenset()
    """Names of the parameter behind it, one of which it must have."""
    argument: str = ""
    """The text that a call must be given first; a star for any argument."""
    ignored: FreeSet = frozenset()
    """Texts that make a call no source where it is given one of them first."""
    on_parameter: bool = False
    """Must the method that a function is given to be one of a parameter?"""
    types: FreeSet = frozenset()
    """Types of which a parameter must have one, beside those that the file declares; a star matches the beginning of a name."""


class Sink(SinkRow):
    """A row of sinks; a method of an unknown object may be another one where no package is there that a row requires."""

    language: Languages = Field(min_length=1)
    position: int = Field(default=0, ge=RECEIVER)
    """Of the argument; -1 for any."""
    part: SinkPart = SinkPart.WHOLE
    keyword: str = ""
    """The argument by its name, where it has one."""
    needs_text: bool = False
    """Must untrusted input be next to a text in SQL?"""
    given: FreeSet = frozenset()
    """Names of which one must be among the arguments."""
    unless_called: FreeSet = frozenset()
    """Calls of which one in the same function makes the call harmless."""
    does: str
    """What a call of it does, for a sentence that begins with what is called."""

    def owned(self) -> Iterable[str]:
        """All calls in each language, for the rule and the argument."""
        about = f"({self.keyword or self.position}, {self.part}, {self.probe})"
        return [f"{language}: {each} {about}" for language in self.language for each in self.calls]


class Harmless(HarmlessRow):
    """A row of calls whose result can do no harm."""

    language: Languages = Field(min_length=1)
    rooted: bool = False
    """Is the result of the calls harmless only where their argument begins with a slash?"""
    given: FreeSet = frozenset()
    """Names of which one must be among the arguments."""
    without: FreeSet = frozenset()
    """Packages of which a file uses none: with one, a method of that name may be another one."""


class Checks(CheckRow):
    """Checks of other languages, by the last parts of calls."""

    language: Languages = Field(min_length=1)
    confirming: FreeSet = frozenset()
    """Last parts of calls that are true of a harmless value, whatever was done to it before."""
    containing: FreeSet = frozenset()
    """Last parts of calls that say whether a value holds a text."""
    placing: FreeSet = frozenset()
    """Last parts of calls that say where it does: 0 where it begins so, -1 or false where it does not."""
    folders: FreeSet = frozenset()
    """Last parts of calls that give the folder of a path, which is compared with the one that it must be in."""
    differing: FreeSet = frozenset()
    """Last parts of calls that give 0 where the value begins with a text."""


class Uploads(TopicRow):
    """How the files of a request are reached, and the paths at which the server keeps them."""

    language: Languages = Field(min_length=1)
    probes: FreeSet
    uploads: FreeSet = frozenset()
    """Members and methods of a request that are an upload."""
    tables: FreeSet = frozenset()
    """Globals, members and methods that are tables of uploads."""
    lookups: FreeSet = frozenset()
    """Methods that take an upload out of such a table."""
    keepers: FreeSet = frozenset()
    """Members of an upload that hold it in another form."""
    types: FreeSet = frozenset()
    """Types that uploads are declared with."""
    paths: FreeSet
    """Members and methods of an upload that are the path of its file."""
    keys: FreeSet = frozenset()
    """The same of an upload that is a table."""
    source: row_tables.Source


class Passing(Frozen):
    """What calls do with values, by language."""

    language: Languages = Field(min_length=1)
    words: FreeSet
    """One of them is in every file that takes in untrusted input."""
    hiding: dict[str, str] = Field(default_factory=dict)
    """Words, and for each a form that a file fits that may call something by another name."""
    query_hiding: dict[str, str] = Field(default_factory=dict)
    """The same beside a text in SQL."""
    reflecting_names: FreeSet = frozenset()
    """Names by which a function can be had without its own."""
    returning: FreeSet = frozenset()
    """Calls that give back what they are given, perhaps decoded."""
    joining_methods: FreeSet = frozenset()
    """Methods whose result holds their arguments as well as what they are called on."""
    adding_methods: FreeSet = frozenset()
    """Methods that add their arguments to what they are called on."""
    keepers: dict[str, FreeSet] = Field(default_factory=dict)
    """Classes whose objects keep a value for the code that runs meanwhile, and the methods that are given it."""
    kept_readers: FreeSet = frozenset()
    """Methods that give back what such an object keeps."""
    filling_calls: FreeSet = frozenset()
    """Calls that put what they read into an argument."""
    member_callbacks: FreeSet = frozenset()
    """Methods that call what they are given with members of what they are called on."""
    harmless_methods: FreeSet = frozenset()
    harmless_types: FreeSet = frozenset()
    lookup_methods: FreeSet = frozenset()
    """Methods that take one value out of a table."""
    download_words: FreeSet = frozenset()
    """One of them is in every file that asks a server."""
    holding_types: FreeSet = frozenset()
    """Types whose methods are those of the type that they hold."""
    building_types: FreeSet = frozenset()
    """Types of which methods give back what has the same methods, so that only the last one of a chain counts."""
    callable_returning: FreeSet = frozenset()
    """Calls that give back a function that does the same as the one they are given."""
    callback_calls: dict[str, tuple[int, int]] = Field(default_factory=dict)
    """Calls that call one of their arguments: its position, and that of the first argument that it is given."""
    keyed_calls: FreeSet = frozenset()
    """Of the calls that fill an argument, those whose first argument is a key."""
    mapping: FreeSet = frozenset()
    """Calls whose result holds what the function gives back that they are given."""
    word_methods: FreeSet = frozenset()
    """Methods that add words to a command, and fields with `=` that hold them."""
    program_fields: FreeSet = frozenset()
    """Fields of a command that hold its program."""
    word_fields: FreeSet = frozenset()
    """Fields of a command that hold its words."""
    command_lines: bool = False
    """Does an argument of a command hold several words?"""
    runners: FreeSet = frozenset()
    """Calls that call their first argument with the ones behind it, or with nothing."""
    input_members: FreeSet = frozenset()
    """Options of a call that starts a program, and fields of what it returns, that hold what the program reads."""
    alias_calls: FreeSet = frozenset()
    """Calls that give a method a second name."""
    table_calls: FreeSet = frozenset()
    """Methods that give a table with the names that they are given."""
    naming_calls: FreeSet = frozenset()
    """Calls that make a method of a name and a function."""
    loader_makers: FreeSet = frozenset()
    """Calls that give back a function that loads modules."""
    inspecting: FreeSet = frozenset()
    """Calls that are given functions and do not call them."""
    text_formats: FreeSet = frozenset()
    """Calls that put arguments into a text."""


class FlowModels(Frozen):
    """All rows."""

    passing: tuple[Passing, ...]
    sources: tuple[Source, ...]
    sinks: tuple[Sink, ...]
    harmless: tuple[Harmless, ...]
    checks: tuple[Checks, ...]
    uploads: tuple[Uploads, ...]


class LanguageModels:
    """The rows of one language."""

    def __init__(self, models: FlowModels, language: str) -> None:
        self.sources = [each for each in models.sources if language in each.language]
        self.sinks = [each for each in models.sinks if language in each.language]
        self._harmless = [each for each in models.harmless if language in each.language]
        self._checks = [each for each in models.checks if language in each.language]
        self._uploads = [each for each in models.uploads if language in each.language]
        self.passing = next(each for each in models.passing if language in each.language)

    def harmless_for(self, probe: str) -> frozenset[str]:
        """Calls whose result can do no harm where a probe looks."""
        if probe not in self._harmless_by_probe:
            rows = [each for each in self._harmless if not each.given and (not each.probes or probe in each.probes)]
            rows = [each for each in rows if not each.without]
            self._harmless_by_probe[probe] = frozenset(name for each in rows if not each.rooted for name in each.calls)
        return self._harmless_by_probe[probe]

    def harmless_without(self, probe: str) -> Iterable[tuple[FreeSet, FreeSet]]:
        """The same of files that use none of some packages: the packages, and the calls."""
        return [(each.without, each.calls) for each in self._harmless if each.without and probe in each.probes]

    def rooted_for(self, probe: str) -> frozenset[str]:
        """Calls whose result can do no harm where a probe looks if their argument begins with a slash."""
        rows = (each for each in self._harmless if each.rooted and probe in each.probes)
        return frozenset(name for each in rows for name in each.calls)

    def harmless_members(self, probe: str) -> frozenset[str]:
        """Members of a request whose value can do no harm where a probe looks."""
        return frozenset(name for each in self._harmless if probe in each.probes for name in each.members)

    def checks_for(self, probe: str) -> Checks | None:
        """The checks after which a value can do no harm where a probe looks."""
        return next((each for each in self._checks if probe in each.probes), None)

    def uploads_for(self, probe: str) -> Uploads | None:
        """How a request's files are reached whose paths can do no harm where a probe looks."""
        return next((each for each in self._uploads if probe in each.probes), None)

    def last_of_chain(self, name: str) -> str:
        """The name of a method without the methods before it, where these only build: `Client.builder().build().get`."""
        if "()." in name:
            for each in self.passing.building_types:
                if name.startswith(f"{each}."):
                    return f"{each}.{name.rpartition('.')[2]}"
        return name

    @cached_property
    def harmless_if_given(self) -> dict[str, frozenset[str]]:
        """Calls whose result can do no harm if one of some names is among their arguments."""
        return {name: each.given for each in self._harmless if each.given for name in each.calls}

    @cached_property
    def setting_names(self) -> frozenset[str]:
        """Fields that do harm where they are set, with `=` behind them."""
        return frozenset(last for last in self.sinks_by_last_part if last.endswith("="))

    @cached_property
    def _harmless_by_probe(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def sinks_by_name(self) -> dict[str, list[Sink]]:
        """The sinks by the full names of their calls, or by a method with a dot in front."""
        found: dict[str, list[Sink]] = {}
        for each in self.sinks:
            for name in sorted(each.calls):
                found.setdefault(name, []).append(each)
        return found

    @cached_property
    def sinks_by_last_part(self) -> dict[str, list[tuple[Sink, str]]]:
        """The sinks by the last part of what they call, with the package or object in front of it."""
        found: dict[str, list[tuple[Sink, str]]] = {}
        for each in self.sinks:
            for name in sorted(each.calls):
                head, _, last = name.rpartition(".")
                found.setdefault(last, []).append((each, head.partition(".")[0].partition("()")[0].rpartition("/")[2]))
        return found

    @cached_property
    def reading(self) -> re.Pattern[bytes]:
        """A word by which a function reads what anybody may send."""
        rows = [each for each in self.sources if each.grade is Grade.REQUEST]
        words = {name for each in rows for name in each.members}
        words |= {name.rpartition(".")[2] for each in rows if not each.members for name in each.names}
        forms = (rf"\w*{re.escape(each[1:])}" if each[:1] == "*" else re.escape(each) for each in sorted(words))
        return re.compile(rb"(?<!\w)(?:" + "|".join(forms).encode() + rb")(?!\w)")

    @cached_property
    def input_words(self) -> tuple[bytes, ...]:
        """The words of which every file that takes in untrusted input holds one, as bytes."""
        return tuple(each.encode() for each in sorted(self.passing.words))

    @cached_property
    def sink_words(self) -> tuple[bytes, ...]:
        """The last parts of the names of sinks, as bytes."""
        return tuple(each.encode() for each in self.sinks_by_last_part if each)

    @cached_property
    def dangerous_names(self) -> frozenset[str]:
        """Names of functions that are dangerous by themselves, or by the program that they start."""
        rows = (each for each in self.sinks if not each.needs_input and each.part is not SinkPart.QUERY)
        return frozenset(name for each in rows for name in each.calls)

    @cached_property
    def query_names(self) -> frozenset[str]:
        """Names of functions that run a query."""
        rows = (each for each in self.sinks if each.part is SinkPart.QUERY and not each.needs_text)
        return frozenset(name for each in rows for name in each.calls)

    @cached_property
    def hidden_names(self) -> frozenset[str]:
        """Full names of functions that are dangerous whatever object they belong to."""
        rows = (each for each in self.sinks if each.part in _WHOLE and not each.needs_input)
        return frozenset(name for each in rows for name in each.calls if name[0] != ".")

    @cached_property
    def hiding_forms(self) -> tuple[dict[str, re.Pattern[str]], dict[str, re.Pattern[str]]]:
        """The forms by their words: of any file, and of one that holds a text in SQL."""
        rows = (self.passing.hiding, self.passing.query_hiding)
        plain, query = ({word: re.compile(form) for word, form in each.items()} for each in rows)
        return plain, query

    @cached_property
    def download_sinks(self) -> frozenset[str]:
        """Last parts of calls that do harm with what a server sends."""
        probes = {probe for each in self.sources if each.grade is Grade.DOWNLOAD for probe in each.probes}
        rows = (each for each in self.sinks if each.probe in probes)
        return frozenset(name.rpartition(".")[2] for each in rows for name in each.calls)

    @cached_property
    def search(self) -> KeywordSearch:
        """All words that decide whether a file is followed."""
        return KeywordSearch(
            (
                *self.passing.words,
                *self.passing.download_words,
                *self.passing.hiding,
                *self.passing.query_hiding,
                "`",
                "%x",
            )
        )


_WHOLE = frozenset({SinkPart.WHOLE, SinkPart.COMMAND})


@cache
def _models() -> FlowModels:
    return read_table(_DATA, FlowModels)


@cache
def language_models(language: str) -> LanguageModels:
    """The rows of a language, read once."""
    return LanguageModels(_models(), language)


@cache
def followed_probes(language: str) -> frozenset[str]:
    """The rules that follow values in a language."""
    return frozenset(each.probe for each in _models().sinks if language in each.language)


@cache
def all_followed_probes() -> frozenset[str]:
    """The rules that follow values in any language but Python."""
    return frozenset(each.probe for each in _models().sinks)
