"""Answers about clones: where they go, whether the URL is checked first, whether refused credentials are told apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.systems.callees import callees
from auditor.forensics.systems.findings import Clone, ClonesData, Judged, Spot, Where, WhereData
from auditor.forensics.systems.interpreter import Event, Frame
from auditor.forensics.systems.library import CLONES, RUNS
from auditor.forensics.systems.program import Unit, inside, statements
from auditor.forensics.systems.study import Answers, Study
from auditor.forensics.systems.values import (
    Attr,
    Call,
    Choice,
    Const,
    External,
    Instance,
    Item,
    Map,
    Op,
    Place,
    Seq,
    Text,
    Unknown,
    Value,
    options,
    text_of,
    walk,
    written,
)
from auditor.forensics.systems.wording import of_all

_CLONE_WORDS = re.compile(r"\bgit\b[^;&|\n]{0,200}?\bclone\b")
_GIT_LIBRARIES = ("git.", "gitpython.", "pygit2", "dulwich", "simple_git.", "isomorphic_git.")
_WITH_VALUE = frozenset(
    {"--depth", "--branch", "-b", "--filter", "-o", "--origin", "--config", "-c", "--reference", "-j", "--jobs", "--template", "--shallow-since",
     "--shallow-exclude", "--separate-git-dir", "--upload-pack", "-u", "--server-option", "--bundle-uri", "-C", "--reference-if-able"}
)  # fmt: skip
_PATHS = frozenset({"Path", "PurePath", "str", "join", "abspath", "realpath", "resolve", "fspath", "as_posix", "joinpath", "absolute", "normpath",
                    "expanduser", "clone_from", "clone", "Repo", "clone_repository"})  # fmt: skip
_URL = re.compile(
    r"url|uri|repo|remote|source|link|address|target|parsed|scheme|netloc|host|domain|match", re.IGNORECASE
)
_URL_PATTERN = re.compile(r"https?|git@|github|gitlab|://|\.git")
_CHECKER = re.compile(
    r"valid|saniti[sz]|check|verify|safe|is_.*(?:url|repo)|parse.*url|normali[sz]e|allow|ensure|assert|guard|clean",
    re.IGNORECASE,
)
_AUTH = re.compile(
    r"authenticat|auth fail|permission denied|could not read (?:username|password)|\b40[13]\b|access denied|publickey|credential"
    r"|terminal prompts|not authori[sz]ed|unauthori[sz]ed|invalid username|forbidden",
    re.IGNORECASE,
)
_REFUSED = re.compile(r"auth|credential|accessdenied", re.IGNORECASE)
_AUTH_NAME = re.compile(r"auth|credential|permission|accessdenied|forbidden", re.IGNORECASE)
_FOLDER = re.compile(r"path|dir|repo|clone|workspace|folder|root|sandbox", re.IGNORECASE)
_PARTS = frozenset({"scheme", "netloc", "hostname", "protocol"})
_URL_TYPES = frozenset({"HttpUrl", "AnyHttpUrl", "AnyUrl"})
_FORBIDDEN = re.compile(r"[;|&$`\n\r]|\.\.")
_HOSTS = re.compile(r"github\.com|gitlab\.com|bitbucket\.org|://|https")
_MAX_FUNCTIONS = 60


@dataclass(eq=False)
class Site:
    """A place that clones: the call that does it, where it stands, its URL and its destination."""

    event: Event
    place: Place
    url: Value | None
    target: Value | None

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The calls that led there, outermost first."""
        return self.event.frames


def answers(study: Study) -> Answers:
    """All answers about clones."""
    sites = list(_sites(study))
    if not sites:
        nothing = Judged(answer=None, statement="The product code clones no repository.")
        names = ("code.clone_in_temporary_directory", "code.url_validated", "code.auth_errors_handled")
        missed = _missed(study)
        if missed:
            sure = Judged(
                answer=False, statement="A clone stands in the code whose destination could not be followed.", spots=missed, confidence=0.4,
                because="the function around it could not be followed",
            )  # fmt: skip
            return {names[0]: (sure,), names[1]: (nothing,), names[2]: (nothing,)}
        return dict.fromkeys(names, (nothing,))
    return {
        "code.clone_in_temporary_directory": tuple(_temporary(study, sites)),
        "code.url_validated": (_validated(study, sites),),
        "code.auth_errors_handled": (_auth(study, sites),),
    }


