"""What a script takes from other files and gives to them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from auditor.forensics.agent_systems.javascript import functions
from auditor.forensics.agent_systems.javascript.library_names import PACKAGE_MARK
from auditor.forensics.agent_systems.javascript.lowering_context import LoweringContext, significant_children
from auditor.forensics.agent_systems.javascript.strings import string_value

if TYPE_CHECKING:
    from tree_sitter import Node


def _named_import(w: LoweringContext, node: Node, module: str, pairs: list[tuple[str, str]]) -> ast.stmt:
    """Names taken from a module, each with the name it has here."""
    for name, own in pairs:
        w.declare(own)
        w.imports[own] = (module, name)
    aliases = [ast.alias(name=name, asname=own) for name, own in pairs]
    return w.at(node, ast.ImportFrom(module=f"{PACKAGE_MARK}{module}", names=aliases, level=0))


def _namespace_import(w: LoweringContext, node: Node, module: str, own: str) -> ast.stmt:
    """A whole module under a name."""
    w.declare(own)
    w.imports[own] = (module, "*")
    return w.at(node, ast.Import(names=[ast.alias(name=f"{PACKAGE_MARK}{module}", asname=own)]))


def _default_import(module: str, own: str) -> str:
    """What a default import is called: packages give out what has the name it is taken under."""
    return "default" if module.startswith((".", "@/", "~/", "#")) else own


def _module_path(w: LoweringContext, node: Node) -> str:
    held = node.child_by_field_name("source")
    return string_value(w, held) if held is not None else ""


def import_statement(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """`import a, { b as c } from "d"` and `import * as e from "f"`."""
    module = _module_path(w, node)
    clause = next((each for each in node.named_children if each.type == "import_clause"), None)
    if not module or clause is None:
        return []
    pairs: list[tuple[str, str]] = []
    found: list[ast.stmt] = []
    for each in significant_children(clause):
        if each.type == "identifier":
            own = w.text(each, 200)
            pairs.append((_default_import(module, own), own))
        elif each.type == "namespace_import":
            found += [_namespace_import(w, node, module, w.text(part, 200)) for part in significant_children(each)[:1]]
        elif each.type == "named_imports":
            pairs += _specifiers(w, each)
    return [*found, *([_named_import(w, node, module, pairs)] if pairs else [])]


def _specifiers(w: LoweringContext, node: Node) -> list[tuple[str, str]]:
    pairs = []
    for each in significant_children(node):
        name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
        if name is not None:
            own = w.text(alias or name, 200).strip("'\"")
            pairs.append((w.text(name, 200).strip("'\""), own))
    return pairs


def export_statement(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """What a script gives out: a declaration, a value, or names of its own or of another module."""
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    if declaration is not None:
        return _exported_declaration(w, node, declaration)
    return _default_export(w, node, value) if value is not None else _reexport(w, node)


def _exported_declaration(w: LoweringContext, node: Node, declaration: Node) -> list[ast.stmt]:
    """`export const a` and `export default function b`."""
    made = w.statement(declaration)
    last = made[-1] if made else None
    is_default = any(each.type == "default" for each in node.children)
    if is_default and isinstance(last, (ast.FunctionDef, ast.ClassDef)) and last.name != "default":
        made.append(_assign(w, node, "default", w.name(node, last.name)))
    return made


def _default_export(w: LoweringContext, node: Node, value: Node) -> list[ast.stmt]:
    """`export default a`."""
    if value.type in functions.FUNCTION_KINDS:
        return [functions.named_function(w, value, "default")]
    return [_assign(w, node, "default", w.value(value))]


def _reexport(w: LoweringContext, node: Node) -> list[ast.stmt]:
    """`export { a as b }`, `export { c } from "d"`, `export * from "e"` and `export * as f from "g"`."""
    module = _module_path(w, node)
    clause = next((each for each in node.named_children if each.type in {"export_clause", "namespace_export"}), None)
    if clause is None:
        return [_named_import(w, node, module, [("*", "*")])] if module else []
    if clause.type == "namespace_export":
        return [_namespace_import(w, node, module, w.text(each, 200)) for each in significant_children(clause)[:1]]
    pairs = _specifiers(w, clause)
    if module:
        return [_named_import(w, node, module, pairs)] if pairs else []
    return [_assign(w, node, own, w.name(node, name)) for name, own in pairs if name != own]


def _assign(w: LoweringContext, node: Node, name: str, value: ast.expr) -> ast.stmt:
    return w.assign(node, name, value)


def required_module(w: LoweringContext, node: Node, module: str) -> ast.expr:
    """A whole module as a value."""
    name = w.hidden(node, "a module")
    w.before[-1].append(_namespace_import(w, node, module, name))
    return w.name(node, name)


def require_declaration(w: LoweringContext, node: Node, pattern: Node, held: Node) -> list[ast.stmt] | None:
    """What is taken from a module by `require_declaration` or an awaited `import`; None for any other declaration."""
    inner: Node | None = held
    while inner is not None and inner.type in {"await_expression", "parenthesized_expression"}:
        inner = significant_children(inner)[0] if significant_children(inner) else None
    func = inner.child_by_field_name("function") if inner is not None and inner.type == "call_expression" else None
    if inner is None or func is None or (func.type != "import" and w.text(func, 20) != "require"):
        return None
    arguments = inner.child_by_field_name("arguments")
    first = significant_children(arguments)[:1] if arguments is not None else []
    if not first or first[0].type != "string":
        return None
    module = string_value(w, first[0])
    if pattern.type == "identifier":
        return [_namespace_import(w, node, module, w.text(pattern, 200))]
    if pattern.type != "object_pattern":
        return None
    pairs: list[tuple[str, str]] = []
    for each in significant_children(pattern):
        if each.type == "shorthand_property_identifier_pattern":
            pairs.append((w.text(each, 200),) * 2)
        elif each.type == "pair_pattern":
            key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
            if key is not None and value is not None and value.type == "identifier":
                pairs.append((w.text(key, 200), w.text(value, 200)))
    return [_named_import(w, node, module, pairs)] if pairs else []


def module_exports(w: LoweringContext, node: Node, left: Node, right: Node | None) -> list[ast.stmt] | None:
    """`module.exports = { a, b: c }`; None for any other assignment."""
    told = w.text(left, 200)
    if right is None or not (told == "module.exports" or told.startswith(("module.exports.", "exports."))):
        return None
    value = w.value(right)
    first = list(w.before[-1])
    w.before[-1].clear()
    if told != "module.exports":
        return [*first, _assign(w, node, told.rpartition(".")[2], value)]
    if not isinstance(value, ast.Dict):
        return [*first, _assign(w, node, "default", value)]
    found = [
        _assign(w, node, key.value, held)
        for key, held in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant)
        and isinstance(key.value, str)
        and not (isinstance(held, ast.Name) and held.id == key.value)
    ]
    return [*first, *found]
