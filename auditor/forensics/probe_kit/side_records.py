"""The records of the files of one side of a change, and what the files show together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from auditor.forensics.languages.language_registry import covered_languages, has_rule_for
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus, SeenSite
from auditor.forensics.probe_kit.probe_decorators import SiteProbe, TextProbe
from auditor.forensics.source_text.file_roles import is_test, language


@dataclass(frozen=True)
class SideRecords:
    """The records of all files of one side, by path."""

    records: Mapping[str, FileRecord]
    second: Mapping[str, tuple[tuple[str, int, int], ...]] = field(default_factory=dict)
    served: frozenset[str] = frozenset()
    """Files named like tests that product code imports."""

    def is_test(self, path: str) -> bool:
        """Is it test code, by its name and by who uses it?"""
        return path not in self.served and is_test(path)

    def in_tests(self, path: str, record: FileRecord, seen: SeenSite) -> bool:
        """Is a place test code, by its file or by what is around it there?"""
        return self.is_test(path) or record.in_tests(seen.site.line)

    @cached_property
    def files(self) -> Mapping[bool, FileTotals]:
        """What the files in question show together: product code under False, test code under True."""
        classes = {False: FileTotals(), True: FileTotals()}
        for path, record in sorted(self.records.items()):
            if record.reading is not ReadStatus.BINARY:
                in_tests = self.is_test(path)
                classes[in_tests].add(path, record)
                if record.tests and not in_tests:
                    classes[True].add_tests(path, record)
        return classes


@dataclass
class FileTotals:
    """The files of a class, gone through once for all probes."""

    python: int = 0
    text: int = 0
    others: Counter[str] = field(default_factory=Counter)
    """Files by language, of those that are read in depth beside Python."""
    incomplete_files: list[tuple[str, FileRecord]] = field(default_factory=list)
    """Files that not every probe could read to the end, by path."""
    candidates: Counter[str] = field(default_factory=Counter)
    holders: dict[str, list[tuple[str, FileRecord]]] = field(default_factory=lambda: defaultdict(list))
    """For each probe, the files in which it saw something, by path."""

    def add(self, path: str, record: FileRecord) -> None:
        """Take a file into account."""
        self.text += 1
        if _is_python(path, record):
            self.python += 1
        elif _language(path, record) in covered_languages():
            self.others[_language(path, record)] += 1
        if record.reading is not ReadStatus.FULL or record.failed:
            self.incomplete_files.append((path, record))
        self.candidates.update(record.candidates)
        for probe_id in record.sites:
            self.holders[probe_id].append((path, record))

    def add_tests(self, path: str, record: FileRecord) -> None:
        """Take the tests that are in a file of product code into account."""
        self.text += 1
        self.others[_language(path, record)] += 1
        if record.reading is not ReadStatus.FULL or record.failed:
            self.incomplete_files.append((path, record))
        self.candidates.update({each: count for each, count in record.candidates.items() if is_test_probe(each)})
        for probe_id in record.sites:
            self.holders[probe_id].append((path, record))

    def asked(self, probe: SiteProbe | TextProbe) -> int:
        """How many files a probe is asked about."""
        if isinstance(probe, TextProbe):
            return self.text
        return self.python + sum(count for name, count in self.others.items() if has_rule_for(name, probe.id))

    def unread(self, probe: SiteProbe | TextProbe) -> dict[str, str]:
        """Files that a probe could not read to the end, and why."""
        return {
            path: reason
            for path, record in self.incomplete_files
            if _is_asked(probe, path, record) and (reason := _unread_reason(probe, record))
        }


def is_test_probe(probe_id: str) -> bool:
    """Does a question speak of tests only?"""
    return probe_id.startswith("tests.")


def _is_asked(probe: SiteProbe | TextProbe, path: str, record: FileRecord) -> bool:
    return isinstance(probe, TextProbe) or _is_python(path, record) or has_rule_for(_language(path, record), probe.id)


def _is_python(path: str, record: FileRecord) -> bool:
    return _language(path, record) == "python"


def _language(path: str, record: FileRecord) -> str:
    return record.detected_language or language(path)


def _unread_reason(probe: SiteProbe | TextProbe, record: FileRecord) -> str:
    if probe.id in record.failed:
        return record.failed[probe.id]
    if isinstance(probe, TextProbe) and probe.id in record.candidates:
        return ""
    return record.reason if record.reading is not ReadStatus.FULL else ""
