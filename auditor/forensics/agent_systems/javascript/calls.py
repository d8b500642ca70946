"""Calls of a script: idioms of its library in the form of Python's, everything else as it is."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript.call_arguments import arguments
from auditor.forensics.agent_systems.javascript.library_names import calls_with_options, method_names, option_names
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext
from auditor.forensics.agent_systems.javascript.method_idioms import IDIOMS
from auditor.forensics.agent_systems.javascript.modules import required_module

if TYPE_CHECKING:
    from tree_sitter import Node

HIDDEN = {name: f"{name} of Python" for name in ("json", "subprocess", "tempfile", "shutil", "pathlib")}
"""Python modules whose functions stand for a script's, under names that no script can use."""
_MAX_CHAIN_LINKS = 12
"""Links of a chain after which what it gave so far is put under a name of its own."""


def call(w: LoweringContext, node: Node) -> ast.expr:
    """A call or `new`, chains taken link by link from the innermost."""
    links = [node]
    while (inner := _chained_call(links[-1])) is not None:
        links.append(inner)
    made: ast.expr | None = None
    for number, link in enumerate(reversed(links)):
        if made is not None and number % _MAX_CHAIN_LINKS == 0:
            name = w.hidden(link, "a value")
            w.before[-1].append(w.at(link, ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=made)))
            made = w.name(link, name)
        made = _single_call(w, link, made)
    assert made is not None
    return made


def _chained_call(node: Node) -> Node | None:
    """The call that a call is chained to."""
    func = node.child_by_field_name("function")
    holder = func.child_by_field_name("object") if func is not None and func.type == "member_expression" else None
    return holder if holder is not None and holder.type in {"call_expression", "new_expression"} else None


def _single_call(w: LoweringContext, node: Node, base: ast.expr | None) -> ast.expr:
    """One call; `base` is what its method belongs to, where that was translated into the other form before."""
    func = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    if func is None:
        return w.name(node, "call")
    if func.type == "member_expression":
        return _method_call(w, node, func, base)
    if func.type == "super":
        started = w.attribute(func, w.call(func, w.name(func, "super")), "__init__")
        return _plain_call(w, node, started, "")
    return _dynamic_import(w, node) if func.type == "import" else _function_call(w, node, func)


def _method_call(w: LoweringContext, node: Node, func: Node, base: ast.expr | None) -> ast.expr:
    holder, part = func.child_by_field_name("object"), func.child_by_field_name("property")
    name = w.text(part, 200) if part is not None else "?"
    new = node.type == "new_expression"
    if base is None:
        held = None if new else _static_call(w, node, holder, name)
        if held is not None:
            return held
        base = w.value(holder)
    idiom = None if new else IDIOMS.get(name)
    found = idiom(w, node, base) if idiom is not None else None
    return found or _plain_call(w, node, w.attribute(func, base, _python_method_name(w, name, holder)), name)


def _function_call(w: LoweringContext, node: Node, func: Node) -> ast.expr:
    name = w.text(func, 200) if func.type == "identifier" else ""
    if node.type == "new_expression" and name in {"Set", "Map"}:
        return _collection(w, node, name)
    found = _platform_call(w, node, *w.imports[name]) if name in w.imports else None
    return found or _plain_call(w, node, w.value(func), name)


def _python_method_name(w: LoweringContext, name: str, holder: Node | None) -> str:
    """A method's name in the form that is followed. A schema's `parse` checks data; a model's asks."""
    if name == "parse":
        end = w.source[max(0, holder.end_byte - 40) : holder.end_byte] if holder is not None else b""
        return "parse" if end.rstrip().endswith((b"completions", b"responses", b"messages")) else "model_validate"
    return method_names().get(name, name)


def _plain_call(w: LoweringContext, node: Node, func: ast.expr, name: str) -> ast.expr:
    args = arguments(w, node)
    keywords: list[ast.keyword] = []
    if isinstance(func, ast.Attribute):
        node = node.child_by_field_name("arguments") or node  # a link of a chain stands where its arguments begin
    if name == "addNode":
        if len(args) == 1 and isinstance(func, ast.Attribute):
            func = w.attribute(node, func.value, "add_nodes")
        elif len(args) == 3 and isinstance(args[2], ast.Dict):
            keywords = _keyword_options(args.pop())
    elif (
        len(args) == 1
        and isinstance(args[0], ast.Dict)
        and (name in calls_with_options() or (name == "addConditionalEdges" and isinstance(func, ast.Attribute)))
    ):
        keywords = _keyword_options(args.pop())
    return w.at(node, ast.Call(func=func, args=args, keywords=keywords))


def _keyword_options(options: ast.expr) -> list[ast.keyword]:
    assert isinstance(options, ast.Dict)
    found: list[ast.keyword] = []
    for key, value in zip(options.keys, options.values, strict=True):
        if key is None:
            found.append(ast.keyword(arg=None, value=value))
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            found.append(ast.keyword(arg=option_names().get(key.value, key.value), value=value))
    return found


def _static_call(w: LoweringContext, node: Node, holder: Node | None, name: str) -> ast.expr | None:
    """Functions that the language keeps under names of its own: `Object.entries(x)`, `Promise.all(x)`."""
    if holder is None or holder.type != "identifier":
        return None
    owner = w.text(holder, 100)
    told = f"{owner}.{name}"
    if told in _STATIC:
        args = arguments(w, node)
        return _STATIC[told](w, node, args) if args else w.name(node, told)
    if owner in w.imports:
        return _platform_call(w, node, w.imports[owner][0], name)
    return None


