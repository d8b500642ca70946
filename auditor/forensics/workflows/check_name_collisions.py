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
from auditor.forensics.workflows.expression_evaluator import possible_texts
from auditor.forensics.workflows.github_check_names import CheckRun, Job, WorkflowParser
from auditor.forensics.workflows.governance_files import runs_audit
from auditor.forensics.workflows.job_actions import publishes_checks
from auditor.forensics.workflows.workflow_expression_values import PartialText
from auditor.forensics.workflows.workflow_yaml import ListNode, MapNode, Node, Scalar, UnreadableYaml, iter_scalars

PRODUCT = "Automaton Auditor"
_WHOLE_REPOSITORY_SUFFIX = ", whole repository"
_AUDIT_CHECK_NAME = PartialText((f"{PRODUCT} (", ""))
_WORKFLOW_PATH = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_ACTION_PATH = re.compile(r"(.+)/action\.ya?ml")
_JOB_ID = re.compile(r"[A-Za-z_][\w-]{0,99}")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w")


def is_workflow(path: str) -> bool:
    """Does GitHub run a file of that path?"""
    return _WORKFLOW_PATH.fullmatch(path) is not None


@dataclass(frozen=True)
class ReservedNameUse:
    """A job of the change whose check has a reserved name, or may get one at run time."""

    path: str
    line: int
    job: str
    reserved_name: str
    is_dynamic: bool


@dataclass(frozen=True)
class ReservedNames:
    """Reserved names by their normalized form, and reserved templates with gaps."""

    names: Mapping[str, str]
    forms: tuple[PartialText, ...]

    def find_match(self, name: PartialText) -> str | None:
        """The reserved name that a check has or may get."""
        name = _normalize_name(name)
        if not name.is_known:
            return next((shown for each, shown in self.names.items() if _matches_template(name, each)), None) or next(
                (_template_text(each) for each in self.forms if _may_be_equal(name, each)), None
            )
        (only,) = name.parts
        if only in self.names:
            return self.names[only]
        return next(
            (
                _template_text(each)
                for each in (*self.forms, _normalize_name(_AUDIT_CHECK_NAME))
                if _matches_template(each, only)
            ),
            None,
        )

    def find_in_script(self, text: str) -> str | None:
        """The reserved name that a value or a script holds: the product's as words, each as a text of its own."""
        plain = _SPACE.sub(" ", text.casefold())
        if PRODUCT.casefold() in plain:
            return PRODUCT
        for name, shown in self.names.items():
            is_whole = plain.strip() == name and " " in name
            if is_whole or re.search(rf"(?:[\"']|\b(?:context|name)=){re.escape(name)}(?:[\"'\s]|$)", plain):
                return shown
        return None


@dataclass(frozen=True)
class PublishedNameUse:
    """A workflow of the change that writes a check or a status and holds a reserved name."""

    path: str
    line: int
    reserved_name: str


