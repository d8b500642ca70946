"""What all probes of an audit together want to see in a file."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from auditor.forensics.languages.data_flow.flow_models import all_followed_probes as followed_elsewhere
from auditor.forensics.library_models.team_rows import TeamRows, team_rows
from auditor.forensics.probe_kit.file_record import FileRecord
from auditor.forensics.probe_kit.probe_decorators import FileSelector, Probe, SiteProbe, SubjectProbe, TextProbe
from auditor.forensics.python import possible_aliases
from auditor.forensics.python.taint_models import followed_probes

Key = TypeVar("Key")
_MAX_NAME_PARTS = 10
"""Parts of a qualified name among which a known name is looked for."""


@dataclass(frozen=True)
class Interest:
    """What all asked probes together want to see. Made once, used for every file."""

    probes: tuple[Probe, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Names that the file imports from other modules of the repository, and what they stand for."""
    told: Mapping[str, object] = field(default_factory=dict)
    """What is known of the values of names that other modules of the repository bind."""
    summarized: frozenset[str] = frozenset()
    """Functions of the file of which it is asked what they do with what they are given; nothing else is."""
    reads_flows: bool = False
    """Is a file read for what its functions do with what they are given?"""
    has_base: bool = True
    """Is there a base? Without one, test assertions and exported symbols are not read."""
    team_rows: TeamRows = field(default_factory=team_rows)
    """The rows of a team that were in force when it was made; a worker puts them in force."""
    definitions: bool = True
    """Are definitions read, and not only the names that a module binds by imports and assignments?"""

    @cached_property
    def site_probes(self) -> tuple[SiteProbe, ...]:
        """Those that look at Python."""
        return tuple(each for each in self.probes if isinstance(each, SiteProbe))

    @cached_property
    def following_values(self) -> Interest:
        """The same for the probes alone that follow untrusted input, for files of which only that matters."""
        followed = followed_probes() | followed_elsewhere()
        return replace(self, probes=tuple(each for each in self.probes if each.id in followed), reads_flows=True)

    @cached_property
    def text_probes(self) -> tuple[TextProbe, ...]:
        """Those that look at any text."""
        return tuple(each for each in self.probes if isinstance(each, TextProbe))

    @cached_property
    def by_kind(self) -> dict[type[ast.AST], list[SiteProbe]]:
        """The probes that look at nodes of a kind."""
        return _group_probes((kind, each) for each in self.site_probes for kind in each.nodes)

    @cached_property
    def file_selectors(self) -> tuple[tuple[SiteProbe, FileSelector], ...]:
        """The probes that pick places from a file as a whole, and their selectors."""
        return tuple((each, each.file_selector) for each in self.site_probes if each.file_selector is not None)

    @cached_property
    def by_name(self) -> dict[str, list[SiteProbe]]:
        """Who wants calls of a qualified name."""
        return _group_probes((name, each) for each in self.site_probes for name in each.by_name)

    @cached_property
    def followed(self) -> frozenset[str]:
        """Qualified names that are also followed through other modules of the repository."""
        return frozenset(name for each in self.site_probes for name in each.followed)

    @cached_property
    def by_method_name(self) -> dict[str, list[SiteProbe]]:
        """The probes that look at calls of a method, whatever its receiver."""
        return _group_probes((name, each) for each in self.site_probes for name in each.all_methods)

    @cached_property
    def by_reference(self) -> dict[str, list[SiteProbe]]:
        """Who wants to know where a function is passed on."""
        return _group_probes((name, each) for each in self.site_probes for name in each.references)

    @cached_property
    def referenced_names(self) -> frozenset[str]:
        """Qualified names of functions that somebody looks for where they are passed on."""
        return frozenset(self.by_reference)

    @cached_property
    def by_module(self) -> dict[str, list[SiteProbe]]:
        """Who wants to know where a module is passed on."""
        return _group_probes((name, each) for each in self.site_probes for name in each.modules)

    @cached_property
    def passed_modules(self) -> frozenset[str]:
        """Modules that somebody looks for where they are passed on."""
        return frozenset(self.by_module)

    @cached_property
    def endings(self) -> frozenset[str]:
        """Last parts of all qualified names of calls that probes look for."""
        return frozenset(name.rpartition(".")[2] for name in self.by_name)

    @cached_property
    def segments(self) -> frozenset[str]:
        """Last parts of all calls and methods that probes look for; other calls are skipped."""
        return self.endings | frozenset(self.by_method_name)

    @cached_property
    def imported_suffixes(self) -> frozenset[str]:
        """Last parts of the names that other modules pass on."""
        return frozenset(name.rpartition(".")[2] for name in self.renamed)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Last parts of the names by which a call that probes look for may be called."""
        return self.endings | self.imported_suffixes

    @cached_property
    def all_suffixes(self) -> frozenset[str]:
        """Last parts of all calls that are looked at."""
        return self.segments | self.imported_suffixes

    @cached_property
    def name_prefixes(self) -> frozenset[str]:
        """What the qualified names of all calls begin with, themselves included."""
        starts = {start for name in self.by_name for start in accumulate(name.split("."), "{}.{}".format)}
        return frozenset({"builtins", *starts, *(f"builtins.{start}" for start in starts)})

    @cached_property
    def owner_words(self) -> frozenset[str]:
        """Names of modules that hold a call that probes look for, as other modules may hold them: `os` in `shutil.os.system`."""
        return frozenset(name.partition(".")[0] for name in self.by_name if "." in name)

    def standard_name(self, name: str) -> str:
        """The name that probes know for a call that is reached through another module; else the name itself."""
        _, dot, rest = name.partition(".")
        for _ in range(_MAX_NAME_PARTS):
            if rest in self.by_name and "." in rest:
                return rest
            if not dot:
                break
            _, dot, rest = rest.partition(".")
        return name

    @cached_property
    def ruff_codes(self) -> frozenset[str]:
        """Ruff's rules that take a second look."""
        return frozenset(code for each in self.site_probes for code in each.second_look)

    def wants_second_look(self, record: FileRecord) -> bool:
        """Did a probe see something in this file that ruff has rules for?"""
        return any(each.second_look and each.id in record.sites for each in self.site_probes)

    @cached_property
    def digest(self) -> str:
        """Identifies the probes that were asked: a record made for some probes says nothing of what the others would have seen."""
        asked = [each.id for each in self.probes if not isinstance(each, SubjectProbe)]
        return hashlib.sha256("\n".join((*asked, str(self.has_base), self.team_rows.digest)).encode()).hexdigest()[:16]

    @cached_property
    def kinds(self) -> frozenset[type[ast.AST]]:
        """Node kinds to keep during the walk."""
        return possible_aliases.ALIAS_NODES | frozenset(self.by_kind)


def _group_probes(pairs: Iterable[tuple[Key, SiteProbe]]) -> dict[Key, list[SiteProbe]]:
    inverted: dict[Key, list[SiteProbe]] = {}
    for key, probe in pairs:
        inverted.setdefault(key, []).append(probe)
    return inverted