def _missed(study: Study) -> tuple[Spot, ...]:
    """Places that look like clones and were never followed: `clone_from`, and lists of words with `git` and `clone`."""
    found = []
    for unit in study.program.product:
        for node in unit.each(ast.Call, ast.List):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clone_from":
                found.append(study.spot(unit, node))
            elif isinstance(node, ast.List):
                words = [each.value for each in node.elts[:12] if isinstance(each, ast.Constant)]
                if "clone" in words and words[0] in {"git", "clone", "/usr/bin/git"}:
                    found.append(study.spot(unit, node))
    return tuple(found[:10])


# -- finding clones ---------------------------------------------------------------------------------------------------


def _sites(study: Study) -> Iterator[Site]:
    seen: set[tuple[str, int]] = set()
    ordered = sorted(study.run.events, key=lambda event: (_vague(event), -len(event.frames)))
    for event in ordered:
        site = _site(event)
        if site is not None and site.place.unit.product and (site.place.unit.path, site.place.line) not in seen:
            seen.add((site.place.unit.path, site.place.line))
            yield site


def _vague(event: Event) -> bool:
    """Is what the call is given unknown? A call followed from a real caller says more."""
    return any(isinstance(each, Unknown) for value in event.call.args for each in walk(value))


def _site(event: Event) -> Site | None:
    call = event.call
    if call.last in CLONES:
        return _library_clone(event)
    if call.last not in RUNS:
        return None
    for words, place in _words(call):
        if isinstance(words, str):
            if _CLONE_WORDS.search(words):
                return Site(event, call.place, None, _shell_target(words, call))
            continue
        url, target, is_clone = _parsed(words)
        if is_clone:
            return _git_clone(event, url, target, place)
    return None


def _shell_target(words: str, call: Call) -> Value | None:
    """The destination in a command for a shell: its last word, where there is one after the URL."""
    after = words[words.index("clone") + 5 :].split()
    loose = [each for each in after if not each.startswith("-")]
    folder = call.argument("cwd")
    if folder is not None:
        return folder
    known = first_named(call)
    return known if known is not None else Const(loose[1]) if len(loose) > 1 else None


def first_named(call: Call) -> Value | None:
    """A temporary directory among the parts that a command is put together from."""
    for value in call.args[:1]:
        for part in walk(value):
            if isinstance(part, Call) and part.last in {"TemporaryDirectory", "mkdtemp"}:
                return value
    return None


def _git_clone(event: Event, url: Value | None, target: Value | None, place: Place | None) -> Site:
    call = event.call
    folder = call.argument("cwd")
    if target is None or text_of(target) in {".", "./"}:
        target = folder if folder is not None else target
    elif folder is not None and text_of(target) is not None and not (text_of(target) or "").startswith("/"):
        target = folder
    where = call.place
    if place is not None and (
        place.unit is not where.unit or place.unit.function_of(place.node) is not where.unit.function_of(where.node)
    ):
        where = place
    return Site(event, where, url, target)


def _library_clone(event: Event) -> Site | None:
    call = event.call
    base = call.func.base if isinstance(call.func, Attr) else None
    name = call.name
    if isinstance(call.func, External):
        ours = name.startswith(_GIT_LIBRARIES) or name in {"git.Repo.clone_from", "pygit2.clone_repository"}
    else:
        inner = list(walk(base)) if base is not None else []
        ours = any(isinstance(each, External) and f"{each.name}.".startswith(_GIT_LIBRARIES) for each in inner) or (
            call.last == "clone_from"
        )
    if not ours:
        return None
    target = call.argument("to_path", 1) or call.argument("path") or call.argument("target")
    url = call.argument("url", 0)
    if isinstance(url, Map):  # isomorphic-git takes one object
        return Site(event, call.place, url.get("url"), url.get("dir"))
    if name.startswith(".") and (target is None or isinstance(target, (Map, Seq))):
        target = _opened_at(base)
    if call.last == "clone" and isinstance(base, Call) and base.last == "Repo":
        url, target = base.argument("path", 0), call.argument("path", 0)
    return Site(event, call.place, url, target)


