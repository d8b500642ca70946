"""Public functions without type annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from auditor.domain import CodeLocation, Fact
from auditor.domain.english_lists import first_few
from auditor.english_counts import by_count, each_of
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, PythonModules
from auditor.forensics.public_api.framework_entry_points import (
    declares_options,
    is_cli_command,
    is_migration_path,
    is_model_method,
)
from auditor.forensics.public_api.init_reexports import is_private_module
from auditor.forensics.public_api.narrowed_signatures import caller_parameters
from auditor.forensics.public_api.outline_pairs import base_definitions, is_public
from auditor.forensics.public_api.python_api_changes import is_only_header_changed
from auditor.forensics.source_text.file_outline import Export, Function, ParameterKind
from auditor.forensics.source_text.file_roles import Role, is_example, language, role


@probe("code.untyped_public_functions")
def untyped_public_functions(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Do public functions lack type annotations?

    A public function or method is reported if a parameter or the return value has no annotation. Private and nested functions, migrations, commands with options from decorators, field validators of models and the return value of `__init__` are not checked.

    Add the missing annotations, `-> None` where nothing is returned, so that a type checker finds callers that a change breaks.
    """
    asked = [*_typescript(change, modules), *_python(change, modules)]
    bare = [each for each in asked if each.lacking]
    if not asked and change is not None:
        yield not_applicable("The change adds or edits no signature of a public function in Python or TypeScript.")
    elif not asked:
        yield not_applicable("No public function in Python or TypeScript is in scope.")
    elif not bare:
        yield not_found(f"{each_of(len(asked), 'public function')} is annotated.")
    for some in ([each for each in bare if not each.is_untyped_file], [each for each in bare if each.is_untyped_file]):
        if some:
            yield found(
                f"{_subject(len(some))} {by_count(len(some), 'lacks', 'lack')} type annotations: {first_few([each.said for each in some], _MAX_NAMES)}.",
                at=[each.at for each in some],
                confidence=0.6 if some[0].is_untyped_file else 1.0,
                because=_AS_BEFORE if some[0].is_untyped_file else "",
                measure=round(len(some) / len(asked), 4),
                introduced=None if change is None else True,
            )


def _subject(count: int) -> str:
    return "A public function" if count == 1 else f"{count:,} public functions"


class _AnnotatedFunction(NamedTuple):
    """A function in scope: its name, its location, and whether it lacks annotations."""

    said: str
    at: CodeLocation
    lacking: bool
    is_untyped_file: bool = False
    """Was its file without types before the change?"""


def _python(change: Change | None, modules: PythonModules) -> Iterator[_AnnotatedFunction]:
    """Public functions of Python in scope; of a change those of which it writes the first line, unless they lacked as much before."""
    before = {} if change is None else base_definitions(modules)
    without = frozenset() if change is None else _untyped_files(modules)
    for path, function in _public_functions(modules):
        written = frozenset() if change is None else change.added_lines(path)
        if change is not None and function.line not in written:
            continue
        missing = _missing(function)
        old = before.get((path, function.qualname)) or before.get(("", function.qualname))
        if isinstance(old, Function) and 0 < len(missing) <= len(_missing(old)):
            continue  # the change touched its line for another reason
        if old is None and change is not None and is_only_header_changed(function, written):
            continue  # it got another name
        at = code_location(path, function.line, function.line, quote=f"def {function.name}")
        yield _AnnotatedFunction(_describe(function), at, bool(missing), path in without)


_MAX_NAMES = 3
_AS_BEFORE = "the file had no type annotations before the change"
_MIN_UNTYPED_FUNCTIONS = 3
"""Functions of a file from which it counts as untyped."""


def _untyped_files(modules: PythonModules) -> frozenset[str]:
    """Python files that had several functions before the change and not one annotation; of files that are new, where no file had any."""
    bare: set[str] = set()
    typed = False
    for path, shape in modules.base.items():
        if role(path) is not Role.PRODUCT:
            continue
        signatures = [each for each in shape.functions if each.has_return_annotation or caller_parameters(each)]
        annotated = any(_is_annotated(each) for each in signatures)
        typed = typed or annotated
        if len(signatures) >= _MIN_UNTYPED_FUNCTIONS and not annotated:
            bare.add(path)
    if bare and not typed:
        bare.update(modules.head.keys() - modules.base.keys())
    return frozenset(bare)


def _is_annotated(function: Function) -> bool:
    return function.has_return_annotation or any(each.is_annotated for each in function.parameters)


def _describe(function: Function) -> str:
    """The name of a function, and what lacks annotations where some has them."""
    missing = _missing(function) if _is_annotated(function) else []
    return f"`{function.qualname}`{f' (for {first_few(missing, _MAX_NAMES)})' if missing else ''}"


def _typescript(change: Change | None, modules: PythonModules) -> Iterator[_AnnotatedFunction]:
    """Exported functions of TypeScript in scope that take something; results are reported by the compiler."""
    for path, shape in sorted(modules.others.items()):
        if language(path) != "typescript" or role(path) is not Role.PRODUCT or is_example(path):
            continue
        file = None if change is None else change.by_path.get(path)
        written = frozenset() if change is None else change.added_lines(path)
        old = modules.other_languages_base.get(path if file is None or file.base is None else file.base.path)
        bare = {each.name for each in old.exported_symbols if not each.typed} if old is not None else set()
        for each in shape.exported_symbols:
            if each.takes and (change is None or each.line in written) and (each.typed or each.name not in bare):
                yield _AnnotatedFunction(f"`{each.name}`", _exported_at(path, each), not each.typed)


def _exported_at(path: str, export: Export) -> CodeLocation:
    name = export.name.rpartition(".")[2]
    return code_location(path, export.line, export.line, quote="" if name == "default" else name)


def _public_functions(modules: PythonModules) -> Iterator[tuple[str, Function]]:
    for path, shape in sorted(modules.head.items()):
        if (
            role(path) is Role.PRODUCT
            and path.endswith(".py")
            and not is_example(path)
            and not is_migration_path(path)
            and not (is_private_module(path) and shape.exports is None)
            and f"{path}i" not in modules.head
        ):
            for function in shape.functions:
                own = (is_cli_command(function) and declares_options(function)) or is_model_method(function)
                called = is_public(function) and not own
                if called and not (function.name.startswith("__") and function.name != "__init__"):
                    yield path, function


def _missing(function: Function) -> list[str]:
    """What a signature has no annotations for."""
    bare = [
        f"`{_STARS.get(each.kind, '')}{each.name}`" for each in caller_parameters(function) if not each.is_annotated
    ]
    return bare if function.has_return_annotation or function.name == "__init__" else [*bare, "return type"]


_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}
