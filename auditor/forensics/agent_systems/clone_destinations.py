"""Where clones go: into a temporary directory, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Const,
    External,
    Item,
    Op,
    Text,
    Unknown,
    Value,
)
from auditor.forensics.agent_systems.clone_deletions import is_deleted_before_use
from auditor.forensics.agent_systems.clone_sites import CloneSite
from auditor.forensics.agent_systems.count_phrases import Wording, share_phrase
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.system_report_types import Clone, ClonesData, ProbeAnswer
from auditor.forensics.agent_systems.value_contents import walk


def clones_are_temporary(study: ProgramStudy, sites: list[CloneSite]) -> Iterator[ProbeAnswer]:
    """Does every clone go into a temporary directory that outlives its use?"""
    clones = [_clone_data(study, site) for site in sites]
    live = [(site, clone) for site, clone in zip(sites, clones, strict=True) if not clone.dead] or list(
        zip(sites, clones, strict=True)
    )
    data = ClonesData(clones=tuple(clones))
    places = tuple(study.place_spot(site.place) for site, _ in live)
    bad = [clone for _, clone in live if clone.mechanism == "none"]
    gone = [clone for _, clone in live if clone.deleted_before_use]
    unknown = [clone for _, clone in live if clone.mechanism == "unknown"]
    good = [clone for _, clone in live if clone not in bad and clone not in gone and clone not in unknown]
    share = round(len(good) / len(live), 4)
    if bad or gone:
        said = []
        if bad:
            said.append(
                f"{share_phrase(len(bad), len(live), Wording(('clone', 'is'), ('clones', 'are')))} made in a folder that is not temporary ({bad[0].path}:{bad[0].line})"
            )
        if gone:
            said.append(
                f"{share_phrase(len(gone), len(live), Wording(('clone', 'is'), ('clones', 'are')))} deleted before it is used ({gone[0].path}:{gone[0].line})"
            )
        sure = 0.9 if bad else 0.8
        yield ProbeAnswer(
            answer=False, statement=f"{'; '.join(said)}.", data=data, spots=places, confidence=sure, measure=share,
            because="a caller outside the analysed code may change it",
        )  # fmt: skip
        return
    if unknown:
        told = f"{unknown[0].path}:{unknown[0].line}"
        answer = bool(good)
        statement = (
            f"{len(good)} of {len(live)} clones are made in a temporary directory; the destination of the others is unknown ({told})."
            if good
            else f"The destination of the clone is set by a caller or a setting outside the analysed code ({told})."
        )
        yield ProbeAnswer(
            answer=answer, statement=statement, data=data, spots=places, confidence=0.5, measure=share,
            because="the source of the destination could not be resolved",
        )  # fmt: skip
        return
    mechanisms = " and ".join(dict.fromkeys(clone.mechanism for clone in good))
    count = "The clone is" if len(good) == 1 else f"All {len(good)} clones are"
    yield ProbeAnswer(answer=True, statement=f"{count} made in a temporary directory ({mechanisms}).", data=data, spots=places, confidence=0.95,
                 because="deletion was followed inside single functions only", measure=1.0)  # fmt: skip


def _clone_data(study: ProgramStudy, site: CloneSite) -> Clone:
    mechanism = _mechanism(site.target)
    dead = study.disabled_reason(site.place.unit, site.place.node) or study.unused_reason(
        site.place.unit, site.place.node
    )
    gone = mechanism in {"TemporaryDirectory", "mkdtemp"} and is_deleted_before_use(study, site)
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
    found = {_mechanism_of_value(each) for each in _alternatives(target)}
    for name in ("none", "TemporaryDirectory", "mkdtemp", "gettempdir", "unknown"):
        if name in found:
            return name
    return "unknown"


def _alternatives(value: Value) -> list[Value]:
    """The ways a path may be made, where a choice is at its beginning."""
    if isinstance(value, Choice):
        return [
            each
            for option in value.options
            for each in _alternatives(option)
            if not (isinstance(option, Const) and option.value is None)
        ]
    if (
        isinstance(value, Call)
        and value.last in known_names("path_calls")
        and value.args
        and isinstance(value.args[0], Choice)
    ):
        return _alternatives(value.args[0])
    if isinstance(value, Op) and value.sign == "/" and value.operands:
        return _alternatives(value.operands[0])
    return [value]


def _mechanism_of_value(value: Value) -> str:
    parts = list(walk(value))
    names = {each.last for each in parts if isinstance(each, Call)}
    for name in ("TemporaryDirectory", "mkdtemp", "gettempdir"):
        if name in names:
            return name
    if any(
        isinstance(each, (Unknown, Item, Attr)) and not _is_file_folder(each) for each in parts
    ) and not _has_fixed_folder(value):
        return "unknown"
    return "none" if any(isinstance(each, (Const, External)) for each in parts) else "unknown"


def _is_file_folder(value: Value) -> bool:
    return isinstance(value, Attr) and value.name in {"parent", "parents", "name", "stem"}


def _has_fixed_folder(value: Value) -> bool:
    """Does a path begin with a fixed folder, whatever is after it?"""
    for _ in range(20):
        if isinstance(value, Op) and value.sign in {"/", "+"}:
            value = value.operands[0]
        elif isinstance(value, Text):
            value = value.parts[0]
        elif isinstance(value, Call) and value.last in known_names("path_calls") and value.args:
            value = value.args[0]
        elif isinstance(value, Call) and value.name.endswith((".cwd", "getcwd", "Path.home", "Path")):
            return True
        elif isinstance(value, Attr) and _is_file_folder(value):
            value = value.base
        else:
            break
    return isinstance(value, Const) and isinstance(value.value, str) and bool(value.value.strip())
