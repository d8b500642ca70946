"""Data files that code reads: prompts in text and Markdown files, in YAML and JSON, in templates."""

from __future__ import annotations

import ast
import json

from auditor.forensics.agent_systems.abstract_interpreter import Interpreter
from auditor.forensics.agent_systems.abstract_values import (
    Attr,
    Call,
    Choice,
    Const,
    External,
    Map,
    Op,
    Place,
    Seq,
    Text,
    Value,
)
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.value_contents import options, text_of

_MAX_PARTS = 40
_MAX_DEPTH = 20
_MAX_ITEMS = 5_000


def path_suffix(value: Value) -> str:
    """The known end of a path: what its constant parts spell, folders above unknown parts left out."""
    words: list[str] = []
    waiting: list[Value] = [value]
    while waiting and len(words) < _MAX_PARTS:
        part = waiting.pop()
        if isinstance(part, Const):
            words.append(str(part.value) if isinstance(part.value, str) else "")
        elif isinstance(part, Op) and part.sign in {"/", "+"}:
            waiting += reversed(part.operands)
        elif isinstance(part, Text):
            words.append("".join(text if (text := text_of(each)) is not None else "\0" for each in part.parts))
        elif isinstance(part, Call) and part.last in {
            "Path",
            "str",
            "join",
            "joinpath",
            "PurePath",
            "open",
            "abspath",
            "resolve",
            "files",
        }:
            own = (
                [part.func.base] if isinstance(part.func, Attr) and part.last in {"joinpath", "open", "resolve"} else []
            )
            waiting += reversed([*own, *part.args[: 1 if part.last == "open" else None]])
        elif isinstance(part, Choice):
            waiting += part.options[:1]
        elif isinstance(part, Attr) and part.name == "parent":
            words.append("\0")
        else:
            words.append("\0")
    return "/".join(words).rpartition("\0")[2].strip("/")


def data_file_text(run: Interpreter, path: Value, near: Unit) -> Value | None:
    """The text of the data file that a path means; None when there is none in the repository."""
    name = path_suffix(path)
    if not name or name.endswith(".py"):
        return None
    found = run.program.file(name, near.path)
    if found is None:
        return None
    return Const(run.program.data[found], Place(data_unit(run, found), ast.Constant(value="", lineno=1, end_lineno=1)))


def data_unit(run: Interpreter, path: str) -> Unit:
    """A data file as a place for locations."""
    if path not in run.data_units:
        run.data_units[path] = Unit(path, run.program.data[path], ast.Module(body=[], type_ignores=[]), {}, {})
    return run.data_units[path]


def parse_data(text: Const, kind: str) -> Value | None:
    """A YAML or JSON text as values, each text at the line where it begins."""
    if not isinstance(text.value, str) or text.place is None:
        return None
    try:
        tree = json.loads(text.value) if kind == "json" else _yaml(text.value)
    except (ValueError, RecursionError, TypeError):
        return None
    return _value_of_data(tree, text.value, text.place.unit, 0)


def _yaml(text: str) -> object:
    """A YAML document without aliases: a few of those are enough to fill any memory."""
    import yaml

    loader = yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=loader)):
            raise TypeError("aliases are not read")
        return yaml.load(text, Loader=loader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as error:
        raise ValueError("not YAML") from error


def _value_of_data(tree: object, text: str, unit: Unit, depth: int) -> Value:
    if depth > _MAX_DEPTH:
        return Const(None)
    if isinstance(tree, dict):
        pairs = list(tree.items())[:_MAX_ITEMS]
        return Map([(Const(key), _value_of_data(each, text, unit, depth + 1)) for key, each in pairs], False)
    if isinstance(tree, list):
        return Seq([_value_of_data(each, text, unit, depth + 1) for each in tree[:_MAX_ITEMS]])
    line = 1
    if isinstance(tree, str) and len(tree) > 20:
        line = text.count("\n", 0, max(0, text.find(tree.strip().split("\n")[0][:40]))) + 1
    return Const(tree, Place(unit, ast.Constant(value="", lineno=line, end_lineno=line)))


def read_call_value(run: Interpreter, call: Call) -> Value | None:
    """What a call that reads a file gives, where the file is in the repository."""
    near = call.place.unit
    base = call.func.base if isinstance(call.func, Attr) else None
    first = call.args[0] if call.args else None
    found: Value | None = None
    if call.last == "read_text" and base is not None:
        found = data_file_text(run, base, near)
    elif call.last == "read" and base is not None:
        found = next(
            (text for each in options(base) if (text := data_file_text(run, _opened_path(each), near)) is not None),
            None,
        )
    elif call.last in {"safe_load", "load", "loads", "full_load"} and first is not None:
        text = first if isinstance(first, Const) else data_file_text(run, _opened_path(first), near)
        if isinstance(text, Const) and text.place is not None and text.place.unit.path in run.program.data:
            found = parse_data(text, "json" if call.name.startswith("json") else "yaml")
    elif call.last == "from_template":
        found = first if isinstance(first, (Const, Text)) else None
    elif call.last in {"get_template", "from_file", "load_prompt"} and first is not None:
        found = data_file_text(run, first, near)
    elif call.last == "render" and isinstance(base, Const):
        found = base
    return found


def _opened_path(value: Value) -> Value:
    """The path behind `open(...)` and `with open(...) as f`."""
    if isinstance(value, Op) and value.sign == "with":
        value = value.operands[0]
    if isinstance(value, Call) and value.last == "open":
        if isinstance(value.func, External):
            return value.args[0] if value.args else value
        if isinstance(value.func, Attr):
            return value.func.base
    return value
