"""Public names that a change removes, renames or narrows."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.breaking_changes import BreakingChange, BreakKind, describe_breaks
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.python_api_changes import find_breaking_changes, importable_modules, is_public_module
from auditor.forensics.public_api.removed_exports import compared_base_files, find_export_breaks, uncompared_languages
from auditor.forensics.source_text.programming_languages import language_title

_NO_SURFACES = PublicSurfaces()


@probe("code.public_api_break", reads=("*.py", "**/*.py"))
def public_api_break(
    change: Change,
    modules: PythonModules,
    tree: Tree,
    surfaces: PublicSurfaces = _NO_SURFACES,
    texts: Documents | None = None,
) -> Iterator[Fact]:
    """Does the change break the public API?

    Public names, parameters, return types, fields and exceptions are compared with the base: in Python, JavaScript,
    TypeScript, Go, Java, PHP, Rust and Ruby packages. Private names that no package exports and the code of applications
    are not compared.

    Keep the old name working for one more release, marked as deprecated. Or announce the breaking change and raise the major version.
    """
    known = importable_modules(modules, tree, surfaces)
    before = [*known, *compared_base_files(modules, surfaces)]
    left_out = list(map(language_title, uncompared_languages(change)))
    if not before:
        other = f" The API of {', '.join(left_out)} code is not compared." if left_out else ""
        unread = sum(map(is_public_module, modules.unreadable))
        read = (
            f" {pluralize(unread, 'unreadable file')} {by_count(unread, 'was', 'were')} not compared." if unread else ""
        )
        touched = "existing, readable" if unread else "existing"
        yield not_applicable(f"The change edits no {touched} module that other projects can import.{read}{other}")
        return
    gone = [
        *find_breaking_changes(change, modules, known, tree, texts),
        *find_export_breaks(change, modules, surfaces, tree.base),
    ]
    if not gone:
        other = f"; {' and '.join(left_out)} code was not compared" if left_out else ""
        yield not_found(
            f"No breaking API change in {pluralize(len(before), 'changed module')}.",
            confidence=0.9,
            because=f"only names and parameters were compared, not behaviour{other}",
        )
        return
    groups: dict[tuple[BreakKind, float, str], list[BreakingChange]] = {}
    for each in gone:
        groups.setdefault((each.kind, each.confidence, each.because), []).append(each)
    for (_, confidence, because), broken in sorted(groups.items()):
        yield found(
            f"{describe_breaks(broken)}.",
            at=[each.at for each in broken],
            confidence=confidence,
            because=because,
            introduced=True,
        )