def _opened_at(base: Value | None) -> Value | None:
    """The folder that simple-git was opened at: `simpleGit(folder)` or `simpleGit({ baseDir: folder })`."""
    for each in walk(base) if base is not None else ():
        if isinstance(each, Call) and each.last in {"simpleGit", "gitP", "simple_git"} and each.args:
            first = each.args[0]
            return first.get("baseDir") if isinstance(first, Map) else first
    return None


def _words(call: Call) -> Iterator[tuple[list[Value] | str, Place | None]]:
    """The words a command may have: a list, or the text for a shell."""
    if call.last == "create_subprocess_exec":
        yield list(call.args), None
        return
    command = call.argument("args", 0) or call.argument("cmd") or call.argument("command")
    for each in options(command) if command is not None else ():
        if isinstance(each, Seq):
            word = next((item for item in each.items if text_of(item) == "clone"), None)
            yield each.items, _written_at(word.place) if isinstance(word, Const) and word.place is not None else None
        elif isinstance(each, Call) and each.last == "split" and each.args:
            yield written(each.args[0]), None
        elif isinstance(each, (Const, Text, Op)):
            yield written(each), None


def _written_at(place: Place) -> Place:
    """The call that a word of a command is written in."""
    call = next((each for each in place.unit.around(place.node) if isinstance(each, (ast.Call, ast.stmt))), place.node)
    return Place(place.unit, call)


def _parsed(words: list[Value]) -> tuple[Value | None, Value | None, bool]:
    """URL and destination of a `git clone`, and whether it is one."""
    known = [text_of(each) for each in words]
    if "clone" not in known[:12]:
        return None, None, False
    start = known.index("clone")
    program = known[0] or written(words[0])
    if start == 0 or not (
        program.rpartition("/")[2].removesuffix(".exe") == "git" or (known[0] is None and start <= 6)
    ):
        return None, None, False
    loose: list[Value] = []
    skip = False
    for value, word in zip(words[start + 1 :], known[start + 1 :], strict=True):
        if skip:
            skip = False
        elif word is not None and word.startswith("-") and word != "-":
            skip = word in _WITH_VALUE
        else:
            loose.append(value)
    return (loose[0] if loose else None), (loose[1] if len(loose) > 1 else None), True


# -- where it goes ----------------------------------------------------------------------------------------------------


def _temporary(study: Study, sites: list[Site]) -> Iterator[Judged]:
    clones = [_clone(study, site) for site in sites]
    live = [(site, clone) for site, clone in zip(sites, clones, strict=True) if not clone.dead] or list(
        zip(sites, clones, strict=True)
    )
    data = ClonesData(clones=tuple(clones))
    places = tuple(study.line(site.place.unit, site.place.line) for site, _ in live)
    bad = [clone for _, clone in live if clone.mechanism == "none"]
    gone = [clone for _, clone in live if clone.deleted_before_use]
    unknown = [clone for _, clone in live if clone.mechanism == "unknown"]
    good = [clone for _, clone in live if clone not in bad and clone not in gone and clone not in unknown]
    share = round(len(good) / len(live), 4)
    if bad or gone:
        said = []
        if bad:
            said.append(
                f"{of_all(len(bad), len(live), 'clone goes', 'clones go')} into a folder that is not temporary ({bad[0].path}:{bad[0].line})"
            )
        if gone:
            said.append(
                f"{of_all(len(gone), len(live), 'clone is', 'clones are')} deleted before anybody uses it ({gone[0].path}:{gone[0].line})"
            )
        sure = 0.9 if bad else 0.8
        yield Judged(
            answer=False, statement=f"{'; '.join(said)}.", data=data, spots=places, confidence=sure, measure=share,
            because="a caller that is not in sight may do otherwise",
        )  # fmt: skip
        return
    if unknown:
        told = f"{unknown[0].path}:{unknown[0].line}"
        answer = bool(good)
        statement = (
            f"{len(good)} of {len(live)} clones go into a temporary directory; where the others go is not known ({told})."
            if good
            else f"Where the clone goes is decided by a caller or setting that is not in sight ({told})."
        )
        yield Judged(
            answer=answer, statement=statement, data=data, spots=places, confidence=0.5, measure=share,
            because="the destination comes from somewhere the code does not show",
        )  # fmt: skip
        return
    mechanisms = " and ".join(dict.fromkeys(clone.mechanism for clone in good))
    count = "The clone goes" if len(good) == 1 else f"All {len(good)} clones go"
    yield Judged(answer=True, statement=f"{count} into a temporary directory ({mechanisms}).", data=data, spots=places, confidence=0.95,
                 because="what deletes it is followed inside single functions only", measure=1.0)  # fmt: skip


