"""Checks of a change that have the name of the audit's own check, so that their result could be taken for its verdict.

Reserved are the names that the check run may have, and those of the jobs that run the audit at the base. Names are
compared without regard to case and surrounding space, which is wider than GitHub's exact comparison.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from auditor import rubric_loader
from auditor.domain import FileChange
from auditor.forensics.workflows.expression_evaluator import texts
from auditor.forensics.workflows.github_check_names import Check, Job, Workflows
from auditor.forensics.workflows.governance_files import runs_us
from auditor.forensics.workflows.partial_values import Template
from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, Unread, scalars

PRODUCT = "Automaton Auditor"
_WHOLE = ", whole repository"
_OURS = Template((f"{PRODUCT} (", ""))
_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_ACTION = re.compile(r"(.+)/action\.ya?ml")
_ID = re.compile(r"[A-Za-z_][\w-]{0,99}")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w")


def is_workflow(path: str) -> bool:
    """Does GitHub run a file of that path?"""
    return _WORKFLOW.fullmatch(path) is not None


@dataclass(frozen=True)
class Forged:
    """A job of the change whose check has a reserved name, or may get one at run time."""

    path: str
    line: int
    job: str
    reserved: str
    at_run_time: bool


@dataclass(frozen=True)
class Reserved:
    """Names that are reserved, each as it is written by its comparable form, and forms with gaps that are."""

    names: Mapping[str, str]
    forms: tuple[Template, ...]

    def taken(self, name: Template) -> str | None:
        """The reserved name that a check has or may get."""
        name = _comparable(name)
        if not name.is_known:
            return next((shown for each, shown in self.names.items() if _fits(name, each)), None) or next(
                (_written(each) for each in self.forms if _may_meet(name, each)), None
            )
        (only,) = name.parts
        if only in self.names:
            return self.names[only]
        return next((_written(each) for each in (*self.forms, _comparable(_OURS)) if _fits(each, only)), None)


@dataclass(frozen=True)
class Comparison:
    """Texts of both sides by path, and the pipelines that run the audit at the base.

    `configured` is the check name of the running Action, or nothing.
    """

    files: Sequence[FileChange]
    head: Mapping[str, str]
    base: Mapping[str, str]
    ours: frozenset[str]
    configured: str = ""

    @cached_property
    def _after(self) -> Workflows:
        return Workflows(self.head)

    @cached_property
    def _before(self) -> Workflows:
        return Workflows(self.base)

    @cached_property
    def _changed(self) -> dict[str, str]:
        """Workflows that the change wrote, and where each was before."""
        return {
            file.head.path: file.base.path if file.base is not None else file.head.path
            for file in self.files
            if file.head is not None and is_workflow(file.head.path)
        }

    @property
    def is_audited(self) -> bool:
        """Does the repository run the audit, as far as its base or the Action says?"""
        return bool(self.configured or self.ours)

    def unread(self) -> dict[str, str]:
        """Changed workflows whose checks are unknown, and why."""
        reasons = ((path, self._after.checks(path)) for path in sorted(self._changed))
        found = {path: each.reason for path, each in reasons if isinstance(each, Unread)}
        return {**{path: "its text was not read" for path in self._changed if path not in self.head}, **found}

    def forged(self) -> Iterator[Forged]:
        """New and changed jobs with such a name. Where nothing runs the audit, only names that are sure to be its."""
        if not self._changed:
            return
        reserved = self._reserved()
        reported: set[Job] = set()
        for check in (each for root in self._roots() for each in self._new(root)):
            name = reserved.taken(check.name)
            job = next((each for each in reversed(check.jobs) if each.path in self._changed), None)
            if name is None or job is None or job in reported or not (check.name.is_known or self.is_audited):
                continue
            reported.add(job)
            shown = job.id if _ID.fullmatch(job.id) else ""
            yield Forged(job.path, job.line, shown, name, not check.name.is_known)

    def _roots(self) -> list[str]:
        """Workflows whose checks the change may have touched: a called one shows its jobs in those that call it."""
        both = ((self._after, self._changed), (self._before, self._changed.values()))
        called = any(side.is_callable(path) for side, paths in both for path in paths)
        return sorted(path for path in (self.head if called else self._changed) if is_workflow(path))

    def _new(self, root: str) -> Iterator[Check]:
        """Checks that were not there before, or whose jobs say something else now; not those that ran and run the audit."""
        after, before = self._after.checks(root), self._before.checks(self._changed.get(root, root))
        old = () if isinstance(before, Unread) else before
        same = {(each.name, each.content) for each in old}
        judged = {each.name for each in old if self._judges(each)}
        for each in () if isinstance(after, Unread) else after:
            is_new = (each.name, each.content) not in same
            if is_new and not (each.name in judged and self._judges(each)):
                yield each

    def _judges(self, check: Check) -> bool:
        """Does its job run the audit, itself or by an action of the repository that does?"""
        node = check.jobs[-1].node
        actions = {f"./{found[1]}" for path in self.ours if (found := _ACTION.fullmatch(path))}
        if any(each.text("uses").rstrip("/") in actions for each in _maps(node)):
            return True
        return any(runs_us(each.text) for each in scalars(node))

    def _reserved(self) -> Reserved:
        defaults = (f"{PRODUCT} ({each})" for each in rubric_loader.names())
        named = [Template((each,)) for each in (*filter(None, [self.configured]), *defaults)]
        named += [each for path in sorted(self.ours) for each in self._check_names(path)]
        jobs = (self._before.checks(path) for path in sorted(self.ours) if is_workflow(path))
        judging = [each.name for found in jobs if not isinstance(found, Unread) for each in found if self._judges(each)]
        return _reserved([*(form for each in named if _says_something(each) for form in _forms(each)), *judging])

    def _check_names(self, path: str) -> Iterator[Template]:
        """What steps at the base that use the Action give it as the name of its check."""
        root = self._before.root(path)
        for step in _maps(root) if isinstance(root, MapNode) else ():
            if runs_us(step.text("uses")):
                for key, node in step.map("with").entries.items():
                    if key.casefold() == "check-name" and isinstance(node, Scalar):
                        yield from texts(node.text, {})


def _reserved(names: Iterable[Template]) -> Reserved:
    """A name of which nothing is known is left out: it would reserve every name."""
    exact: dict[str, str] = {}
    forms: dict[Template, None] = {}
    for each in names:
        plain = _comparable(each)
        if plain.is_known and plain.parts[0]:
            exact.setdefault(plain.parts[0], " ".join(each.parts[0].split()))
        elif _says_something(plain):
            forms[plain] = None
    return Reserved(exact, tuple(forms))


def _says_something(name: Template) -> bool:
    return _WORD.search("".join(name.parts)) is not None


def _forms(name: Template) -> Iterator[Template]:
    """The names that the check run of a configured one may have: see `publishers.check_run_publisher` and `action.check_run_lifecycle`."""
    for each in (name, name + Template((_WHOLE,))):
        yield each
        yield each + Template((" \N{MIDDLE DOT} ", " verdict"))


def _maps(node: Node) -> Iterator[MapNode]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, MapNode):
            yield each
            waiting.extend(each.entries.values())
        elif isinstance(each, ListNode):
            waiting.extend(each.items)


def _comparable(name: Template) -> Template:
    parts = [_SPACE.sub(" ", each.casefold()) for each in name.parts]
    parts[0], parts[-1] = parts[0].lstrip(), parts[-1].rstrip()
    return Template((parts[0].strip(),) if len(parts) == 1 else tuple(parts))


def _written(form: Template) -> str:
    return "...".join(form.parts)


def _fits(form: Template, text: str) -> bool:
    """Can the gaps be filled so that the text comes out?"""
    first, *inner, last = form.parts if len(form.parts) > 1 else (*form.parts, "")
    if len(form.parts) == 1:
        return text == first
    end = len(text) - len(last)
    at = len(first)
    if not text.startswith(first) or not text.endswith(last) or at > end:
        return False
    for part in inner:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _may_meet(one: Template, other: Template) -> bool:
    """May two texts with gaps become the same? Decided by how they begin and end; what is between counts as fitting."""
    begins, others = one.parts[0], other.parts[0]
    ends, endings = one.parts[-1], other.parts[-1]
    return (begins.startswith(others) or others.startswith(begins)) and (
        ends.endswith(endings) or endings.endswith(ends)
    )
