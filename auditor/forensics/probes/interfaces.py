"""What others call: breaks of the public interface, missing annotations, records passed around as dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from auditor.domain import Fact, Location, Side
from auditor.forensics.facts import found, lines, not_applicable, not_found
from auditor.forensics.inputs import Change, PythonModules, Tree
from auditor.forensics.outline import Class, Function, Outline, Parameter, ParameterKind
from auditor.forensics.probe import probe, site_probe
from auditor.forensics.roles import Role, is_example, role
from auditor.forensics.sites import Match, Site

_DYNAMIC = "the module makes names at run time, so one that is gone may still be served"
_DECORATED = "a decorator may change what callers have to pass"


def _is_interface(path: str) -> bool:
    """Is the module one that others import? Private, test, example and script modules are not."""
    if role(path) is not Role.PRODUCT or not path.endswith(".py") or is_example(path):
        return False
    parts = path.removesuffix(".py").split("/")
    private = any(part.startswith("_") and part != "__init__" for part in parts)
    return (
        not private
        and parts[-1] not in {"setup", "noxfile", "tasks", "manage", "conftest"}
        and parts[0] not in {"scripts", "tools", "bin"}
    )


@dataclass(frozen=True)
class _Break:
    sentence: str
    at: Location
    confidence: float
    because: str


@probe("code.public_api_break")
def public_api_break(change: Change, modules: PythonModules, tree: Tree) -> Iterator[Fact]:
    """Does the change break what others call?

    Keep the old name or parameter with a deprecation warning for a release, or announce the break and raise the major version.
    """
    before = {path: shape for path, shape in modules.base.items() if _is_interface(path)}
    if not before:
        yield not_applicable("The change touches no public Python module that was there before.")
        return
    renamed = {file.base.path: file.head.path for file in change.files if file.base and file.head}
    breaks: list[_Break] = []
    for path, shape in sorted(before.items()):
        new_path = renamed.get(path, path)
        now = modules.head.get(new_path)
        if now is not None and new_path == path:
            breaks += _broken(path, shape, now)
        elif path not in tree.head and not _still_served(path, tree):
            breaks.append(
                _Break(
                    "A public module is gone",
                    lines(path, side=Side.BASE),
                    0.8,
                    "it may have been internal in spite of its name",
                )
            )
    if not breaks:
        yield not_found(
            f"Nothing public is missing from {len(before)} changed {'module' if len(before) == 1 else 'modules'}.",
            confidence=0.9,
            because="behaviour was not compared, only names and parameters",
        )
        return
    groups: dict[tuple[str, float, str], list[Location]] = {}
    for each in breaks:
        groups.setdefault((each.sentence, each.confidence, each.because), []).append(each.at)
    for (sentence, confidence, because), places in sorted(groups.items()):
        yield found(f"{sentence}.", at=places, confidence=confidence, because=because, introduced=True)


def _still_served(path: str, tree: Tree) -> bool:
    """A module that became a package of the same name is still imported as before."""
    return f"{path.removesuffix('.py')}/__init__.py" in tree.head


def _broken(path: str, before: Outline, now: Outline) -> Iterator[_Break]:
    names = _offered(now)
    doubt = (
        (0.5, _DYNAMIC)
        if now.dynamic or "*" in {each.name for each in now.imports}
        else (0.9, "it may have been internal in spite of its name")
    )
    after_functions = {_key(each): each for each in now.functions}
    after_classes = {each.qualname: each for each in now.classes}
    for old in before.classes:
        if _counts(old) and old.qualname not in after_classes and old.qualname.split(".")[0] not in names:
            yield _Break("A public class is gone", _place(path, old), *doubt)
    for function in before.functions:
        if not _counts(function) or (not function.in_class and function.name.startswith("__")):
            continue
        new = after_functions.get(_key(function))
        if new is not None:
            yield from _narrowed(path, function, new)
        elif not _replaced(function, names, after_classes):
            what = "method" if function.in_class else "function"
            yield _Break(f"A public {what} is gone", _place(path, function), *doubt)
    exported = set(now.exports or ())
    for name in sorted(set(before.exports or ()) - exported) if now.exports is not None else ():
        if name not in names:
            yield _Break(
                "A name is no longer exported",
                lines(path, side=Side.BASE, quote=name),
                0.9,
                "it may be served from elsewhere",
            )


def _key(function: Function) -> tuple[str, str]:
    """A property's getter, setter and deleter share a name and are three functions."""
    accessors = [each.rpartition(".")[2] for each in function.decorators if each.endswith((".setter", ".deleter"))]
    return function.qualname, accessors[0] if accessors else ""