def _clone(study: Study, site: Site) -> Clone:
    mechanism = _mechanism(site.target)
    dead = study.off_reason(site.place.unit, site.place.node) or study.unused(site.place.unit, site.place.node)
    gone = mechanism in {"TemporaryDirectory", "mkdtemp"} and _deleted(study, site)
    return Clone(
        path=site.place.unit.path,
        line=site.place.line,
        call=site.event.call.name.removeprefix("."),
        mechanism=mechanism,
        deleted_before_use=gone,
        dead=dead,
    )


def _mechanism(target: Value | None) -> str:
    """How the destination of a clone is made: the strongest doubt wins among several possibilities."""
    if target is None:
        return "none"
    found = {_one_mechanism(each) for each in _alternatives(target)}
    for name in ("none", "TemporaryDirectory", "mkdtemp", "gettempdir", "unknown"):
        if name in found:
            return name
    return "unknown"


def _alternatives(value: Value) -> list[Value]:
    """The ways a path may be made, where a choice stands at its beginning."""
    if isinstance(value, Choice):
        return [
            each
            for option in value.options
            for each in _alternatives(option)
            if not (isinstance(option, Const) and option.value is None)
        ]
    if isinstance(value, Call) and value.last in _PATHS and value.args and isinstance(value.args[0], Choice):
        return _alternatives(value.args[0])
    if isinstance(value, Op) and value.sign == "/" and value.operands:
        return _alternatives(value.operands[0])
    return [value]


def _one_mechanism(value: Value) -> str:
    parts = list(walk(value))
    names = {each.last for each in parts if isinstance(each, Call)}
    for name in ("TemporaryDirectory", "mkdtemp", "gettempdir"):
        if name in names:
            return name
    if any(isinstance(each, (Unknown, Item, Attr)) and not _is_file(each) for each in parts) and not _anchored(value):
        return "unknown"
    return "none" if any(isinstance(each, (Const, External)) for each in parts) else "unknown"


def _is_file(value: Value) -> bool:
    return isinstance(value, Attr) and value.name in {"parent", "parents", "name", "stem"}


def _anchored(value: Value) -> bool:
    """Does a path begin with a fixed folder, whatever comes after it?"""
    for _ in range(20):
        if isinstance(value, Op) and value.sign in {"/", "+"}:
            value = value.operands[0]
        elif isinstance(value, Text):
            value = value.parts[0]
        elif isinstance(value, Call) and value.last in _PATHS and value.args:
            value = value.args[0]
        elif isinstance(value, Call) and value.name.endswith((".cwd", "getcwd", "Path.home", "Path")):
            return True
        elif isinstance(value, Attr) and _is_file(value):
            value = value.base
        else:
            break
    return isinstance(value, Const) and isinstance(value.value, str) and bool(value.value.strip())


# -- is it deleted too early? -----------------------------------------------------------------------------------------


