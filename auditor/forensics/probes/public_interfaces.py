"""What others call: breaks of the public interface, missing annotations, records passed around as dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from auditor.domain import CodeLocation, Fact
from auditor.domain.english_lists import first_few
from auditor.forensics.probe_kit.fact_outcomes import (
    code_location,
    count_of,
    each_of,
    found,
    not_applicable,
    not_found,
    pluralize,
    verb,
)
from auditor.forensics.probe_kit.probe_decorators import probe, site_probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents, PythonModules, Tree
from auditor.forensics.public_api.breaking_changes import BreakingChange, BreakKind, describe_breaks
from auditor.forensics.public_api.exported_files import PublicSurfaces
from auditor.forensics.public_api.framework_entry_points import (
    declares_options,
    is_cli_command,
    is_migration_path,
    is_model_method,
)
from auditor.forensics.public_api.init_reexports import is_private_module
from auditor.forensics.public_api.narrowed_signatures import caller_parameters
from auditor.forensics.public_api.outline_pairs import base_definitions, is_public
from auditor.forensics.public_api.python_api_changes import (
    find_breaking_changes,
    importable_modules,
    is_only_header_changed,
    is_public_module,
)
from auditor.forensics.public_api.removed_exports import compared_base_files, find_export_breaks, uncompared_languages
from auditor.forensics.python.name_aliases import may_refer_to
from auditor.forensics.python.node_match import Match
from auditor.forensics.python.parsed_module import Module, ScopedNode, walk_nodes
from auditor.forensics.python.untyped_dict_arguments import (
    MIN_RECORD_KEYS,
    accessed_keys,
    functions_sharing_records,
    imported_records,
    is_built_elsewhere,
    names_used_as_non_dict,
    reads_keys,
    record_literals,
    record_readers,
)
from auditor.forensics.source_text.file_outline import Export, Function, ParameterKind
from auditor.forensics.source_text.file_roles import Role, is_example, language, language_title, role
from auditor.forensics.source_text.site_probe_types import Site

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


@probe("code.untyped_public_functions")
def untyped_public_functions(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there public functions without type annotations?

    A function or method that others may call counts where a parameter or the result has no annotation. Private ones, those inside functions, those of migrations, commands whose options are told by decorators, what validates a field for its model, and the result of `__init__` do not.

    Annotate parameters and result; a type checker then finds callers that a change breaks.
    """
    asked = [*_typescript(change, modules), *_python(change, modules)]
    bare = [each for each in asked if each.lacking]
    if not asked and change is not None:
        yield not_applicable(
            "The change writes no signature of a public function in a language where types are a choice."
        )
    elif not asked:
        yield not_applicable("No public function in a language where types are a choice is in scope.")
    elif not bare:
        yield not_found(f"{each_of(len(asked), 'public function')} is annotated.")
    for some in ([each for each in bare if not each.is_untyped_file], [each for each in bare if each.is_untyped_file]):
        if some:
            yield found(
                f"{count_of(len(some), len(asked), 'public function')} {verb(len(some), 'lacks', 'lack')} type annotations: {first_few([each.said for each in some], _MAX_NAMES)}.",
                at=[each.at for each in some],
                confidence=0.6 if some[0].is_untyped_file else 1.0,
                because=_AS_BEFORE if some[0].is_untyped_file else "",
                measure=round(len(some) / len(asked), 4),
                introduced=None if change is None else True,
            )


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
_AS_BEFORE = "its file had no types before the change, so the project may do without"
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
    return f"`{function.qualname}`{f' ({first_few(missing, _MAX_NAMES)})' if missing else ''}"


def _typescript(change: Change | None, modules: PythonModules) -> Iterator[_AnnotatedFunction]:
    """Exported functions of TypeScript in scope that take something; results are told by the compiler."""
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
    return bare if function.has_return_annotation or function.name == "__init__" else [*bare, "result"]


_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}


_PLAIN_DICT_NAMES = frozenset(
    {
        "os.environ",
        "environ",
        "request",
        "session",
        "headers",
        "cookies",
        "kwargs",
        "kw",
        "config",
        "settings",
        "locals",
        "globals",
    }
)


_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping"})
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "tuple"})


def _filter_dict_functions(shown: list[ScopedNode], module: Module) -> list[ScopedNode]:
    """Functions that read a record of a parameter whose annotation could stand for a dict; of one that has none where the file writes records out."""
    reading = record_readers(module)
    elsewhere = imported_records(module) if reading else {}
    return [
        each
        for each in shown
        if reading
        and each[0] in reading
        and (
            next(_bare_parameters(each[0]), None) is not None
            or _may_have_dict_parameter(each[0].args, module)
            or bool(record_literals(module))
            or each[0] in elsewhere
        )
    ]


