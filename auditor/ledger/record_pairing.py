"""Which records of two folders belong together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from auditor.domain import Subject


@dataclass(frozen=True)
class RecordKey:
    """A record in a folder: its path below the folder, its subject and its rubric."""

    path: str
    subject: Subject
    rubric: str


@dataclass(frozen=True)
class RecordPairing:
    """Records that belong together, in the order of the first folder, and those without a partner."""

    pairs: tuple[tuple[RecordKey, RecordKey], ...]
    only_before: tuple[RecordKey, ...]
    only_after: tuple[RecordKey, ...]


def pair_records(before: Sequence[RecordKey], after: Sequence[RecordKey]) -> RecordPairing:
    """Pair records of the same subject first, then records with the same path below their folders.

    A subject is the same when repository, folder, base and head are. Where a folder has several records of one subject,
    they are told apart by rubric, then by path; what could belong to two records stays alone.
    """
    pairs: list[tuple[RecordKey, RecordKey]] = []
    left = list(before), list(after)
    for key in (_subject_rubric_and_path, _subject_and_rubric, _subject, _path, _subject_and_rubric, _subject):
        made = _unambiguous(key, *left)
        pairs += made
        left = _without(left[0], {each.path for each, _ in made}), _without(left[1], {each.path for _, each in made})
    order = {each.path: number for number, each in enumerate(before)}
    return RecordPairing(tuple(sorted(pairs, key=lambda pair: order[pair[0].path])), tuple(left[0]), tuple(left[1]))


def _subject(record: RecordKey) -> tuple[Hashable, ...]:
    about = record.subject
    return about.repository, about.folder, about.base, about.head


def _subject_and_rubric(record: RecordKey) -> tuple[Hashable, ...]:
    return *_subject(record), record.rubric


def _subject_rubric_and_path(record: RecordKey) -> tuple[Hashable, ...]:
    return *_subject_and_rubric(record), record.path


def _path(record: RecordKey) -> Hashable:
    return record.path


def _unambiguous(
    key: Callable[[RecordKey], Hashable], before: Sequence[RecordKey], after: Sequence[RecordKey]
) -> list[tuple[RecordKey, RecordKey]]:
    """Pairs of records that are the only ones with their key on either side."""
    grouped: dict[Hashable, tuple[list[RecordKey], list[RecordKey]]] = defaultdict(lambda: ([], []))
    for side, records in enumerate((before, after)):
        for each in records:
            grouped[key(each)][side].append(each)
    return [(first[0], second[0]) for first, second in grouped.values() if len(first) == len(second) == 1]


def _without(records: Sequence[RecordKey], paths: set[str]) -> list[RecordKey]:
    return [each for each in records if each.path not in paths]