def _deleted(study: Study, site: Site) -> bool:
    if site.target is None:
        return False
    for made in walk(site.target):
        if isinstance(made, Op) and made.sign == "with" and _leaves_with(study, made):
            return True
        if isinstance(made, Call) and made.last == "TemporaryDirectory" and _let_go(study, made):
            return True
        if isinstance(made, Call) and made.last in {"mkdtemp", "TemporaryDirectory"} and _removed(study, made):
            return True
    return False


def _leaves_with(study: Study, made: Op) -> bool:
    """Is the path handed back by the function whose `with` deletes it?"""
    context = made.operands[0]
    if not isinstance(context, Call) or context.last != "TemporaryDirectory":
        return False
    function = context.place.unit.function_of(context.place.node)
    return any(returned.frame.node is function and _path_parts(returned.value, made) for returned in study.run.returned)


def _bundled(value: Value, depth: int = 0) -> Iterator[Value]:
    """A value handed back, or what it holds under names of paths: in a tuple, a dictionary, an object."""
    for each in options(value):
        if depth == 0:
            yield each
        pairs: list[tuple[str, Value]] = []
        if isinstance(each, Seq) and depth == 0:
            yield from each.items
        elif isinstance(each, Map):
            pairs = [(text_of(key) or "", item) for key, item in each.items]
        elif isinstance(each, Instance):
            pairs = list(each.attrs.items())
        elif isinstance(each, Call) and each.last[:1].isupper():
            pairs = list(each.named)
        for name, item in pairs:
            if isinstance(item, (Map, Instance)) and depth < 3:
                yield from _bundled(item, depth + 1)
            elif _FOLDER.search(name) and not isinstance(item, Seq):
                yield item


def _path_parts(value: Value, wanted: Value) -> bool:
    """Is a value a path below another one, or a bundle that holds such a path?"""

    def enter(part: Value) -> bool:
        if isinstance(part, Call):
            return part.last in _PATHS
        return isinstance(part, (Op, Text, Choice)) or (
            isinstance(part, Attr) and part.name in {"name", "working_dir", "working_tree_dir"}
        )

    return any(part is wanted for each in _bundled(value) for part in walk(each, enter))


def _let_go(study: Study, made: Call) -> bool:
    """Is the directory object local to a function that hands back its path only? Then it is deleted on return."""
    unit, node = made.place.unit, made.place.node
    function = unit.function_of(node)
    parent = unit.parents.get(node)
    if function is None or isinstance(parent, ast.withitem):
        return False
    inline = isinstance(parent, ast.Attribute)
    names = _local_names(parent)
    if not inline and (names is None or _kept(function, names)):
        return False
    return any(
        returned.frame.node is function and _path_parts_of_call(returned.value, made) for returned in study.run.returned
    )


def _names_of(part: Value, made: Call) -> bool:
    return isinstance(part, Attr) and part.name == "name" and part.base is made


def _local_names(parent: ast.AST | None) -> set[str] | None:
    """The local names a directory object is bound to; None when it goes somewhere that outlives the function."""
    if isinstance(parent, ast.Assign):
        targets = parent.targets
    elif isinstance(parent, (ast.AnnAssign, ast.NamedExpr)):
        targets = [parent.target]
    else:
        return None
    if not all(isinstance(each, ast.Name) for each in targets):
        return None
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _kept(function: ast.AST, names: set[str]) -> bool:
    """Is the object itself handed on: returned, stored, put into something?"""
    attributes = {id(each.value) for each in inside(function) if isinstance(each, ast.Attribute)}
    for each in inside(function):
        if (
            isinstance(each, ast.Name)
            and each.id in names
            and isinstance(each.ctx, ast.Load)
            and id(each) not in attributes
        ):
            return True
        if isinstance(each, (ast.Global, ast.Nonlocal)) and names & set(each.names):
            return True
    return False


def _removed(study: Study, made: Call) -> bool:
    """Is the directory removed in a `finally` of a function that hands back its path?"""
    for event in study.run.events:
        call = event.call
        if call.last not in {"rmtree", "cleanup"}:
            continue
        unit, node = call.place.unit, call.place.node
        function = unit.function_of(node)
        values = [*call.args, *([call.func.base] if isinstance(call.func, Attr) else [])]
        if not any(part is made for value in values for part in walk(value)) or not _finally(unit, node):
            continue
        if any(
            returned.frame.node is function and _path_parts_of_call(returned.value, made)
            for returned in study.run.returned
        ):
            return True
    return False