@dataclass(frozen=True)
class WorkflowComparison:
    """Texts of both sides by path, and the pipelines that run the audit at the base.

    `configured_name` is the check name of the running Action, or nothing.
    """

    files: Sequence[FileChange]
    head: Mapping[str, str]
    base: Mapping[str, str]
    audit_pipelines: frozenset[str]
    configured_name: str = ""

    @cached_property
    def _after(self) -> WorkflowParser:
        return WorkflowParser(self.head)

    @cached_property
    def _before(self) -> WorkflowParser:
        return WorkflowParser(self.base)

    @cached_property
    def _changed(self) -> dict[str, str]:
        """Workflows that the change wrote, and the former path of each."""
        return {
            file.head.path: file.base.path if file.base is not None else file.head.path
            for file in self.files
            if file.head is not None and is_workflow(file.head.path)
        }

    @property
    def is_audited(self) -> bool:
        """Does the repository run the audit, as far as its base or the Action says?"""
        return bool(self.configured_name or self.audit_pipelines)

    def unread(self) -> dict[str, str]:
        """Changed workflows whose checks are unknown, and why."""
        reasons = ((path, self._after.checks(path)) for path in sorted(self._changed))
        found = {path: each.reason for path, each in reasons if isinstance(each, UnreadableYaml)}
        return {**{path: "its text was not read" for path in self._changed if path not in self.head}, **found}

    def find_reserved_name_uses(self) -> Iterator[ReservedNameUse]:
        """New and changed jobs with a reserved name; without an audit at the base, only certain names count."""
        if not self._changed:
            return
        reserved = self._reserved_names()
        reported: set[Job] = set()
        for check in (each for root in self._affected_workflows() for each in self._new_checks(root)):
            name = reserved.find_match(check.name)
            job = next((each for each in reversed(check.jobs) if each.path in self._changed), None)
            if name is None or job is None or job in reported or not (check.name.is_known or self.is_audited):
                continue
            reported.add(job)
            shown = job.id if _JOB_ID.fullmatch(job.id) else ""
            yield ReservedNameUse(job.path, job.line, shown, name, not check.name.is_known)

    def find_published_names(self) -> Iterator[PublishedNameUse]:
        """Changed workflows that write a check or a status themselves and hold a reserved name; each once."""
        reserved = self._reserved_names() if self._changed else ReservedNames({}, ())
        for path in sorted(self._changed):
            root, text = self._after.root(path), self.head.get(path, "")
            if not isinstance(root, MapNode) or runs_audit(text) or not publishes_checks(text):
                continue
            held = ((each, reserved.find_in_script(each.text)) for each in iter_scalars(root))
            node, name = next((each for each in held if each[1] is not None), (None, None))
            if node is not None and name is not None:
                yield PublishedNameUse(path, node.line, name)

    def _affected_workflows(self) -> list[str]:
        """Workflows whose checks the change may affect, including those that call a changed one."""
        both = ((self._after, self._changed), (self._before, self._changed.values()))
        called = any(side.is_callable(path) for side, paths in both for path in paths)
        return sorted(path for path in (self.head if called else self._changed) if is_workflow(path))

    def _new_checks(self, root: str) -> Iterator[CheckRun]:
        """Checks that are new or whose jobs changed; not those that ran and still run the audit."""
        after, before = self._after.checks(root), self._before.checks(self._changed.get(root, root))
        old = () if isinstance(before, UnreadableYaml) else before
        same = {(each.name, each.content) for each in old}
        judged = {each.name for each in old if self._judges(each)}
        for each in () if isinstance(after, UnreadableYaml) else after:
            is_new = (each.name, each.content) not in same
            if is_new and not (each.name in judged and self._judges(each)):
                yield each

    def _judges(self, check: CheckRun) -> bool:
        """Does its job run the audit, itself or by an action of the repository that does?"""
        node = check.jobs[-1].node
        actions = {f"./{found[1]}" for path in self.audit_pipelines if (found := _ACTION_PATH.fullmatch(path))}
        if any(each.text("uses").rstrip("/") in actions for each in _all_mappings(node)):
            return True
        return any(runs_audit(each.text) for each in iter_scalars(node))

    def _reserved_names(self) -> ReservedNames:
        defaults = (f"{PRODUCT} ({each})" for each in rubric_loader.names())
        named = [PartialText((each,)) for each in (*filter(None, [self.configured_name]), *defaults)]
        named += [each for path in sorted(self.audit_pipelines) for each in self._configured_names(path)]
        jobs = (self._before.checks(path) for path in sorted(self.audit_pipelines) if is_workflow(path))
        judging = [
            each.name for found in jobs if not isinstance(found, UnreadableYaml) for each in found if self._judges(each)
        ]
        return _build_reserved_names(
            [*(form for each in named if _has_known_word(each) for form in _verdict_names(each)), *judging]
        )

    def _configured_names(self, path: str) -> Iterator[PartialText]:
        """The check names that steps at the base pass to the Action."""
        root = self._before.root(path)
        for step in _all_mappings(root) if isinstance(root, MapNode) else ():
            if runs_audit(step.text("uses")):
                for key, node in step.mapping_at("with").entries.items():
                    if key.casefold() == "check-name" and isinstance(node, Scalar):
                        yield from possible_texts(node.text, {})


def _build_reserved_names(names: Iterable[PartialText]) -> ReservedNames:
    """The reserved names; a name that is wholly unknown is left out, because it would reserve every name."""
    exact: dict[str, str] = {}
    forms: dict[PartialText, None] = {}
    for each in names:
        plain = _normalize_name(each)
        if plain.is_known and plain.parts[0]:
            exact.setdefault(plain.parts[0], " ".join(each.parts[0].split()))
        elif _has_known_word(plain):
            forms[plain] = None
    return ReservedNames(exact, tuple(forms))


def _has_known_word(name: PartialText) -> bool:
    return _WORD.search("".join(name.parts)) is not None


def _verdict_names(name: PartialText) -> Iterator[PartialText]:
    """The names that a check run may have: see `publishers.check_run` and the Action's `case`."""
    for each in (name, name + PartialText((_WHOLE_REPOSITORY_SUFFIX,))):
        yield each
        yield each + PartialText((" \N{MIDDLE DOT} ", " verdict"))


def _all_mappings(node: Node) -> Iterator[MapNode]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, MapNode):
            yield each
            waiting.extend(each.entries.values())
        elif isinstance(each, ListNode):
            waiting.extend(each.items)


def _normalize_name(name: PartialText) -> PartialText:
    parts = [_SPACE.sub(" ", each.casefold()) for each in name.parts]
    parts[0], parts[-1] = parts[0].lstrip(), parts[-1].rstrip()
    return PartialText((parts[0].strip(),) if len(parts) == 1 else tuple(parts))


def _template_text(form: PartialText) -> str:
    return "...".join(form.parts)


def _matches_template(form: PartialText, text: str) -> bool:
    """Can the gaps be filled so that the text results?"""
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


def _may_be_equal(one: PartialText, other: PartialText) -> bool:
    """May two templates become the same text? Only how they begin and end is compared."""
    begins, others = one.parts[0], other.parts[0]
    ends, endings = one.parts[-1], other.parts[-1]
    return (begins.startswith(others) or others.startswith(begins)) and (
        ends.endswith(endings) or endings.endswith(ends)
    )
