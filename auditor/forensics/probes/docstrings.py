"""Whether public functions and classes have docstrings."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.english_counts import by_count, each_of
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, list_names, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.framework_entry_points import ClassHierarchy, is_migration_path, model_decorators
from auditor.forensics.public_api.init_reexports import is_private_module
from auditor.forensics.public_api.outline_pairs import base_definitions
from auditor.forensics.public_api.python_api_changes import is_only_header_changed
from auditor.forensics.source_text.file_outline import Class, Function
from auditor.forensics.source_text.file_roles import Role, is_example, role


@probe("docs.public_docstrings")
def public_docstrings(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Do public functions or classes lack a docstring?

    Counts: a function, method or class in Python product code that `__all__` lists or, without `__all__`, that has no leading
    underscore in its path; in a change only those that it adds. Does not count: overloads, overriding methods, setters, special
    methods, definitions inside functions, tests, examples and migrations.

    Write a docstring for each: a sentence that says what it is for, and what it returns and raises if that is not obvious.
    """
    asked = list(_definitions_in_scope(change, modules))
    examined = len(asked)
    bare = [(path, each) for path, each in asked if not each.has_docstring]
    if not examined:
        yield not_applicable("No public function or class is in scope.")
    elif bare:
        yield found(
            f"{list_names(each.qualname for _, each in bare)} {by_count(len(bare), 'has', 'have')} no docstring.",
            at=[code_location(path, each.line, each.line, quote=each.qualname) for path, each in bare],
            measure=round(len(bare) / examined, 4),
            introduced=None if change is None else True,
        )
    else:
        yield not_found(f"{each_of(examined, 'public definition')} has a docstring.")


def _definitions_in_scope(change: Change | None, modules: PythonModules) -> Iterator[tuple[str, Function | Class]]:
    """The definitions in scope: public ones of product code, of a change those that it adds."""
    before = {} if change is None else base_definitions(modules)
    kin = ClassHierarchy(modules)
    for path, shape in sorted(modules.head.items()):
        if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path) or is_migration_path(path):
            continue
        if is_private_module(path) and shape.exports is None:
            continue
        written = None if change is None else change.added_lines(path)
        definitions: tuple[Function | Class, ...] = (*shape.functions, *shape.classes)
        for each in definitions:
            if (
                not each.is_public
                or each.is_nested
                or each.qualname.rpartition(".")[2].startswith("__")
                or _needs_no_docstring(each)
            ):
                continue
            if written is not None and each.line not in written:
                continue
            old = before.get((path, each.qualname)) or before.get(("", each.qualname))
            if old is None and written is not None and is_only_header_changed(each, written):
                continue  # it got another name
            if each.has_docstring or not (
                (old is not None and not old.has_docstring)  # the change touched its line for another reason
                or (isinstance(each, Function) and kin.is_override(each))
            ):
                yield path, each


def _needs_no_docstring(definition: Function | Class) -> bool:
    """Overloads, overriding methods and setters are documented elsewhere, and what validates a field is called by its model."""
    return any(
        name in _DOCUMENTED_ELSEWHERE or name in model_decorators()
        for name in (each.rpartition(".")[2] for each in definition.decorators)
    )


_DOCUMENTED_ELSEWHERE = frozenset({"overload", "override", "setter", "deleter", "hookimpl"})