def _path_parts_of_call(value: Value, made: Call) -> bool:
    def enter(part: Value) -> bool:
        return isinstance(part, (Op, Text, Choice)) or (isinstance(part, Call) and part.last in _PATHS)

    return any(part is made or _names_of(part, made) for each in _bundled(value) for part in walk(each, enter))


def _finally(unit: Unit, node: ast.AST) -> bool:
    below: ast.AST = node
    for each in unit.around(node):
        if isinstance(each, ast.Try) and any(below is statement for statement in each.finalbody):
            return True
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        below = each
    return False


# -- is the URL checked? ----------------------------------------------------------------------------------------------


def _functions(study: Study, site: Site) -> list[tuple[Unit, ast.AST]]:
    """The function of a clone, those that lead to it, and those they call: where a check would stand."""
    found: dict[ast.AST, Unit] = {}
    own = site.place.unit.function_of(site.place.node)
    if own is not None:
        found[own] = site.place.unit
    for frame in site.frames[::-1]:
        found.setdefault(frame.node, frame.unit)
    for unit, node in list(study_callers(study, own)):
        found.setdefault(node, unit)
    for node in _makers(site.place.unit, own):
        found.setdefault(node, site.place.unit)
    for graph in study.live_graphs[:1]:
        for router in graph.routers:
            if router.function is not None:
                found.setdefault(router.function.node, router.function.unit)
    for node, unit in list(found.items()):
        for function in callees(study, unit, node):
            found.setdefault(function.node, function.unit)
    return [(unit, node) for node, unit in list(found.items())[:_MAX_FUNCTIONS]]


def _makers(unit: Unit, function: ast.AST | None) -> Iterator[ast.AST]:
    """The methods that make the object a method belongs to: what they refuse never reaches it."""
    cls = unit.class_of(function) if function is not None else None
    for each in cls.body if cls is not None else ():
        if isinstance(each, ast.FunctionDef) and each is not function:
            makes = each.name in {"__init__", "__post_init__", "__new__"} or any(
                _last_name(mark) in {"field_validator", "model_validator", "validator"} for mark in each.decorator_list
            )
            if makes:
                yield each


def study_callers(study: Study, function: ast.AST | None) -> Iterator[tuple[Unit, ast.AST]]:
    """Functions of product code that name a function, by its name."""
    name = getattr(function, "name", "")
    if not name or name.startswith("__"):
        return
    for unit in study.program.product:
        if name not in unit.text:
            continue
        for node in unit.each(ast.Call):
            assert isinstance(node, ast.Call)
            called = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else node.func.id
                if isinstance(node.func, ast.Name)
                else ""
            )
            around = unit.function_of(node)
            if called == name and around is not None and around is not function:
                yield unit, around


def _validated(study: Study, sites: list[Site]) -> Judged:
    checks: list[Where] = []
    bare: list[Site] = []
    for site in sites:
        found = _first_check(study, site)
        if found is None:
            bare.append(site)
        else:
            checks.append(found)
    data = WhereData(where=tuple(dict.fromkeys(checks)))
    share = round(1 - len(bare) / len(sites), 4)
    if not bare:
        first = checks[0]
        return Judged(
            answer=True, statement=f"The URL is checked before git sees it: {first.what}.", data=data, confidence=0.9, measure=share,
            because="that the check cannot be passed by is not proven", spots=tuple(_spots(study, data.where)),
        )  # fmt: skip
    site = bare[0]
    return Judged(
        answer=False, statement=f"{of_all(len(bare), len(sites), 'clone takes', 'clones take')} a URL that nothing in sight checks.", data=data, measure=share,
        spots=tuple(study.line(each.place.unit, each.place.line) for each in bare), confidence=0.85 if site.frames else 0.7,
        because="a caller that is not in sight may check it",
    )  # fmt: skip


