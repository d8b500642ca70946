"""Names that others import or call, and that a change removes, renames or narrows."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe_kit.fact_outcomes import (
    found,
    not_applicable,
    not_found,
    pluralize,
    verb,
)
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.breaking_changes import BreakingChange, BreakKind, describe_breaks
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.python_api_changes import (
    find_breaking_changes,
    importable_modules,
    is_public_module,
)
from auditor.forensics.public_api.removed_exports import compared_base_files, find_export_breaks, uncompared_languages
from auditor.forensics.source_text.file_roles import language_title

_NO_SURFACES = PublicSurfaces()


@probe("code.public_api_break", reads=("*.py", "**/*.py"))
def public_api_break(
    change: Change,
    modules: PythonModules,
    tree: Tree,
    surfaces: PublicSurfaces = _NO_SURFACES,
    texts: Documents | None = None,
) -> Iterator[Fact]:
    """Does the change break what others call?

    Names, parameters, results, fields and exceptions that others can use, held against the base: in Python
    packages, JavaScript and TypeScript packages by their entries, Go, Java, Rust and gems. What is private and passed
    on by no package, or of an application, breaks nobody; a change that touches nothing else that was there before is
    not asked about.

    Keep the old name or parameter with a deprecation warning for a release, or announce the break and raise the major version.
    """
    known = importable_modules(modules, tree, surfaces)
    before = [*known, *compared_base_files(modules, surfaces)]
    left_out = list(map(language_title, uncompared_languages(change)))
    if not before:
        other = f" What {', '.join(left_out)} code offers to others is not compared." if left_out else ""
        unread = sum(map(is_public_module, modules.unreadable))
        read = (
            f" {pluralize(unread, 'file')} that could not be read {verb(unread, 'was', 'were')} not compared."
            if unread
            else ""
        )
        touched = "that could be read, that was there before" if unread else "that was there before"
        yield not_applicable(f"The change touches no module {touched} and that others could import.{read}{other}")
        return
    gone = [
        *find_breaking_changes(change, modules, known, tree, texts),
        *find_export_breaks(change, modules, surfaces, tree.base),
    ]
    if not gone:
        other = f", and no {' or '.join(left_out)} code" if left_out else ""
        yield not_found(
            f"Nothing public is missing from {pluralize(len(before), 'changed module')}.",
            confidence=0.9,
            because=f"behaviour was not compared, only names and parameters{other}",
        )
        return
    groups: dict[tuple[BreakKind, float, str], list[BreakingChange]] = {}
    for each in gone:
        groups.setdefault((each.kind, each.confidence, each.because), []).append(each)
    for (kind, confidence, because), broken in sorted(groups.items()):
        yield found(
            f"{describe_breaks(kind, [each.name for each in broken])}.",
            at=[each.at for each in broken],
            confidence=confidence,
            because=because,
            introduced=True,
        )
