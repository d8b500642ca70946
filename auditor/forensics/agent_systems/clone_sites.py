"""Places that clone a repository: the call, its URL, its destination."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Const,
    External,
    Map,
    Op,
    Place,
    Seq,
    Text,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.call_frames import ExternalCall, Frame
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.value_contents import known_words, options, text_of, walk

_CLONE_WORDS = re.compile(r"\bgit\b[^;&|\n]{0,200}?\bclone\b")
_GIT_LIBRARIES = ("git.", "gitpython.", "pygit2", "dulwich", "simple_git.", "isomorphic_git.")


@dataclass(eq=False)
class CloneSite:
    """A place that clones: the call that does it, where it is, its URL and its destination."""

    event: ExternalCall
    place: Place
    url: Value | None
    target: Value | None

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The calls that led there, outermost first."""
        return self.event.frames


def find_clone_sites(study: ProgramStudy) -> Iterator[CloneSite]:
    """Every place of product code that clones, as its best known caller calls it."""
    seen: set[tuple[str, int]] = set()
    ordered = sorted(study.run.events, key=lambda event: (_has_unknown_arguments(event), -len(event.frames)))
    for event in ordered:
        site = _clone_site(event)
        if site is not None and site.place.unit.product and (site.place.unit.path, site.place.line) not in seen:
            seen.add((site.place.unit.path, site.place.line))
            yield site


def _has_unknown_arguments(event: ExternalCall) -> bool:
    """Is what the call is given unknown? A call followed from a real caller says more."""
    return any(isinstance(each, Unknown) for value in event.call.args for each in walk(value))


def _clone_site(event: ExternalCall) -> CloneSite | None:
    call = event.call
    if call.last in known_names("clone_calls"):
        return _library_clone(event)
    if call.last not in known_names("process_calls"):
        return None
    for words, place in _command_words(call):
        if isinstance(words, str):
            if _CLONE_WORDS.search(words):
                return CloneSite(event, call.place, None, _shell_destination(words, call))
            continue
        url, target, is_clone = _parse_git_clone(words)
        if is_clone:
            return _git_clone(event, url, target, place)
    return None


def _shell_destination(words: str, call: Call) -> Value | None:
    """The destination in a command for a shell: its last word, where there is one after the URL."""
    after = words[words.index("clone") + 5 :].split()
    loose = [each for each in after if not each.startswith("-")]
    folder = call.argument("cwd")
    if folder is not None:
        return folder
    known = first_temporary_directory(call)
    return known if known is not None else Const(loose[1]) if len(loose) > 1 else None


def first_temporary_directory(call: Call) -> Value | None:
    """A temporary directory among the parts that a command is assembled from."""
    for value in call.args[:1]:
        for part in walk(value):
            if isinstance(part, Call) and part.last in {"TemporaryDirectory", "mkdtemp"}:
                return value
    return None


def _git_clone(event: ExternalCall, url: Value | None, target: Value | None, place: Place | None) -> CloneSite:
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
    return CloneSite(event, where, url, target)


def _library_clone(event: ExternalCall) -> CloneSite | None:
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
        return CloneSite(event, call.place, url.get("url"), url.get("dir"))
    if call.last == "clone" and isinstance(base, Call) and base.last == "Repo":
        url, target = base.argument("path", 0), call.argument("path", 0)
    return CloneSite(event, call.place, url, target)


def _command_words(call: Call) -> Iterator[tuple[list[Value] | str, Place | None]]:
    """The words a command may have: a list, or the text for a shell."""
    if call.last == "create_subprocess_exec":
        yield list(call.args), None
        return
    command = call.argument("args", 0) or call.argument("cmd") or call.argument("command")
    for each in options(command) if command is not None else ():
        if isinstance(each, Seq):
            word = next((item for item in each.items if text_of(item) == "clone"), None)
            yield each.items, _call_of_word(word.place) if isinstance(word, Const) and word.place is not None else None
        elif isinstance(each, Call) and each.last == "split" and each.args:
            yield known_words(each.args[0]), None
        elif isinstance(each, (Const, Text, Op)):
            yield known_words(each), None


def _call_of_word(place: Place) -> Place:
    """The call that a word of a command is written in."""
    call = next((each for each in place.unit.around(place.node) if isinstance(each, (ast.Call, ast.stmt))), place.node)
    return Place(place.unit, call)


def _parse_git_clone(words: list[Value]) -> tuple[Value | None, Value | None, bool]:
    """URL and destination of a `git clone`, and whether it is one."""
    known = [text_of(each) for each in words]
    if "clone" not in known[:12]:
        return None, None, False
    start = known.index("clone")
    program = known[0] or known_words(words[0])
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
            skip = word in known_names("git_clone_options_with_value")
        else:
            loose.append(value)
    return (loose[0] if loose else None), (loose[1] if len(loose) > 1 else None), True