def _spots(study: Study, where: tuple[Where, ...]) -> Iterator[Spot]:
    for each in where:
        unit = study.program.units.get(each.path)
        if unit is not None:
            yield study.line(unit, each.line)


def _first_check(study: Study, site: Site) -> Where | None:
    own = site.place.unit.function_of(site.place.node)
    for unit, function in _functions(study, site):
        limit = site.place.line if function is own else None
        helper = bool(_CHECKER.search(getattr(function, "name", "")))
        for node in inside(function):
            if limit is not None and getattr(node, "lineno", 0) > limit:
                continue
            what = _typed(node) or _check(unit, node, helper=helper)
            if what:
                return Where(path=unit.path, line=int(getattr(node, "lineno", 1)), what=what)
    return None


def _typed(node: ast.AST) -> str:
    """Is a URL announced by a type that pydantic checks?"""
    kind = node.annotation if isinstance(node, ast.arg) else None
    return f"by its type {_last_name(kind)}" if kind is not None and _last_name(kind) in _URL_TYPES else ""


def _check(unit: Unit, node: ast.AST, *, helper: bool) -> str:
    """What kind of URL check a statement is; empty when it is none. It must be able to stop the work."""
    tests: list[ast.expr] = []
    if (
        isinstance(node, ast.If)
        and any(isinstance(each, (ast.Raise, ast.Return)) for each in statements([*node.body, *node.orelse]))
    ) or isinstance(node, ast.Assert):
        tests.append(node.test)
    elif isinstance(node, ast.Return) and helper and node.value is not None:
        tests.append(node.value)
    for test in tests:
        for part in inside(test):
            what = _url_test(part)
            if what:
                return what
            if isinstance(part, ast.Name) and _URL.search(part.id) and not isinstance(node, ast.Return):
                what = _assigned_test(unit, node, part.id)
                if what:
                    return what
    return ""


