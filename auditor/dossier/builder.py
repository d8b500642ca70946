"""The dossier of a change: every hunk with its function, what it touches, and within the budget what matters most."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from auditor.domain import (
    Dossier,
    Exhibit,
    ExhibitKind,
    ExhibitLine,
    ExhibitMode,
    FileChange,
    LineMark,
    Omission,
    OmissionReason,
    Side,
    TreeEntry,
)
from auditor.domain.glob_patterns import matches_any
from auditor.dossier import caller_callee_test_exhibits
from auditor.dossier.changed_file import ChangedFile, ReadBlobs, changed_files
from auditor.dossier.code_search import CodeSearch
from auditor.dossier.hunk_exhibits import Stretch, stretches
from auditor.dossier.risk import risk
from auditor.dossier.shown_lines import cut_lines, is_cut, shown_lines
from auditor.dossier.syntax_child_process import SyntaxReader
from auditor.report.exhibit_text import exhibit_tokens

_MAX_STRETCHES = 2_000
"""Stretches that are looked at; with more the change is larger than any prompt."""
_ROW = 80
"""Characters that make a line of those that are cut."""
_DOCUMENT_SHARE = 0.15
"""Share of the budget that documents may take."""
_DERIVED_SHARE = 0.15
"""Share of the budget that edits of vendored and generated files may take."""


@dataclass(frozen=True)
class ChangeView:
    """What is read of the repository: the changed files, the tree at the head, and contents by blob."""

    changes: tuple[FileChange, ...]
    head: Mapping[str, TreeEntry]
    read: ReadBlobs


@dataclass(frozen=True)
class DossierOptions:
    """What may be shown, and how much of it."""

    mode: ExhibitMode = ExhibitMode.CONTEXT
    budget: int = 60_000
    """Tokens for all exhibits, as `tokens` estimates them."""
    never_send: tuple[str, ...] = ()
    """Globs of the trusted configuration: files that no provider may see."""
    exclude: tuple[str, ...] = ()
    """Globs of the trusted configuration: files that the audit leaves out."""
    documents: bool = False
    """Are changed documents shown as well? They take at most a part of the budget, after all code."""
    secret_lines: Mapping[str, Collection[int]] | None = None
    """Lines by file at the head in which a probe has seen a secret."""


@dataclass(frozen=True)
class _Group:
    """A hunk with what is shown beside it."""

    hunk: Exhibit
    stretch: Stretch
    context: tuple[Exhibit, ...] = ()

    @property
    def is_own_code(self) -> bool:
        """Is it neither prose nor of a vendored or generated file?"""
        return not (self.stretch.file.is_document or self.stretch.file.is_vendored_or_generated)

    @property
    def risk(self) -> int:
        definition = self.stretch.definition
        return risk(
            self.hunk.path,
            self.stretch.changed,
            is_public=definition is not None and not definition.name.startswith("_"),
            is_tested=any(each.kind is ExhibitKind.TEST for each in self.context),
        )


def build(view: ChangeView, options: DossierOptions) -> Dossier:
    """The dossier of a change. The same base, head and options give the same bytes."""
    if options.mode is ExhibitMode.NONE or not view.changes:
        return Dossier()
    files = changed_files(
        view.changes,
        view.read,
        {OmissionReason.NEVER_SEND: options.never_send, OmissionReason.EXCLUDED: options.exclude},
    )
    files = files if options.documents else tuple(map(_without_prose, files))
    if options.budget <= 0:
        return _nothing_shown(files)
    with SyntaxReader() as reader:
        found, skipped = _stretches(files, reader)
        groups = _groups(found, _search(view, options, files, reader) if options.mode is ExhibitMode.CONTEXT else None)
    code = _cleaned([each for each in groups if each.is_own_code], options, options.budget)
    taken = sum(exhibit_tokens(each) for group in code for each in (group.hunk, *group.context))
    derived = [each for each in groups if each.stretch.file.is_vendored_or_generated]
    code += _cleaned(derived, options, min(options.budget - taken, int(_DERIVED_SHARE * options.budget)))
    exhibits = tuple(each for group in code for each in (group.hunk, *group.context))
    used = sum(map(exhibit_tokens, exhibits))
    room = min(options.budget - used, int(_DOCUMENT_SHARE * options.budget))
    prose = _cleaned([each for each in groups if each.stretch.file.is_document], options, room)
    documents = tuple(each.hunk for each in prose)
    chosen = {each.hunk.id: each for each in (*code, *prose)}
    left_out = [each for each in groups if each.hunk.id not in chosen]
    return Dossier(
        exhibits=exhibits,
        documents=documents,
        omissions=(
            *_omitted_files(files),
            *skipped,
            *(_omitted_hunk(each) for each in left_out),
            *(each for group in chosen.values() for each in _cut_lines(group)),
        ),
        product_lines=sum(each.changed_lines for each in files if each.is_product)
        + sum(_rows(line) - 1 for each in groups if each.stretch.file.is_product for line in each.stretch.changed),
        tokens=used + sum(map(exhibit_tokens, documents)),
    )


def _nothing_shown(files: Sequence[ChangedFile]) -> Dossier:
    """What there is to read, where there is no room for any of it."""
    waiting = [_skipped_file(each, each.changed_lines) for each in files if each.omitted is None]
    return Dossier(
        omissions=(*_omitted_files(files), *waiting),
        product_lines=sum(each.changed_lines for each in files if each.is_product),
    )


def _without_prose(file: ChangedFile) -> ChangedFile:
    """The file, left out where it is a document: no criterion may rest on it."""
    return replace(file, omitted=file.omitted or OmissionReason.DOCUMENT) if file.is_document else file


def _stretches(files: Iterable[ChangedFile], reader: SyntaxReader) -> tuple[list[Stretch], list[Omission]]:
    """The stretches that are looked at, and the files of which some are not, for their number."""
    found: list[Stretch] = []
    skipped: list[Omission] = []
    for each in sorted(files, key=lambda each: each.is_vendored_or_generated):
        if each.omitted is not None:
            continue
        room = _MAX_STRETCHES - len(found)
        if room <= 0:
            skipped.append(_skipped_file(each, each.changed_lines))
            continue
        side = Side.HEAD if each.change.head is not None else Side.BASE
        syntax = reader.read(each.path, each.content[side]) if not each.is_document else None
        taken = list(islice(stretches(each, syntax), room + 1))
        found += taken[:room]
        if len(taken) > room:
            shown = sum(bool(line.text.strip()) for stretch in taken[:room] for line in stretch.changed)
            skipped.append(_skipped_file(each, each.changed_lines - shown))
    return found, skipped


def _skipped_file(file: ChangedFile, lines: int) -> Omission:
    """The rest of a file that belongs to a change larger than any prompt."""
    side = Side.HEAD if file.change.head is not None else Side.BASE
    return Omission(
        path=file.path, side=side, reason=OmissionReason.BUDGET, product_lines=max(0, lines) if file.is_product else 0
    )


def _search(
    view: ChangeView, options: DossierOptions, files: Iterable[ChangedFile], reader: SyntaxReader
) -> CodeSearch:
    """Looks for context in files that may be shown alone."""
    shown = {each.path for each in files if each.omitted is None and each.change.head is not None}
    withheld = (*options.never_send, *options.exclude)
    allowed = {path: entry for path, entry in view.head.items() if not matches_any(path, withheld)}
    return CodeSearch(allowed, shown, view.read, reader)


def _groups(found: Sequence[Stretch], search: CodeSearch | None) -> list[_Group]:
    """Hunks and their context, numbered by their places, so that ids do not depend on the budget."""
    shown: dict[str, set[int]] = {}
    for each in found:
        shown.setdefault(each.file.path, set()).update(
            line.number for line in each.lines if line.mark is not LineMark.REMOVED
        )
    counts: dict[ExhibitKind, int] = dict.fromkeys(ExhibitKind, 0)
    groups = []
    for each in found:
        kind = ExhibitKind.DOCUMENT if each.file.is_document else ExhibitKind.HUNK
        counts[kind] += 1
        hunk = _hunk(each, kind, counts[kind])
        fragments = (
            caller_callee_test_exhibits.context(each, search)
            if search is not None and kind is ExhibitKind.HUNK and not each.file.is_vendored_or_generated
            else []
        )
        exhibits = []
        for fragment in caller_callee_test_exhibits.without_repeats(fragments, shown):
            counts[fragment.kind] += 1
            exhibits.append(fragment.exhibit(counts[fragment.kind], (hunk.id,)))
        groups.append(_Group(hunk, each, tuple(exhibits)))
    return groups


def _hunk(stretch: Stretch, kind: ExhibitKind, number: int) -> Exhibit:
    start, end = stretch.span
    return Exhibit(
        id=f"{kind.value}#{number}",
        kind=kind,
        path=stretch.file.path,
        side=stretch.side,
        start=start,
        end=end,
        definition=stretch.definition.qualified_name if stretch.definition else None,
        lines=stretch.lines,
    )


def _cleaned(groups: Sequence[_Group], options: DossierOptions, budget: int) -> list[_Group]:
    """What fits, as judges see it: no secrets, nothing invisible, no line without end.

    Looking for secrets takes time, so only what is chosen by its size is cleaned; what has grown by that may fit no more.
    """
    secret_lines = options.secret_lines or {}
    return _chosen([_clean(each, secret_lines) for each in _chosen(groups, budget, _size_when_cut)], budget)


def _clean(group: _Group, secret_lines: Mapping[str, Collection[int]]) -> _Group:
    hunk, *context = (show_exhibit(each, secret_lines.get(each.path, ())) for each in (group.hunk, *group.context))
    return replace(group, hunk=hunk, context=tuple(context))


def _size_when_cut(exhibit: Exhibit) -> int:
    return exhibit_tokens(exhibit.model_copy(update={"lines": cut_lines(exhibit.lines)}))


def show_exhibit(exhibit: Exhibit, secret_lines: Collection[int]) -> Exhibit:
    """The exhibit as judges see it: no secrets, nothing invisible, no line without end."""
    return exhibit.model_copy(update={"lines": shown_lines(exhibit.lines, secret_lines)})


def _chosen(groups: Sequence[_Group], budget: int, size_of: Callable[[Exhibit], int] = exhibit_tokens) -> list[_Group]:
    """What fits: all hunks by risk first, then the context of the riskiest. In the order of risk."""
    ordered = sorted(groups, key=lambda each: -each.risk)
    used, chosen = 0, []
    for each in ordered:
        size = size_of(each.hunk)
        if used + size <= budget:
            used += size
            chosen.append(each)
    fitting = []
    for each in chosen:
        context = []
        for exhibit in each.context:
            size = size_of(exhibit)
            if used + size <= budget:
                used += size
                context.append(exhibit)
        fitting.append(replace(each, context=tuple(context)))
    return fitting


def _omitted_files(files: Iterable[ChangedFile]) -> list[Omission]:
    return [
        Omission(
            path=each.path,
            side=Side.HEAD if each.change.head is not None else Side.BASE,
            reason=each.omitted,
            product_lines=each.changed_lines if each.is_product else 0,
        )
        for each in files
        if each.omitted is not None
    ]


def _omitted_hunk(group: _Group) -> Omission:
    hunk = group.hunk
    return Omission(
        path=hunk.path,
        side=hunk.side,
        start=hunk.start,
        end=hunk.end,
        reason=OmissionReason.BUDGET,
        product_lines=_changed_product_lines(group),
    )


def _changed_product_lines(group: _Group) -> int:
    """Changed lines of product code, a long one for as many as it would fill."""
    return (
        sum(_rows(each) for each in group.stretch.changed if each.text.strip()) if group.stretch.file.is_product else 0
    )


def _rows(line: ExhibitLine) -> int:
    """How many lines a changed line counts for: the part that is not shown of one that is cut must not look small."""
    return math.ceil(len(line.text) / _ROW) if is_cut(line) else 1


def _cut_lines(group: _Group) -> list[Omission]:
    """Changed lines of which only the start is shown."""
    return [
        Omission(
            path=group.hunk.path,
            side=Side.BASE if each.mark is LineMark.REMOVED else Side.HEAD,
            start=each.number,
            end=each.number,
            reason=OmissionReason.BUDGET,
            product_lines=_rows(each) if group.stretch.file.is_product else 0,
        )
        for each in group.stretch.changed
        if is_cut(each)
    ]