def _may_have_dict_parameter(own: ast.arguments, module: Module) -> bool:
    for each in (*own.posonlyargs, *own.args, *own.kwonlyargs) if own.posonlyargs or own.kwonlyargs else own.args:
        if each.annotation is not None and _may_be_a_dict(each.annotation, module):
            return True
    return False


def _may_be_a_dict(annotation: ast.expr | None, module: Module) -> bool:
    return annotation is not None and may_refer_to(module, _resolve_type_alias(annotation, module), _DICTS)


def _resolve_type_alias(annotation: ast.expr, module: Module) -> ast.expr:
    """The class of an annotation, also where the module defines an alias of it: `Trip = dict[str, Any]`."""
    if isinstance(annotation, ast.Name):
        bound = module.scopes[0].bindings().get(annotation.id, ())
        if len(bound) == 1 and isinstance(bound[0].value, (ast.Subscript, ast.BinOp)):
            return _unsubscripted(bound[0].value)
    return _unsubscripted(annotation)


def _unsubscripted(annotation: ast.expr) -> ast.expr:
    """The class in an annotation: `dict` in `dict[str, int]`, `dict | None` and `Optional[dict]`."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        empty = isinstance(annotation.right, ast.Constant) and annotation.right.value is None
        return _unsubscripted(annotation.left) if empty else annotation
    if isinstance(annotation, ast.Subscript):
        outer = annotation.value
        name = outer.attr if isinstance(outer, ast.Attribute) else outer.id if isinstance(outer, ast.Name) else ""
        return _unsubscripted(annotation.slice) if name in {"Optional", *_LISTS} else outer
    return annotation


@site_probe(
    "code.dict_soup",
    none_statement="No record is passed around as a dict.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef),
    node_filter=_filter_dict_functions,
)
def dict_soup(match: Match) -> Iterator[Site]:
    """Are records passed around as plain dicts?

    A dict that functions read by several fixed names of fields counts. Tables, counters, headers, settings and what goes straight into a format of exchange do not.

    Give the record a dataclass, a TypedDict or a model: names are then checked, and readers see what is in it.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if node.name == "__setstate__":
        return  # unpickling hands over a dict, and nothing else
    records = set(_dict_parameters(match, node))
    if _record_keys(node, records, match.module):
        yield match.site(
            "A parameter annotated as a dict is read by many fixed keys, as a record would be",
            at=node,
            call=node.name,
            confidence=0.85,
            because="data at the edge of a program may have to stay a dict",
        )
        return
    if record_literals(match.module):
        read = _record_keys(node, set(_bare_parameters(node)), match.module)
        no_dicts = names_used_as_non_dict(node, match.module) if read else frozenset()
        if any(name not in no_dicts and is_built_elsewhere(keys, node, match.module) for name, keys in read.items()):
            yield match.site(
                "A parameter is read by many fixed keys of a dict that the file builds, as a record would be",
                at=node,
                call=node.name,
                confidence=0.75,
                because="no annotation says what the parameter is",
            )
            return
    if node in functions_sharing_records(
        match.module, lambda each: [*_bare_parameters(each), *_dict_parameters(match, each)]
    ):
        yield match.site(
            "A dict is read by fixed keys here and in what else takes it, as a record would be",
            at=node,
            call=node.name,
            confidence=0.6,
            because="no annotation says what the parameter is",
        )


