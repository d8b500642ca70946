"""Code that gets harder to change: tangled or long functions, leftovers, promises."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from auditor.domain import Fact, Location
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe, site_probe, text_probe
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.renamed_functions import BaseFunctions
from auditor.forensics.python.leftover_prints import is_bare_value_print, is_leftover_print
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parsed_module import Module, ScopedNode
from auditor.forensics.source_text.comments import COMMENT_MARKS, COMMENTS_AND_STRINGS
from auditor.forensics.source_text.file_outline import Function, Outline
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.forensics.source_text.site_probe_types import Site, Text

MAX_COMPLEXITY = 15
"""Cyclomatic complexity above which a function is hard to test. McCabe's own limit is 10; NIST SP 500-235 reports limits
of up to 15 used with success, and below that reviewers seldom agree. Counted as the common linters do: decisions and
loops, not the operators inside a condition."""
MAX_FUNCTION_LINES = 100
"""Lines of a function above which it is called long, docstring and all; twice the screenful that most style guides ask for."""
_GROWTH = 0.2
"""Share by which a function that was beyond a limit before has to grow until the change is charged with it."""
_BRANCHES, _LINES = 3, 15
"""The least growth that is charged."""
_MAX_NAMES = 3


@dataclass(frozen=True)
class _OversizedFunction:
    """A function beyond a limit, its size now and before the change; None when it is new."""

    path: str
    function: Function
    now: int
    before: int | None

    def told(self, unit: str) -> str:
        """Its name and its size, for a list."""
        return f"{self._named()} ({self.now:,} {unit}{self._history()})"

    def _named(self) -> str:
        """Its name as code; of one without a name, its line."""
        unnamed = _is_anonymous(self.function)
        return f"a function without a name in line {self.function.line}" if unnamed else f"`{self.function.qualname}`"

    def _history(self) -> str:
        return "" if self.before is None else f", {self.before:,} before"


def _is_anonymous(function: Function) -> bool:
    """Is it named by its line only, which does not tell where it was before?"""
    return function.qualname.startswith("line ")


@probe("code.complexity")
def complexity(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there functions with too many branches, or does the change add to them?

    More than 15 ways through a function (cyclomatic complexity); of a change, functions that get there or go
    further.

    Split the function where it does two things, or replace branches by a table or by types.
    """
    examined, tangled = _find_oversized(change, modules, lambda each: each.complexity, MAX_COMPLEXITY, _BRANCHES)
    if not examined:
        yield not_applicable("No function in a language that is read in depth is in scope.")
    elif not tangled:
        yield not_found(
            f"No function in scope {'has' if change is None else 'got'} more than {MAX_COMPLEXITY} branches; {examined:,} looked at."
        )
    else:
        yield _oversized_fact(tangled, examined, change, f"more than {MAX_COMPLEXITY} branches", "branches")