def _counts(definition: Function | Class) -> bool:
    return definition.public and not definition.nested


def _offered(shape: Outline) -> set[str]:
    """Names that can be imported from a module, however it comes by them."""
    return {
        *(each.qualname for each in shape.functions if not each.in_class),
        *(each.qualname for each in shape.classes),
        *(each.name for each in shape.imports),
        *shape.names,
    }


def _replaced(function: Function, names: set[str], classes: Mapping[str, Class]) -> bool:
    """Is the name still there in another form: inherited, assigned, imported?"""
    if not function.in_class:
        return function.qualname in names
    owner = classes.get(function.in_class)
    if owner is None:
        return True  # the class itself is reported, or lives on by import
    return (
        bool([base for base in owner.bases if base not in {"object", "ABC", "abc.ABC"}])
        or function.name in owner.attributes
    )


def _place(path: str, definition: Function | Class) -> Location:
    return lines(path, definition.line, definition.line, quote=definition.qualname, side=Side.BASE)


def _narrowed(path: str, old: Function, new: Function) -> Iterator[_Break]:
    """Calls that worked before and no longer do."""
    at = lines(path, new.line, new.line, quote=f"def {new.name}")
    sure, why = (0.6, _DECORATED) if new.decorators or old.decorators else (1.0, "")
    if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
        return
    if old.is_async != new.is_async:
        yield _Break("A public function became asynchronous, or stopped being so", at, sure, why)
    if old.name.startswith("__") and old.name != "__init__":
        return
    before, after = _callable(old), _callable(new)
    by_name = {each.name: each for each in after}
    takes_any = {each.kind for each in after}
    for each in before:
        kept = by_name.get(each.name)
        if kept is None and not _swallowed(each, takes_any):
            yield _Break("A public function lost a parameter", at, sure, why)
        elif kept is not None and each.has_default and not kept.has_default:
            yield _Break("A parameter of a public function lost its default", at, sure, why)
    known = {each.name for each in before}
    if any(each.name not in known and not each.has_default for each in after) and len(after) > len(before):
        yield _Break("A public function asks for a new parameter", at, sure, why)
    if _order(before, by_name) != _order(after, {each.name: each for each in before}):
        yield _Break("Parameters of a public function changed their order", at, sure, why)


def _callable(function: Function) -> list[Parameter]:
    own = list(function.parameters)
    return own[1:] if function.in_class and own and own[0].name in {"self", "cls", "mcs"} else own


def _swallowed(parameter: Parameter, kinds: set[ParameterKind]) -> bool:
    """Is a parameter that is gone still accepted by `*args` or `**kwargs`? Those themselves never count as lost."""
    if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL):
        return True
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return ParameterKind.VAR_POSITIONAL in kinds
    return ParameterKind.VAR_KEYWORD in kinds


def _order(parameters: list[Parameter], common: Mapping[str, Parameter]) -> list[str]:
    positional = (ParameterKind.POSITIONAL, ParameterKind.POSITIONAL_ONLY)
    return [
        each.name
        for each in parameters
        if each.kind in positional and each.name in common and common[each.name].kind in positional
    ]


@probe("code.untyped_public_functions")
def untyped_public_functions(change: Change | None, modules: PythonModules) -> Iterator[Fact]:
    """Are there public functions without type annotations?

    Annotate parameters and result; a type checker then finds callers that a change breaks.
    """
    bare: dict[bool | None, list[Location]] = {}
    examined = 0
    for path, function in _public_functions(modules):
        written = None if change is None else _written(change, path, function)
        if written is False:
            continue
        examined += 1
        if not _annotated(function):
            bare.setdefault(written, []).append(lines(path, function.line, function.line, quote=f"def {function.name}"))
    if not examined:
        yield not_applicable("No public function is in scope.")
        return
    if not bare:
        yield not_found(f"Each of {examined:,} public functions is annotated.")
    for introduced, places in bare.items():
        yield found(
            f"{len(places):,} of {examined:,} public functions lack annotations.",
            at=places,
            measure=round(len(places) / examined, 4),
            introduced=introduced,
        )


