"""Pipelines of CI systems beside that of GitHub, in the words of a workflow: rows of `ci_systems.yaml` say where their jobs are.

Only what decides whether a command runs for a change, and whether its failure counts, is kept.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from pydantic import Field

from auditor.domain.frozen_model import Frozen
from auditor.domain.glob_patterns import matches
from auditor.forensics.workflows.workflow_model import MAX_STEPS, NO_LIMIT, Job, Limit, LimitKind, Step, Workflow
from auditor.forensics.workflows.workflow_yaml import (
    ListNode,
    MapNode,
    Node,
    Scalar,
    UnreadableYaml,
    format_value,
    read_yaml,
    scalar_value,
)
from auditor.row_tables import Row, SortedNames, Source, read_table

_DATA = Path(__file__).with_name("ci_systems.yaml")
_SHELL = "bash -e -o pipefail"
"""How these systems run a script, as they document it."""
_MAX_EXTENDS = 10
_MAX_INCLUDED = 150
"""Files of a pipeline, as GitLab allows."""
_TRUE = frozenset({"on", "true", "yes"})
"""What is true to the readers of YAML 1.1 that these systems use."""
_MAX_CONDITION = 1_000
_REFERENCE = "!reference"
_ITSELF = "."
_BLOCK_SCALAR = re.compile(r".*(?<=[\s:-])[|>][+-]?\d?[+-]?\s*(?:#.*)?$")


class CiSystem(Row):
    """A CI system; the YAML file says what each field means."""

    system: str
    paths: str
    included: tuple[str, ...] = ()
    jobs: tuple[str, ...]
    names: SortedNames = ()
    reserved: SortedNames = ()
    hidden: str = ""
    listed: str = ""
    listed_refs: str = ""
    pipeline: str | None = None
    extends: str = ""
    defaults: tuple[str, ...] = ()
    steps: str = ""
    scripts: tuple[str, ...]
    unheard: SortedNames = ()
    unheard_codes: str = ""
    failing_codes: SortedNames = ()
    unrun: Mapping[str, str] = Field(default_factory=dict)
    manual: Mapping[str, str] = Field(default_factory=dict)
    rules: str = ""
    unmet: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    only_key: str = ""
    except_key: str = ""
    foreign_refs: SortedNames = ()
    late_refs: SortedNames = ()
    change_refs: SortedNames = ()
    source: Source

    def owned(self) -> tuple[str, ...]:
        """The name."""
        return (self.system,)


class _Table(Frozen):
    systems: tuple[CiSystem, ...]


@cache
def ci_systems() -> tuple[CiSystem, ...]:
    """All rows."""
    return read_table(_DATA, _Table).systems


def ci_system(path: str) -> CiSystem | None:
    """The system that reads a file of that path; None for GitHub and for what no system reads."""
    return next((each for each in ci_systems() if re.search(each.paths, path)), None)


def included_pipelines(texts: Mapping[str, str], paths: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """The files among these paths that pipelines take in, those that these name included, by the path of the pipeline."""
    found: dict[str, tuple[str, ...]] = {}
    for path in texts:
        system = ci_system(path)
        waiting = [path] if system is not None and system.included else []
        taken: dict[str, None] = {}
        while system is not None and waiting and len(taken) < _MAX_INCLUDED:
            new = [each for each in _named_files(texts.get(waiting.pop(0), ""), system, paths) if each not in taken]
            waiting += new
            taken.update(dict.fromkeys(new))
        if taken.pop(path, True) and taken:
            found[path] = tuple(taken)
    return found


def _named_files(text: str, system: CiSystem, paths: Collection[str]) -> Iterator[str]:
    read = read_yaml(text, of_github=False)
    root = read if isinstance(read, MapNode) else MapNode({}, 0)
    for place in system.included:
        for name in (each.removeprefix("/") for found in _at(root, place) for each in _texts(found) if each):
            yield from (
                path for path in ([name] if name in paths else paths if "*" in name else ()) if matches(path, name)
            )


def read_pipeline(text: str, system: CiSystem, included: Mapping[str, str] | None = None) -> Workflow | UnreadableYaml:
    """The jobs of a pipeline with the files that it takes in, or why there are none. It starts for every change, unless its jobs say otherwise."""
    root = read_yaml(text, of_github=False)
    if isinstance(root, UnreadableYaml):
        return root
    files: dict[str, str] = {}
    for path, more in reversed(tuple((included or {}).items())):
        other = read_yaml(more, of_github=False)
        root = _with_keys_of(root, other, path, files, system) if isinstance(other, MapNode) else root
    rows = {path: more.split("\n") for path, more in (included or {}).items()}
    jobs = tuple(islice(_PipelineReader(system, root, text.split("\n"), files, rows).jobs(), MAX_STEPS + 1))
    if sum(len(job.steps) + 1 for job in jobs) > MAX_STEPS:
        return UnreadableYaml(f"it has more than {MAX_STEPS:,} steps")
    return Workflow({"pull_request": {}}, jobs)


def _with_keys_of(root: MapNode, other: MapNode, path: str, files: dict[str, str], system: CiSystem) -> MapNode:
    """A pipeline with the keys of a file that it takes in, its own before those. Sets the file in which each job has its commands."""
    entries, lines = dict(root.entries), dict(root.lines)
    for name, node in other.entries.items():
        own = entries.get(name)
        if isinstance(own, MapNode) and isinstance(node, MapNode):
            entries[name] = MapNode({**node.entries, **own.entries}, own.line, {**node.lines, **own.lines})
            is_there = not own.entries.keys() & set(system.scripts) and bool(node.entries.keys() & set(system.scripts))
        else:
            entries.setdefault(name, node)
            is_there = own is None
        if is_there:
            files[name], lines[name] = path, other.lines.get(name, node.line)
    return MapNode(entries, root.line, lines)


@dataclass(frozen=True)
class _PipelineReader:
    """Reads the jobs of one file."""

    system: CiSystem
    root: MapNode
    rows: Sequence[str]
    files: Mapping[str, str]
    """The included file that holds the commands of a job, by the job."""
    rows_of: Mapping[str, Sequence[str]]

    def jobs(self) -> Iterator[Job]:
        of_all = self._limit_of_pipeline()
        listed = self._listed_jobs()
        for name, node, line in self._job_nodes():
            keys = self._with_taken_keys(node)
            file = self.files.get(name, "")
            steps = tuple(replace(self, rows=self.rows_of.get(file, self.rows))._steps(keys))
            limits = [of_all, self._limit(keys)]
            if self.system.listed:
                unlisted = Limit(LimitKind.NOT_RUN, "no workflow lists its job")
                limits.append(max(listed.get(name, []), key=lambda each: each.kind, default=unlisted))
            if steps:
                limit = min(limits, key=lambda each: each.kind)
                yield Job(id=name, line=line, steps=steps, needs=_texts(keys.get("needs")), limit=limit, file=file)

    def _limit_of_pipeline(self) -> Limit:
        """When no job of the file runs, whatever it says itself."""
        held = () if self.system.pipeline is None else _at(self.root, self.system.pipeline)
        limits = [self._limit(each.entries) for each in held if isinstance(each, MapNode)]
        return min(limits, key=lambda each: each.kind, default=NO_LIMIT)

    def _listed_jobs(self) -> Mapping[str, list[Limit]]:
        """How far each listed job runs, for each time that it is listed."""
        listed: dict[str, list[Limit]] = defaultdict(list)
        for group in _at(self.root, self.system.listed) if self.system.listed else ():
            if isinstance(group, MapNode):
                of_group = self._own_limit(group.entries)
                for name, keys in _named_items(group.entries.get("jobs")):
                    limits = [of_group, *map(self._limit_of_refs, self._listed_refs(keys))]
                    listed[name].append(min(limits, key=lambda each: each.kind))
        return listed

    def _listed_refs(self, keys: Node | None) -> Iterator[Mapping[str, Node]]:
        for found in _at(keys, self.system.listed_refs) if keys is not None else ():
            if isinstance(found, MapNode):
                yield found.entries

    def _job_nodes(self) -> Iterator[tuple[str, MapNode, int]]:
        for place in self.system.jobs:
            is_job = place.endswith(_ITSELF)
            for found in _at(self.root, place.removesuffix(_ITSELF).rstrip("/")):
                listed = found.items if isinstance(found, ListNode) else (found,) if is_job else ()
                for node in listed:
                    if isinstance(node, MapNode):
                        name = next((node.text(key) for key in self.system.names if node.text(key)), "")
                        yield name, node, node.line
                if isinstance(found, MapNode) and not is_job:
                    yield from self._named_jobs(found)

    def _named_jobs(self, jobs: MapNode) -> Iterator[tuple[str, MapNode, int]]:
        for name, node in jobs.entries.items():
            is_hidden = self.system.hidden and re.search(self.system.hidden, name)
            if isinstance(node, MapNode) and name not in self.system.reserved and not is_hidden:
                yield name, node, jobs.lines.get(name, node.line)

    def _with_taken_keys(self, job: MapNode) -> Mapping[str, Node]:
        """The keys of a job, with those that it takes from others and those of all jobs."""
        keys = dict(job.entries)
        waiting, seen = list(_texts(keys.get(self.system.extends)))[::-1], set[str]()
        while waiting and len(seen) < _MAX_EXTENDS:
            name = waiting.pop(0)
            other = self.root.entries.get(name)
            if name in seen or not isinstance(other, MapNode):
                continue
            seen.add(name)
            keys = {**other.entries, **keys}
            waiting += list(_texts(other.entries.get(self.system.extends)))[::-1]
        for place in self.system.defaults:
            for found in _at(self.root, place):
                held = found.entries if isinstance(found, MapNode) else {}
                keys = {**{key: held[key] for key in self.system.scripts if key in held}, **keys}
        return keys

    def _steps(self, keys: Mapping[str, Node]) -> Iterator[Step]:
        if not self.system.steps:
            yield from self._commands(MapNode(keys, 0), NO_LIMIT)
            return
        node = keys.get(self.system.steps)
        for each in node.items if isinstance(node, ListNode) else ():
            if isinstance(each, MapNode):
                yield from self._commands(each, self._limit(each.entries))

    def _commands(self, step: MapNode, limit: Limit) -> Iterator[Step]:
        name = step.text("name") or step.text("displayName")
        for place in self.system.scripts:
            for found in _at(step, place):
                for scalar in self._script_lines(found, _MAX_EXTENDS, set()):
                    yield Step(
                        line=scalar.line,
                        name=name,
                        run=scalar.text,
                        run_line=scalar.line + self._is_block(scalar.line),
                        shell=_SHELL,
                        limit=limit,
                    )

    def _script_lines(self, node: Node, depth: int, followed: set[str]) -> Iterator[Scalar]:
        """The commands of a text or a list, in lists among them and in keys of other jobs that it refers to, each once."""
        if isinstance(node, Scalar):
            words = node.text.split()
            if words[:1] != [_REFERENCE]:
                yield node
            elif depth > 0 and (place := "/".join(words[1:])) not in followed:
                followed.add(place)
                for found in _at(self.root, place):
                    yield from self._script_lines(found, depth - 1, followed)
        elif isinstance(node, ListNode) and depth > 0:
            for each in node.items:
                yield from self._script_lines(each, depth - 1, followed)

    def _is_block(self, line: int) -> bool:
        return 0 < line <= len(self.rows) and _BLOCK_SCALAR.match(self.rows[line - 1][:1_000]) is not None

    # what a job or a step says of when it runs and whether it counts

    def _limit(self, keys: Mapping[str, Node]) -> Limit:
        limits = [self._own_limit(keys), self._limit_of_refs(keys), self._limit_of_rules(keys)]
        return min(limits, key=lambda each: each.kind)

    def _own_limit(self, keys: Mapping[str, Node], *, of_rule: bool = False) -> Limit:
        step = MapNode(keys, 0)
        for kind, says, values in (
            (LimitKind.NOT_RUN, "`{key}: {value}` keeps it from running", self.system.unrun),
            (LimitKind.NOT_RUN, "`{key}: {value}` waits for somebody to start it", self.system.manual),
        ):
            for key, expression in () if self._is_decided_by_rules(keys, of_rule=of_rule) else values.items():
                for value in (" ".join(each.split()) for found in _at(step, key) for each in _texts(found)):
                    if value and re.search(expression, value[:_MAX_CONDITION]):
                        return Limit(kind, says.format(key=key.rpartition("/")[2], value=value[:40]))
        for key in self.system.unheard:
            if any(_text(found).lower() in _TRUE for found in _at(step, key)):
                return Limit(LimitKind.CANNOT_FAIL, f"it has `{key}: true`")
        for found in _at(step, self.system.unheard_codes) if self.system.unheard_codes else ():
            for code in _texts(found):
                if code in self.system.failing_codes:
                    key = self.system.unheard_codes.rpartition("/")[2]
                    return Limit(LimitKind.CANNOT_FAIL, f"`{key}` allows the exit code {code}, by which checks fail")
        return NO_LIMIT

    def _is_decided_by_rules(self, keys: Mapping[str, Node], *, of_rule: bool) -> bool:
        """Does a rule say when the job runs, rather than the job itself?"""
        return not of_rule and bool(self.system.rules) and isinstance(keys.get(self.system.rules), ListNode)

    def _limit_of_rules(self, keys: Mapping[str, Node]) -> Limit:
        rules = keys.get(self.system.rules)
        if not self.system.rules or not isinstance(rules, ListNode):
            return NO_LIMIT
        outcomes: list[Limit] = []
        for rule in rules.items:
            if not isinstance(rule, MapNode):
                return NO_LIMIT
            reached = self._reach(rule.text("if"))
            if reached.kind is LimitKind.NOT_RUN:
                continue
            outcomes.append(min(reached, self._own_limit(rule.entries, of_rule=True), key=lambda each: each.kind))
            if reached.kind is LimitKind.NONE and not {"if", "changes", "exists"} & rule.entries.keys():
                break
        never = Limit(LimitKind.NOT_RUN, f"none of its `{self.system.rules}` fits a change")
        return max(outcomes, key=lambda each: each.kind, default=never)

    def _reach(self, condition: str) -> Limit:
        """When a condition is met: before the merge, after it only, or for no change."""
        plain = condition[:_MAX_CONDITION]
        if "||" in plain:
            return NO_LIMIT
        if any(re.search(each, plain) for each in self.system.unmet):
            return Limit(LimitKind.NOT_RUN, f"no change meets `{plain[:60]}`")
        if any(re.search(each, plain) for each in self.system.late):
            return Limit(LimitKind.AFTER_MERGE, "it only runs after the merge")
        return NO_LIMIT

    def _limit_of_refs(self, keys: Mapping[str, Node]) -> Limit:
        system = self.system
        wanted = set(_refs(keys.get(system.only_key))) if system.only_key else set[str]()
        unwanted = set(_refs(keys.get(system.except_key))) if system.except_key else set[str]()
        if wanted and wanted <= set(system.foreign_refs):
            return Limit(LimitKind.NOT_RUN, f"`{system.only_key}: {', '.join(sorted(wanted)[:3])}` fits no change")
        if wanted and wanted <= {*system.foreign_refs, *system.late_refs}:
            return Limit(LimitKind.AFTER_MERGE, "it only runs after the merge")
        if unwanted and set(system.change_refs) <= unwanted:
            return Limit(LimitKind.NOT_RUN, f"`{system.except_key}` leaves out every change")
        return NO_LIMIT


def _refs(node: Node | None) -> tuple[str, ...]:
    return _texts(node.entries.get("refs")) if isinstance(node, MapNode) else _texts(node)


def _named_items(node: Node | None) -> Iterator[tuple[str, Node | None]]:
    """The names in a list of jobs, each a text or the one key of a mapping, with what is said of each."""
    for each in node.items if isinstance(node, ListNode) else ():
        if isinstance(each, Scalar):
            yield each.text, None
        elif isinstance(each, MapNode):
            yield from each.entries.items()


def _at(node: Node, place: str) -> Iterator[Node]:
    """The nodes at some keys, a slash between them; a star is any key, and a list stands for its items."""
    key, _, rest = place.partition("/")
    if not key:
        yield node
        return
    for each in node.items if isinstance(node, ListNode) else (node,):
        if isinstance(each, MapNode):
            found = each.entries.values() if key == "*" else (each.entries[key],) if key in each.entries else ()
            for one in found:
                yield from _at(one, rest)


def _text(node: Node) -> str:
    return format_value(scalar_value(node)) if isinstance(node, Scalar) else ""


def _texts(node: Node | None) -> tuple[str, ...]:
    if isinstance(node, ListNode):
        return tuple(_text(each) for each in node.items)
    return (_text(node),) if isinstance(node, Scalar) else ()