@probe("code.long_functions")
def long_functions(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there very long functions, or does the change add to them?

    More than 100 lines; of a change, functions that get there or grow by a fifth.

    Take out the steps that have a name of their own.
    """
    examined, long = _find_oversized(change, modules, _length, MAX_FUNCTION_LINES, _LINES)
    if not examined:
        yield not_applicable("No function in a language that is read in depth is in scope.")
    elif not long:
        yield not_found(
            f"No function in scope {'is' if change is None else 'grew'} longer than {MAX_FUNCTION_LINES} lines; {examined:,} looked at."
        )
    else:
        yield _oversized_fact(long, examined, change, f"more than {MAX_FUNCTION_LINES} lines", "lines", 0.9, _TABLES)


_TABLES = "long docstrings and tables count as lines too"


def _find_oversized(
    change: Change | None, modules: PythonModules, size: Callable[[Function], int], limit: int, least: int
) -> tuple[int, list[_OversizedFunction]]:
    """How many functions are in scope, and those beyond the limit, largest first.

    In a change only those count that are new or that it made a good deal larger: a line added to what was too large
    before, or that happens to be the one too many, is nobody's decision to tangle it. What goes by another name, or by
    none, is known by the lines that it kept.
    """
    functions = list(_functions(change, modules))
    large = [(path, each, now) for path, each in functions if (now := size(each)) > limit]
    names = frozenset(each.qualname for _, each, _ in large if not _is_anonymous(each))
    before = {} if change is None or not large else _before(modules, size, names)
    earlier = None if change is None else BaseFunctions(change, {**modules.base, **modules.other_languages_base})
    grown = []
    for path, function, now in large:
        was = before.get((path, function.qualname, function.line))
        old = earlier.function(path, function) if earlier is not None and was is None else None
        was = size(old) if old is not None else was
        if was is None or now - was >= max(least, _GROWTH * was if was > limit else 0):
            grown.append(_OversizedFunction(path, function, now, was))
    return len(functions), sorted(grown, key=lambda each: (-each.now, each.path, each.function.line))


def _oversized_fact(
    oversized: list[_OversizedFunction],
    examined: int,
    change: Change | None,
    beyond: str,
    unit: str,
    confidence: float = 1.0,
    because: str = "",
) -> Fact:
    verb = "have" if change is None else "are new or grew and have"
    one = "has" if change is None else "is new and has" if oversized[0].before is None else "grew and has"
    listed = first_few([each.told(unit) for each in oversized], _MAX_NAMES)
    statement = (
        f"1 function {one} {beyond}: {listed}."
        if len(oversized) == 1
        else f"{len(oversized):,} of {examined:,} functions {verb} {beyond}: {listed}."
    )
    return found(
        statement,
        at=[_place(each.path, each.function) for each in oversized],
        confidence=confidence,
        because=because,
        measure=round(len(oversized) / examined, 4),
        introduced=None if change is None else True,
    )


def _before(
    modules: PythonModules, size: Callable[[Function], int], names: frozenset[str]
) -> dict[tuple[str, str, int], int]:
    """How large each function of these names was at the base, by its path, name and line; by name alone where it moved.

    Functions that share a name (overloads, one method of several types) are told apart by their order; where some
    came or went, each was as large as the largest, so that nothing is said to have grown that did not.
    """
    earlier: dict[tuple[str, str], list[Function]] = {}
    for path, named in _by_name({**modules.base, **modules.other_languages_base}, names):
        for name, functions in named.items():
            earlier[path, name] = functions
            earlier.setdefault(("", name), functions)
    known: dict[tuple[str, str, int], int] = {}
    for path, named in _by_name({**modules.head, **modules.others}, names):
        for name, functions in named.items():
            were = [size(each) for each in earlier.get((path, name)) or earlier.get(("", name)) or ()]
            if were and len(were) != len(functions):
                were = [max(were)] * len(functions)
            known.update({(path, name, now.line): was for now, was in zip(functions, were, strict=False)})
    return known


def _by_name(shapes: Mapping[str, Outline], names: frozenset[str]) -> Iterator[tuple[str, dict[str, list[Function]]]]:
    """The functions of these names in each file by their name, those of one name in their order."""
    for path, shape in shapes.items():
        named: dict[str, list[Function]] = {}
        wanted = [each for each in shape.functions if each.qualname in names]
        for function in sorted(wanted, key=lambda each: each.line):
            named.setdefault(function.qualname, []).append(function)
        yield path, named


def _functions(change: Change | None, modules: PythonModules) -> Iterator[tuple[str, Function]]:
    """Product functions in scope: all of them, or those with a line that the change wrote."""
    for path, shape in sorted((*modules.head.items(), *modules.others.items()), key=lambda item: item[0]):
        if role(path) is not Role.PRODUCT:
            continue
        written = None if change is None else change.added_lines(path)
        for function in shape.functions:
            if written is None or any(line in written for line in range(function.line, function.end + 1)):
                yield path, function


def _length(function: Function) -> int:
    return function.end - function.line + 1


def _place(path: str, function: Function) -> Location:
    return code_location(
        path,
        function.line,
        function.end,
        quote=f"def {function.name}" if path.endswith((".py", ".pyi", ".pyw")) else function.name,
    )


_DEBUGGERS = ("breakpoint", "pdb.set_trace", "ipdb.set_trace", "pudb.set_trace", "pdb.post_mortem", "web_pdb.set_trace", "debugpy.breakpoint",
              "debugpy.wait_for_client", "pydevd.settrace", "icecream.ic", "pdb.Pdb.set_trace", "pdb.run", "pdb.runcall", "pdb.runeval", "pdb.pm",
              "sys.breakpointhook", "snoop.snoop", "pysnooper.snoop", "IPython.embed", "IPython.terminal.embed.embed", "rpdb.set_trace", "remote_pdb.set_trace", "remote_pdb.RemotePdb.set_trace",
              "celery.contrib.rdb.set_trace", "ptvsd.break_into_debugger", "ptvsd.wait_for_attach", "wdb.set_trace", "code.interact", "traceback.print_stack", "pdbpp.set_trace", "ipdb.sset_trace",
              "pydevd_pycharm.settrace", "nose.tools.set_trace", "pytest.set_trace", "heartrate.trace", "birdseye.eye", "madbg.set_trace", "pdbr.set_trace")  # fmt: skip


_DEBUG_SERVER_CALLS = {"flask.Flask.run": "debug", "bottle.run": "debug", "bottle.Bottle.run": "debug", "werkzeug.serving.run_simple": "use_debugger", "werkzeug.run_simple": "use_debugger",
           "flask_socketio.SocketIO.run": "debug", "quart.Quart.run": "debug", "sanic.Sanic.run": "debug", "dash.Dash.run": "debug", "dash.Dash.run_server": "debug"}  # fmt: skip
"""Calls that start a web server, and the argument that lets whoever sees an error page run code in it, or read the code."""
_PRETTY_PRINT_CALLS = (
    "pprint.pprint",
    "pprint.pp",
    "rich.pretty.pprint",
    "rich.inspect",
    "devtools.debug",
    "beeprint.pp",
)
_DEBUGGER_METHODS = frozenset(
    {"breakpoint", "set_trace", "post_mortem", "embed", "settrace", "runcall", "runeval", "pm"}
)
_DEBUGGER_MODULES = frozenset(
    {"pdb", "ipdb", "pudb", "web_pdb", "rpdb", "remote_pdb", "wdb", "pdbpp", "debugpy", "pydevd", "ptvsd"}
)


def _importing_a_debugger(shown: list[ScopedNode], _module: Module) -> list[ScopedNode]:
    return [each for each in shown if _imports_a_debugger(each[0])]


def _imports_a_debugger(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.level and (node.module or "").partition(".")[0] in _DEBUGGER_MODULES
    return any(alias.name.partition(".")[0] in _DEBUGGER_MODULES for alias in node.names)


_LOCAL_ONLY_REASON = "the program may be started so on a developer's machine alone"


@site_probe(
    "text.debug_leftovers",
    none_statement="No debugging aid was left behind.",
    calls=(*_DEBUGGERS, "print", *_PRETTY_PRINT_CALLS, *_DEBUG_SERVER_CALLS),
    references=("breakpoint", "pdb.set_trace", "ipdb.set_trace"),
    nodes=(ast.Import, ast.ImportFrom),
    node_filter=_importing_a_debugger,
    second_look=("T100",),
)
def debug_leftovers(match: Match) -> Iterator[Site]:
    """Was a debugging aid left behind?

    Breakpoints, debuggers, dumps and bare prints of values in library code count. What a command or script prints for its readers does not, nor do lines of a log.

    Take it out before the merge, or turn it into a log line that stays.
    """
    if isinstance(match.node, (ast.Import, ast.ImportFrom)):
        if not _is_reported_elsewhere(match):
            yield match.site(
                "A debugger is imported", confidence=0.7, because="a tool for debugging may import it on purpose"
            )
        return
    if match.name == "print":
        if is_leftover_print(match):
            yield match.site(
                "A line is printed where the module keeps a log, or says that it is for debugging",
                confidence=0.7,
                because=_INTENDED_OUTPUT_REASON,
            )
        elif is_bare_value_print(match):
            yield match.site("A value is printed as it is", confidence=0.55, because=_INTENDED_OUTPUT_REASON)
        return
    if match.name in _PRETTY_PRINT_CALLS:
        if is_bare_value_print(match):
            yield match.site("A value is printed as it is", confidence=0.6, because=_INTENDED_OUTPUT_REASON)
        return
    if match.name in _DEBUG_SERVER_CALLS:
        if match.value(match.argument(_DEBUG_SERVER_CALLS[match.name])) is True:
            yield match.site("A web server is started with its debugger on", confidence=0.6, because=_LOCAL_ONLY_REASON)
        return
    yield match.site(
        "A debugging aid was left behind", confidence=0.95, because="a tool for debugging may call it on purpose"
    )


_INTENDED_OUTPUT_REASON = "whoever runs it may be meant to read it"


def _is_reported_elsewhere(match: Match) -> bool:
    """Is what is imported called, so that the call is reported anyway, or made the base of another debugger?"""
    assert isinstance(match.node, (ast.Import, ast.ImportFrom))
    names = {alias.asname or alias.name for alias in match.node.names} | _DEBUGGER_METHODS
    return any(match.module.calls.get(name) for name in names) or _OWN_DEBUGGER.search(match.module.source) is not None


_OWN_DEBUGGER = re.compile(r"class \w{1,100}\([^)\n]{0,200}\bPdb\b")
_TODO_MARKER = re.compile(
    r"\b(?:TODO|FIXME|XXX|HACK)\b(?!-|\s*(?:list|comments?|markers?|items?|tags?|notes?|annotations?)\b)|\b(?:[tT]odo|[fF]ixme)(?=[:(])"
)
_MENTION_PREFIX = re.compile(
    r"(?:[\"'`]|[\w>})\]]/|\b(?:such as|like|e\.g\.,?|named|called|titled|files|words?|keywords?|markers?|tags?|says?|saying|contains?|containing|mentions?|mentioning):?\s+(?:[A-Z][A-Z\d_.]{1,20}(?:,?\s(?:or|and)\s|[,/|]\s?)){0,5})$"
)
"""Text before a marker that is only mentioned: a quote, a path, a list of files or words."""
_MENTION_SUFFIX = re.compile(
    r"\.(?:md|txt|rst|org)\b|(?:(?:\s?[,/|]\s?|,?\s(?:or|and)\s)(?:TODO|FIXME|XXX|HACK|BUG|NOTE)\b){1,5}(?!\s?[:(])"
)
"""Text after a marker that is only mentioned: a file suffix, or further markers."""
_MENTION_WINDOW = 160
_ISSUE_REFERENCE = re.compile(
    r"(?<!&)#\d+\b|(?i:\b(?:issues?|bug|ticket|task|story|gh|bpo|bz|rhbz|lp|pr|mr)[\s:#-]{1,3}\d+\b)|(?<![\w!])!\d{2,}\b|\bb/\d{4,}|\bcrbug[./]"
    r"|\b(?!(?:UTF|UCS|SHA|MD|ISO|IEC|RFC|PEP|AES|RSA|DES|EC|ES|HS|RS|PS|CRC|IEEE|IPV|HTTP|TLS|SSL|COVID|CP|BASE|ASCII|WINDOWS|GPT|FIPS|BCP|ECMA|LATIN|KOI|BLAKE|USB|PART|STEP|PHASE|LEVEL)-)[A-Z][A-Z0-9]+-\d+\b"
)
"""What names a place where work is tracked: the number or key of an issue; names of standards look like keys, too."""
_ADDRESS = re.compile(r"https?://[^\s/?#]{1,200}[^\s]{0,300}")
_ISSUE_URL_PATH = re.compile(
    r"/(?:issues?|browse|pulls?|merge_requests|work_items|_workitems|bugs?|tickets?|tasks?|discussions)/|show_bug|bugzilla|\bjira\b|linear\.app|trello\.com|asana\.com|clickup\.com|shortcut\.com|youtrack|redmine|phabricator|[/=]\w{0,20}\d[.,;)]*$"
)
_MAX_CONTINUATION_LINES = 4
"""Lines of a comment after a marker that may name its issue."""
_COMMENT_CONTINUATION = re.compile(r"\s*(?:#|//|\*(?!/)|--|;|<!--)")
_PROSE = frozenset({"md", "markdown", "rst", "txt", "adoc", "json", "csv", "svg", "html", "po", "lock", "ipynb", "xml"})
_MARKUP_LANGUAGES = frozenset({"md", "markdown", "html", "xml"})
"""Kinds of prose that have comments: in those alone a promise is one."""
_MARKER_WORDS = ("TODO", "FIXME", "XXX", "HACK", "todo:", "Todo:", "todo(", "fixme:", "Fixme:")


@text_probe("text.todo_added", none_statement="No comment puts work off.")
def todo_added(text: Text) -> Iterator[Site]:
    """Do comments put work off?

    TODO, FIXME, XXX and HACK in comments count where no issue is named. The words in strings, names and running text do not.

    Do it now, or open an issue and name it in the comment.
    """
    if text.language in _PROSE - _MARKUP_LANGUAGES:
        return
    found = list(_python_comments(text) if text.language == "python" else _comments(text))
    shown = text.lines if found else ()
    for number, whole in found:
        comment = whole[:_LONG]
        if _has_issue_reference(comment) or any(
            _has_issue_reference(each) for each in _continuation_lines(shown, number)
        ):
            continue
        if _ADDRESS.search(comment):
            yield Site(number, number, "A comment puts work off and names an address", "", 0.4, _TRACKED_REASON)
        else:
            yield Site(number, number, "A comment puts work off")


def _has_issue_reference(comment: str) -> bool:
    """Does a comment name an issue, or its URL?"""
    return _ISSUE_REFERENCE.search(comment) is not None or any(
        _ISSUE_URL_PATH.search(each[0]) for each in _ADDRESS.finditer(comment)
    )


_TRACKED_REASON = "the work may be tracked there"


def _continuation_lines(shown: Sequence[str], number: int) -> Iterator[str]:
    """The lines with which a comment continues after a marker, up to the next one."""
    for line in shown[number : number + _MAX_CONTINUATION_LINES]:
        if not _COMMENT_CONTINUATION.match(line) or _find_todo(line[:_LONG]):
            return
        yield line[:_LONG]


def _find_todo(text: str) -> re.Match[str] | None:
    """The first marker of deferred work that is not only mentioned as a word or the name of a file."""
    found = _TODO_MARKER.search(text)
    while found:
        named = _mention_end(text, found)
        if named is None:
            return found
        found = _TODO_MARKER.search(text, named)
    return None


def _mention_end(text: str, found: re.Match[str]) -> int | None:
    """The end of the mention of a marker that is only mentioned; None otherwise."""
    start, end = found.span()
    before = text[max(0, start - _MENTION_WINDOW) : start]
    if text[end : end + 1] in {":", "("} and not before.endswith(("'", '"', "`")):
        return None
    behind = _MENTION_SUFFIX.match(text, end)
    if behind:
        return behind.end()
    return end if _MENTION_PREFIX.search(before) else None


def _comments(text: Text) -> Iterator[tuple[int, str]]:
    """Lines on which a promise stands behind a mark that opens a comment in that language."""
    if not any(word in text.content for word in _MARKER_WORDS):
        return
    marks = (
        ("<!--",) if text.language in _MARKUP_LANGUAGES else COMMENT_MARKS.get(text.language, ("#", "//", "/*", "<!--"))
    )
    inside = False
    for number, line in enumerate(text.lines, start=1):
        shown = line[:_LONG]
        promise = _find_todo(shown)
        if promise and (inside or _opens(shown[: promise.start()], marks)):
            yield number, line
        if "/*" in marks:
            opened, closed = shown.rfind("/*"), shown.rfind("*/")
            inside = opened > closed or (inside and closed < 0)


def _opens(before: str, marks: tuple[str, ...]) -> bool:
    """Does a comment open in what stands before? A mark inside quotes, or glued to what it follows, opens none."""
    return any(
        not (at and (before[at - 1].isalnum() or before[at - 1] in ":/$&\\")) and not _quoted(before[:at])
        for mark in marks
        for at in _each(mark, before)
    )


def _each(mark: str, text: str) -> Iterator[int]:
    at = text.find(mark)
    while at >= 0:
        yield at
        at = text.find(mark, at + len(mark))


def _quoted(text: str) -> bool:
    """Is a quote open at the end? An apostrophe between letters opens none."""
    plain = _APOSTROPHE.sub("", text.replace("\\\\", "").replace('\\"', "").replace("\\'", ""))
    return any(plain.count(quote) % 2 for quote in "\"'`")


_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_LONG = 2000


_MARKER_KEYWORDS = register_keywords("TODO", "FIXME", "XXX", "HACK", "odo:", "odo(", "ixme:", "ixme(")
_COMMENT_WITH_MARKER = re.compile(r"#(?:[^\n]*(TODO|FIXME|XXX|HACK|[tT]odo[:(]|[fF]ixme[:(])|[^\n]*)")
"""A marker after a hash, which may be a comment."""
_STRING_CONTINUATIONS = ('"""', "'''", "\\\n")
"""What may continue a Python string in the next line."""
_COMMENT_OR_QUOTE = re.compile(r"[#\"']")


def _python_comments(text: Text) -> Iterator[tuple[int, str]]:
    """Comments that put work off, with their lines. Only lines where something notable stands are split, and each once."""
    if not text.says(_MARKER_KEYWORDS):
        return  # as for most files
    source = text.content
    promised = [found.end() for found in _COMMENT_WITH_MARKER.finditer(source) if found[1]]
    if not promised:
        return
    before = source[: promised[-1]]
    line, last, position = 1, 0, 0
    for notable in sorted([*promised, *(at for mark in _STRING_CONTINUATIONS for at in _each(mark, before))]):
        if notable < position:
            continue
        position = max(position, source.rfind("\n", 0, notable) + 1)
        end = _line_end(source, position)
        while opener := _COMMENT_OR_QUOTE.search(source, position, end):
            lexeme = COMMENTS_AND_STRINGS.match(source, opener.start())
            assert lexeme is not None, "a quote or a hash opens something"
            whole = lexeme.group()
            if whole.startswith("#") and _find_todo(whole[:_LONG]):
                line += source.count("\n", last, lexeme.start())
                last = lexeme.start()
                yield line, whole
            position = lexeme.end()
            if position > end:
                end = _line_end(source, position)
        position = end + 1


def _line_end(source: str, position: int) -> int:
    """Where the line ends that holds a position."""
    end = source.find("\n", position)
    return len(source) if end < 0 else end