def _url_test(part: ast.AST) -> str:
    """A look at the form of a URL: its beginning, its parts, a pattern, characters it must not have."""
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        return _called_test(part, part.func.attr)
    texts = [each.value for each in inside(part) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    words = [
        getattr(each, "attr", getattr(each, "id", ""))
        for each in inside(part)
        if isinstance(each, (ast.Attribute, ast.Name))
    ]
    about = any(_URL.search(word) for word in words)
    what = ""
    if isinstance(part, (ast.Compare, ast.Attribute)) and _PARTS & set(words):
        what = "by its parts"
    elif isinstance(part, ast.Compare) and about and any(_HOSTS.search(text) for text in texts):
        what = "by what it contains"
    elif (
        isinstance(part, (ast.GeneratorExp, ast.ListComp))
        and about
        and sum(bool(_FORBIDDEN.search(text)) for text in texts) >= 2
    ):
        what = "by forbidden characters"
    return what


def _called_test(call: ast.Call, method: str) -> str:
    texts = [
        each.value
        for arg in call.args
        for each in inside(arg)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]
    words = [
        getattr(each, "attr", getattr(each, "id", ""))
        for each in inside(call)
        if isinstance(each, (ast.Attribute, ast.Name))
    ]
    about = any(_URL.search(word) for word in words)
    if method in {"startswith", "endswith"} and any(_URL_PATTERN.search(text) for text in texts):
        return f"by {method}"
    if method in {"match", "fullmatch", "search", "test", "exec"} and about:
        return "by a pattern"
    return "by a validator" if method == "url" and about else ""


def _assigned_test(unit: Unit, node: ast.AST, name: str) -> str:
    """A look at the URL whose result was given a name before it is asked for: `match = PATTERN.match(url)`."""
    function = unit.function_of(node)
    for each in inside(function) if function is not None else ():
        if isinstance(each, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in each.targets
        ):
            for part in inside(each.value):
                what = _url_test(part)
                if what:
                    return what
                if isinstance(part, ast.Call) and isinstance(part.func, (ast.Name, ast.Attribute)):
                    called = getattr(part.func, "id", getattr(part.func, "attr", ""))
                    if called in {"urlparse", "urlsplit", "parse_url"}:
                        return ""
    return ""


# -- are refused credentials told apart? ------------------------------------------------------------------------------


def _auth(study: Study, sites: list[Site]) -> Judged:
    found: list[Where] = []
    bare: list[Site] = []
    for site in sites:
        where = next((each for unit, node in _functions(study, site) for each in _auth_marks(unit, node)), None)
        if where is None:
            bare.append(site)
        else:
            found.append(where)
    data = WhereData(where=tuple(dict.fromkeys(found)))
    share = round(1 - len(bare) / len(sites), 4)
    if not bare:
        return Judged(
            answer=True, statement=f"Authentication failures are told apart from other failures: {found[0].what}.", data=data, confidence=0.9,
            because="by the words of git, which differ between versions", spots=tuple(_spots(study, data.where)), measure=share,
        )  # fmt: skip
    return Judged(
        answer=False, statement=f"{of_all(len(bare), len(sites), 'clone treats', 'clones treat')} refused credentials like any other failure.", data=data,
        spots=tuple(study.line(each.place.unit, each.place.line) for each in bare), confidence=0.85, measure=share,
        because="a caller that is not in sight may tell them apart",
    )  # fmt: skip


def _auth_marks(unit: Unit, function: ast.AST) -> Iterator[Where]:
    """Places that look for words of refused credentials, or raise or catch an error of their own for them."""
    if isinstance(function, ast.Module):
        return
    for node in inside(function):
        line = int(getattr(node, "lineno", 1))
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _AUTH.search(node.value)
            and len(node.value) < 120
        ):
            if _is_looked_for(unit, node):
                yield Where(path=unit.path, line=line, what=f"it looks for {node.value[:60]!r}")
        elif isinstance(node, ast.Raise) and node.exc is not None and _AUTH_NAME.search(_last_name(node.exc)):
            yield Where(path=unit.path, line=line, what=f"it raises {_last_name(node.exc)}")
        elif isinstance(node, ast.ExceptHandler) and node.type is not None:
            names = [_last_name(each) for each in (node.type.elts if isinstance(node.type, ast.Tuple) else [node.type])]
            named = next((name for name in names if _REFUSED.search(name) and not _of_processes(unit, name)), "")
            if named:
                yield Where(path=unit.path, line=line, what=f"it catches {named}")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from _constant_marks(unit, node)


def _of_processes(unit: Unit, name: str) -> bool:
    """Is it the error of a library that looks at processes, of the same name as one about credentials?"""
    return name == "AccessDenied" and "psutil" in unit.text


def _constant_marks(unit: Unit, node: ast.Name) -> Iterator[Where]:
    """Words of refused credentials in a constant of the module that a function goes through."""
    for statement in unit.tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(
            statement.value, (ast.Tuple, ast.List, ast.Set, ast.Call, ast.Dict)
        ):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(each, ast.Name) and each.id == node.id for each in targets):
                for each in inside(statement.value):
                    if (
                        isinstance(each, ast.Constant)
                        and isinstance(each.value, str)
                        and len(each.value) < 60
                        and _AUTH.search(each.value)
                    ):
                        yield Where(path=unit.path, line=each.lineno, what=f"it looks for {each.value[:60]!r}")


def _is_looked_for(unit: Unit, node: ast.AST) -> bool:
    """Does a text stand where one is searched for: a comparison, a pattern, a list to go through?"""
    below: ast.AST = node
    for each in unit.around(node):
        if isinstance(each, ast.Compare):
            return True
        if isinstance(each, (ast.Tuple, ast.List, ast.Set)):
            below = each
            continue
        if isinstance(each, ast.comprehension):
            return True
        if isinstance(each, ast.Call):
            name = _last_name(each.func)
            return name in {"search", "match", "findall", "compile", "fullmatch", "find", "any", "startswith", "RegExp"}
        if isinstance(each, (ast.For, ast.GeneratorExp, ast.Assign, ast.AnnAssign)):
            return isinstance(below, (ast.Tuple, ast.List, ast.Set))
        if isinstance(each, ast.stmt):
            return False
    return False


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