def _entries(method: str) -> Callable[[LoweringContext, Node, list[ast.expr]], ast.expr]:
    return lambda w, node, args: w.method(node, args[0], method)


def _from_entries(w: LoweringContext, node: Node, args: list[ast.expr]) -> ast.expr:
    pairs = args[0]
    if isinstance(pairs, ast.ListComp) and isinstance(pairs.elt, (ast.List, ast.Tuple)) and len(pairs.elt.elts) == 2:
        key, value = pairs.elt.elts
        return w.at(node, ast.DictComp(key=key, value=value, generators=pairs.generators))
    return w.call(node, w.name(node, "dict"), pairs)


_STATIC: dict[str, Callable[[LoweringContext, Node, list[ast.expr]], ast.expr]] = {
    "Object.entries": _entries("items"),
    "Object.keys": _entries("keys"),
    "Object.values": _entries("values"),
    "Object.fromEntries": _from_entries,
    "Object.assign": lambda w, node, args: w.at(node, ast.Dict(keys=[None] * len(args), values=args)),
    "Object.freeze": lambda _w, _node, args: args[0],
    "Promise.all": lambda _w, _node, args: args[0],
    "Promise.allSettled": lambda _w, _node, args: args[0],
    "Promise.resolve": lambda _w, _node, args: args[0],
    "Array.from": lambda w, node, args: w.call(node, w.name(node, "list"), args[0]),
    "Array.isArray": lambda w, node, args: w.call(node, w.name(node, "isinstance"), args[0], w.name(node, "list")),
    "JSON.parse": lambda w, node, args: w.method(node, w.name(node, HIDDEN["json"]), "loads", args[0]),
    "JSON.stringify": lambda w, node, args: w.method(node, w.name(node, HIDDEN["json"]), "dumps", args[0]),
}


def _dynamic_import(w: LoweringContext, node: Node) -> ast.expr:
    """`import("./x")` as a value."""
    args = arguments(w, node)
    if args and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
        return required_module(w, node, args[0].value)
    return w.name(node, "import")


def _collection(w: LoweringContext, node: Node, name: str) -> ast.expr:
    args = arguments(w, node)
    if name == "Set":
        return w.call(node, w.name(node, "set"), *args)
    pairs = args[0].elts if args and isinstance(args[0], ast.List) else []
    known = [each for each in pairs if isinstance(each, ast.List) and len(each.elts) == 2]
    if len(known) == len(pairs):
        return w.at(node, ast.Dict(keys=[each.elts[0] for each in known], values=[each.elts[1] for each in known]))
    return w.call(node, w.name(node, "dict"), *args)


def _platform_call(w: LoweringContext, node: Node, module: str, member: str) -> ast.expr | None:
    """Files and processes of the platform as Python's."""
    package = module.removeprefix("node:")
    known = _PLATFORM.get(("fs" if package in {"fs/promises", "fs-extra"} else package, member))
    if known is None:
        return None
    given = arguments(w, node)
    return known(w, node, given) if given else w.name(node, member)


def _module_function(module: str, function: str) -> Callable[[LoweringContext, Node, list[ast.expr]], ast.expr]:
    return lambda w, node, args: w.method(node, w.name(node, HIDDEN[module]), function, *args)


def _file(method: str) -> Callable[[LoweringContext, Node, list[ast.expr]], ast.expr]:
    def made(w: LoweringContext, node: Node, args: list[ast.expr]) -> ast.expr:
        path = w.method(node, w.name(node, HIDDEN["pathlib"]), "Path", args[0])
        return w.method(node, path, method, *(args[1:2] if method == "write_text" else ()))

    return made


def _shell(w: LoweringContext, node: Node, args: list[ast.expr]) -> ast.expr:
    made = w.method(node, w.name(node, HIDDEN["subprocess"]), "run", args[0])
    assert isinstance(made, ast.Call)
    made.keywords.append(ast.keyword(arg="shell", value=w.constant(node, True)))
    return made


def _program(w: LoweringContext, node: Node, args: list[ast.expr]) -> ast.expr:
    rest: list[ast.expr] = []
    if len(args) > 1:
        rest = (
            args[1].elts if isinstance(args[1], ast.List) else [w.at(node, ast.Starred(value=args[1], ctx=ast.Load()))]
        )
    argv = w.at(node, ast.List(elts=[args[0], *rest], ctx=ast.Load()))
    return w.method(node, w.name(node, HIDDEN["subprocess"]), "run", argv)


_PLATFORM: dict[tuple[str, str], Callable[[LoweringContext, Node, list[ast.expr]], ast.expr]] = {
    **{("child_process", name): _shell for name in ("exec", "execSync")},
    **{("child_process", name): _program for name in ("execFile", "execFileSync", "spawn", "spawnSync")},
    **{("execa", name): _program for name in ("execa", "execaSync")},
    **{("fs", name): _file("read_text") for name in ("readFileSync", "readFile")},
    **{("fs", name): _file("write_text") for name in ("writeFileSync", "writeFile")},
    **{("fs", name): _module_function("tempfile", "mkdtemp") for name in ("mkdtempSync", "mkdtemp")},
    **{("fs", name): _module_function("shutil", "rmtree") for name in ("rmSync", "rm", "rmdirSync", "rmdir")},
}