def _bare_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Parameters without an annotation."""
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if each.annotation is None and each.arg not in _PLAIN_DICT_NAMES and each.arg not in {"self", "cls"}:
            yield each.arg


def _record_keys(node: ast.AST, parameters: set[str], module: Module) -> dict[str, set[str]]:
    """Parameters, and loop variables over them, that are accessed by many constant keys, with these keys."""
    if not parameters:
        return {}
    return {
        name: seen
        for name, seen in accessed_keys(node, parameters, module).items()
        if len(seen) >= MIN_RECORD_KEYS and reads_keys(node, name, module)
    }


def _dict_parameters(match: Match, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if each.arg in _PLAIN_DICT_NAMES or each.annotation is None:
            continue
        inside = _resolve_type_alias(each.annotation, match.module)
        if match.may_refer_to(inside, _DICTS) and (match.resolve(inside) or "").rpartition(".")[2] in _DICTS:
            yield each.arg


_MUTABLE = frozenset(
    {
        "list",
        "dict",
        "set",
        "bytearray",
        "dict.fromkeys",
        "collections.defaultdict",
        "collections.OrderedDict",
        "collections.deque",
        "collections.Counter",
        "numpy.array",
        "numpy.zeros",
        "numpy.ones",
        "numpy.empty",
        "pandas.DataFrame",
        "pandas.Series",
    }
)
_MUTATING_METHODS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "remove",
        "clear",
        "setdefault",
        "discard",
        "popitem",
        "sort",
        "reverse",
        "appendleft",
    }
)
_READ_ONLY = "the function does not seem to change it"


@site_probe(
    "code.mutable_default",
    none_statement="No default value is shared between calls.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    second_look=("B006",),
    node_filter=lambda shown, _module: [each for each in shown if (own := each[0].args).defaults or own.kw_defaults],
)
def mutable_default(match: Match) -> Iterator[Site]:
    """Is a default value shared between all calls?

    A list, dict, set or other changing object as the default of a parameter counts, and what is worked out once although it differs each time. Tuples, frozen sets and fields that make their own value do not.

    Default to None and make the list or dict inside the function.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return
    changing: set[str] | None = None
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [
        *zip(positional[len(positional) - len(node.args.defaults) :], node.args.defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    for parameter, default in pairs:
        if default is not None and _is_varying_default(match, default):
            yield match.site(
                "A default value is worked out once, and every call gets the same",
                at=default,
                confidence=0.9,
                because=_LOAD_TIME_REASON,
            )
        elif default is not None and (_is_mutable(match, default) or _refers_to_mutable(match, default)):
            changing = _mutated_names(node) if changing is None else changing
            changed = parameter.arg in changing
            if not changed and isinstance(default, ast.Name):
                continue
            yield match.site(
                "A default value that can change is shared between calls"
                if changed
                else "A default value could be shared and changed between calls",
                at=default,
                confidence=1.0 if changed else 0.6,
                because="" if changed else _READ_ONLY,
            )


_VARYING_CALLS = frozenset(
    {"datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today", "time.time", "time.time_ns", "time.monotonic",
     "uuid.uuid1", "uuid.uuid4", "random.random", "random.randint", "random.choice", "secrets.token_hex", "secrets.token_urlsafe", "secrets.token_bytes",
     "pendulum.now", "arrow.now", "arrow.utcnow", "django.utils.timezone.now", "time.perf_counter", "os.urandom", "random.uniform", "secrets.choice", "secrets.randbelow"}
)  # fmt: skip
"""Calls that return something else each time."""
_COMPOSITE_NODES = (ast.Call, ast.Attribute, ast.BinOp, ast.JoinedStr, ast.Subscript, ast.IfExp)
"""Kinds of defaults that may contain such a call: `str(uuid4())`, `now().isoformat()`."""


def _is_varying_default(match: Match, default: ast.expr) -> bool:
    if not isinstance(default, _COMPOSITE_NODES) or (
        isinstance(default, ast.Attribute) and isinstance(default.value, ast.Name)
    ):
        return False
    parts = list(walk_nodes(default))
    return not any(isinstance(each, ast.Lambda) for each in parts) and any(
        isinstance(each, ast.Call) and match.resolve(each.func) in _VARYING_CALLS for each in parts
    )


_LOAD_TIME_REASON = "the moment when the file is loaded may be meant"


def _is_mutable(match: Match, default: ast.expr) -> bool:
    if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
        return True
    return isinstance(default, ast.Call) and (
        match.resolve(default.func) in _MUTABLE or _has_mutable_state(match, default.func)
    )


def _has_mutable_state(match: Match, made: ast.expr) -> bool:
    """Is it a class of the file whose instances start with an empty list, dictionary or set of their own?"""
    known = match.module.memory.get("interfaces.filling")
    if not isinstance(known, frozenset):
        known = match.module.memory["interfaces.filling"] = frozenset(_stateful_classes(match.module))
    return isinstance(made, ast.Name) and made.id in known


def _stateful_classes(module: Module) -> Iterator[str]:
    for scope in module.scopes:
        around = scope.parent.node if scope.parent is not None else None
        if (
            isinstance(around, ast.ClassDef)
            and isinstance(scope.node, ast.FunctionDef)
            and scope.node.name == "__init__"
            and any(isinstance(each, (ast.Assign, ast.AnnAssign)) and _is_empty(each.value) for each in scope.node.body)
        ):
            yield around.name


def _is_empty(value: ast.expr | None) -> bool:
    """An empty container, which waits to be filled."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in {"list", "dict", "set"} and not value.args
    return (isinstance(value, ast.List) and not value.elts) or (isinstance(value, ast.Dict) and not value.keys)


def _refers_to_mutable(match: Match, default: ast.expr) -> bool:
    """Does a name refer to something mutable?"""
    if not isinstance(default, ast.Name):
        return False
    found = match.module.lookup(default.id, match.scope)
    return found is not None and found[0].value is not None and _is_mutable(match, found[0].value)


def _mutated_names(function: ast.AST) -> set[str]:
    """Names whose value the function mutates, by a method or by assigning into it."""
    return {
        owner.id for each in walk_nodes(function) for owner in _mutated_expressions(each) if isinstance(owner, ast.Name)
    }


def _mutated_expressions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call):
        return [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING_METHODS else []
    if isinstance(node, ast.AugAssign):
        return [node.target.value if isinstance(node.target, ast.Subscript) else node.target]
    if isinstance(node, (ast.Assign, ast.Delete)):
        return [each.value for each in node.targets if isinstance(each, ast.Subscript)]
    return []