def _public_functions(modules: PythonModules) -> Iterator[tuple[str, Function]]:
    for path, shape in sorted(modules.head.items()):
        if (
            role(path) is Role.PRODUCT
            and path.endswith(".py")
            and not is_example(path)
            and f"{path}i" not in modules.head
        ):
            for function in shape.functions:
                if _counts(function) and not (function.name.startswith("__") and function.name != "__init__"):
                    yield path, function


def _written(change: Change, path: str, function: Function) -> bool:
    """Did the change write the line that defines the function?"""
    file = change.by_path.get(path)
    return file is not None and function.line in file.added_lines()


def _annotated(function: Function) -> bool:
    parameters = _callable(function)
    if function.name == "__init__":
        return all(each.annotated for each in parameters)
    return function.annotated_return and all(each.annotated for each in parameters)


_KEYS = 4
"""Different constant keys read from one name from which a dict is a record in disguise."""
_PLAIN = frozenset(
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


@site_probe(
    "code.dict_soup",
    none="No record is passed around as a dict.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef),
)
def dict_soup(match: Match) -> Iterator[Site]:
    """Are records passed around as plain dicts?

    Give the record a dataclass, a TypedDict or a model: names are then checked, and readers see what is in it.
    """
    node = match.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    if node.name == "__setstate__":
        return  # unpickling hands over a dict, and nothing else
    records = set(_dict_parameters(match, node))
    keys = _constant_keys(node, records) if records else {}
    for parameter in sorted(records):
        if len(keys.get(parameter, ())) >= _KEYS:
            yield match.site(
                "A parameter annotated as a dict is read by many fixed keys, as a record would be",
                at=node,
                call=node.name,
                confidence=0.85,
                because="data at the edge of a program may have to stay a dict",
            )
            return


def _dict_parameters(match: Match, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if each.arg in _PLAIN or each.annotation is None:
            continue
        inside = each.annotation.value if isinstance(each.annotation, ast.Subscript) else each.annotation
        if (match.resolve(inside) or "").rpartition(".")[2] in {"dict", "Dict"}:
            yield each.arg


def _constant_keys(node: ast.AST, names: set[str]) -> dict[str, set[str]]:
    """For each name, the constant keys that a function reads from it or writes to it. One walk for all names."""
    keys: dict[str, set[str]] = {}
    for each in ast.walk(node):
        owner, key = _access(each)
        if (
            isinstance(owner, ast.Name)
            and owner.id in names
            and isinstance(key, ast.Constant)
            and isinstance(key.value, str)
        ):
            keys.setdefault(owner.id, set()).add(key.value)
    return keys


def _access(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """Owner and key of `owner[key]` or `owner.get(key)`."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None, None
    return (node.func.value, node.args[0]) if node.func.attr in {"get", "pop", "setdefault"} else (None, None)


_MUTABLE = frozenset(
    {
        "list",
        "dict",
        "set",
        "bytearray",
        "collections.defaultdict",
        "collections.OrderedDict",
        "collections.deque",
        "collections.Counter",
    }
)
_CHANGING = frozenset(
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
    none="No default value is shared between calls.",
    nodes=(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    second_look=("B006",),
)
def mutable_default(match: Match) -> Iterator[Site]:
    """Is a default value shared between all calls?

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
        if default is not None and _is_mutable(match, default):
            changing = _changed_names(node) if changing is None else changing
            changed = parameter.arg in changing
            yield match.site(
                "A default value that can change is shared between calls"
                if changed
                else "A default value could be shared and changed between calls",
                at=default,
                confidence=1.0 if changed else 0.6,
                because="" if changed else _READ_ONLY,
            )


def _is_mutable(match: Match, default: ast.expr) -> bool:
    if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)):
        return True
    return isinstance(default, ast.Call) and match.resolve(default.func) in _MUTABLE


def _changed_names(function: ast.AST) -> set[str]:
    """Names whose value the function changes: by a method that does, or by writing into it. One walk for all."""
    return {owner.id for each in ast.walk(function) for owner in _changed(each) if isinstance(owner, ast.Name)}


def _changed(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Call):
        return [node.func.value] if isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING else []
    if isinstance(node, ast.AugAssign):
        return [node.target.value if isinstance(node.target, ast.Subscript) else node.target]
    if isinstance(node, (ast.Assign, ast.Delete)):
        return [each.value for each in node.targets if isinstance(each, ast.Subscript)]
    return []
