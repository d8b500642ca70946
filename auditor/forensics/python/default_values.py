"""What a setting results in when nobody sets it: the variable is not there, the option is not given, the field is left as it is."""

from __future__ import annotations

import ast
import re
from itertools import product
from typing import TYPE_CHECKING

from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.library_models.plain_values import plain_values
from auditor.forensics.python.keyword_options import OPTIONS_KEY
from auditor.forensics.python.parameter_values import parameter_default
from auditor.forensics.python.scope_bindings import keyword_argument, last_name, root_name, text_constants
from auditor.forensics.python.unknown_value import UNKNOWN
from auditor.forensics.source_text.keyword_index import register_keywords
from auditor.row_tables import names_of

if TYPE_CHECKING:
    from auditor.forensics.python.name_resolution import Module
    from auditor.forensics.python.scoped_nodes import Scope

_MAX_STEPS = 12
_ROWS = plain_values()
_BOOLEAN_LOOKUPS = names_of(_ROWS.boolean_lookups)
_SETTING_LOOKUPS = _BOOLEAN_LOOKUPS | names_of(_ROWS.setting_lookups)
"""Functions that give a setting, or what stands for it when there is none."""
_FIELD_CALLS = names_of(_ROWS.field_calls)
"""Calls that describe a field or an option, with its default."""
_BOOLEAN_PARSER_NAME = re.compile(
    r"_?(?:strtobool|str_?(?:to|2)_?bool|to_?bool|as_?bool|parse_bool(?:ean)?|asbool|boolean|is_true|truthy|str_to_boolean)$"
)
_FALSE_WORDS = names_of(_ROWS.false_words) | {""}
TLS_SETTING_NAME = re.compile(r"verif|ssl|tls|insecure|certs?(?:_|$)", re.IGNORECASE)
"""Names of settings that say whether connections are checked."""
_TLS_KEYWORDS = register_keywords(
    *(
        "".join(letters)
        for part in ("erif", "ssl", "tls", "nsec", "cert")
        for letters in product(*((each, each.upper()) for each in part))
    )
)
"""One of them is in each of these names, in any case."""


def default_value(module: Module, expression: ast.expr | None, scope: Scope) -> object:
    """The value of a setting when nobody sets it; UNKNOWN where that is not known."""
    return _DefaultResolver(module).of(expression, scope)


class _DefaultResolver:
    """Follows one expression, in a bounded number of steps."""

    def __init__(self, module: Module) -> None:
        self._module, self._left = module, _MAX_STEPS

    def of(  # noqa: PLR0911 - a table of the kinds of expressions
        self, expression: ast.expr | None, scope: Scope
    ) -> object:
        """What an expression results in."""
        self._left -= 1
        if expression is None or self._left < 0:
            return UNKNOWN
        if isinstance(expression, ast.Constant):
            return expression.value
        if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
            return _negate(self.of(expression.operand, scope))
        if isinstance(expression, ast.BoolOp) and isinstance(expression.op, ast.Or):
            return self._first_true(expression.values, scope)
        if isinstance(expression, ast.Compare):
            return self._compared(expression, scope)
        if isinstance(expression, ast.Call):
            return self._called(expression, scope)
        if isinstance(expression, (ast.Name, ast.Attribute)):
            return self._named(expression, scope)
        return UNKNOWN

    def _first_true(self, values: list[ast.expr], scope: Scope) -> object:
        said: object = UNKNOWN
        for each in values:
            said = self.of(each, scope)
            if said is UNKNOWN or said:
                return said
        return said

    def _compared(self, compare: ast.Compare, scope: Scope) -> object:
        """`os.getenv(NAME, "false").lower() == "true"`."""
        if len(compare.ops) != 1 or not isinstance(compare.ops[0], (ast.Eq, ast.In, ast.NotEq, ast.NotIn)):
            return UNKNOWN
        said = self.of(compare.left, scope)
        right = self._module.behind(compare.comparators[0], scope)
        meant = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
        words = [self._module.value(each, scope) for each in meant]
        if not isinstance(said, str) or not all(isinstance(each, str) for each in words):
            return UNKNOWN
        same = said in words or said.lower() in {str(each).lower() for each in words}
        return same if isinstance(compare.ops[0], (ast.Eq, ast.In)) else not same

    def _called(self, call: ast.Call, scope: Scope) -> object:
        name = last_name(call.func)
        if name in {"lower", "upper", "strip", "casefold", "title", "capitalize"} and isinstance(
            call.func, ast.Attribute
        ):
            said = self.of(call.func.value, scope)
            return getattr(said, name)() if isinstance(said, str) else UNKNOWN
        if isinstance(call.func, ast.Name) and name in {"bool", "int"} and len(call.args) == 1 and not call.keywords:
            return _convert(name, self.of(call.args[0], scope))
        if _BOOLEAN_PARSER_NAME.match(name) and len(call.args) == 1:
            said = self.of(call.args[0], scope)
            return said.lower() not in _FALSE_WORDS if isinstance(said, str) else said
        if name in _FIELD_CALLS:
            return self._given(call, "default", 0, scope)
        if name in _SETTING_LOOKUPS:
            return self._asked(call, name, scope)
        return UNKNOWN

    def _asked(self, call: ast.Call, name: str, scope: Scope) -> object:
        said = self._given(call, "default", 2 if name == "getattr" else 1, scope)
        if said is UNKNOWN and (fallback := keyword_argument(call, "fallback")) is not None:
            said = self.of(fallback, scope)
        cast = last_name(keyword_argument(call, "cast"))
        if isinstance(said, str) and (cast == "bool" or name in _BOOLEAN_LOOKUPS):
            return said.lower() not in _FALSE_WORDS
        return said

    def _given(self, call: ast.Call, name: str, place: int, scope: Scope) -> object:
        passed = keyword_argument(call, name) or (call.args[place] if len(call.args) > place else None)
        return self.of(passed, scope)

    def _named(self, expression: ast.Name | ast.Attribute, scope: Scope) -> object:
        module = self._module
        default = parameter_default(expression, scope)
        if default is not None:
            return self.of(default, scope)
        known = module.value(expression, scope)
        if known is not UNKNOWN:
            return known
        behind = module.behind(expression, scope)
        if behind is not expression:
            return self.of(behind, scope if isinstance(behind, (ast.Name, ast.Attribute)) else self._module.scopes[0])
        if isinstance(expression, ast.Name):
            return self._told(expression, scope)
        if (held := module.held(expression, scope)) is not None:
            return self.of(*held)
        return self._field(expression, scope)

    def _told(self, expression: ast.expr, scope: Scope) -> object:
        """What another module says about its own setting."""
        if not TLS_SETTING_NAME.search(last_name(expression)):
            return UNKNOWN
        known = self._module.imported_value(expression, scope)
        return known.get("usual", UNKNOWN) if isinstance(known, dict) else known

    def _field(self, expression: ast.Attribute, scope: Scope) -> object:
        """`settings.verify`, of a class of this file or another one, or an option of the command line."""
        if not TLS_SETTING_NAME.search(expression.attr):
            return UNKNOWN
        owner, place = self._resolve_owner(expression.value, scope)
        if isinstance(owner, ast.Name) and (fields := switch_fields(self._module, owner.id)):
            return self.of(fields.get(expression.attr), self._module.scopes[0])
        if owner is not None:
            known = self._module.imported_value(owner, place)
            options = known.get(OPTIONS_KEY) if isinstance(known, dict) else None
            if isinstance(options, dict) and expression.attr in options:
                return options[expression.attr]
        said = self._told(expression, scope)
        return self._command_line_default(expression, scope) if said is UNKNOWN else said

    def _resolve_owner(self, owner: ast.expr, scope: Scope) -> tuple[ast.expr | None, Scope]:
        """The class, the imported name or the function that an object is of."""
        module = self._module
        for _ in range(_MAX_STEPS):
            if isinstance(owner, ast.Call):
                given = module.returned(owner, scope)
                if given is None:
                    return (owner.func, scope) if isinstance(owner.func, (ast.Name, ast.Attribute)) else (None, scope)
                owner, scope = given
            elif isinstance(owner, ast.Name):
                found = module.lookup(owner.id, scope)
                behind = (found[0].value or found[0].type) if found is not None else None
                if found is None or behind is None:
                    return owner, scope
                owner, scope = behind, found[1]
            elif isinstance(owner, ast.Attribute) and (held := module.held(owner, scope)) is not None:
                owner, scope = held
            else:
                return (owner, scope) if isinstance(owner, ast.Attribute) else (None, scope)
        return None, scope

    def _command_line_default(self, expression: ast.Attribute, scope: Scope) -> object:
        """What an option of the command line is when it is not given: `parser.add_argument("--verify", action="store_true")`."""
        made = self._module.behind(expression.value, scope)
        if not isinstance(made, ast.Call) or last_name(made.func) not in {"parse_args", "parse_known_args"}:
            return UNKNOWN
        for call, place in self._module.calls.get("add_argument", ())[:_MAX_OPTIONS]:
            names = text_constants(call.args)
            told = {
                self._module.value(keyword_argument(call, "dest"), place),
                *(each.lstrip("-").replace("-", "_") for each in names if each.startswith("--")),
            }
            if expression.attr in told:
                if (default := keyword_argument(call, "default")) is not None:
                    return self.of(default, place)
                action = self._module.value(keyword_argument(call, "action"), place)
                return {"store_true": False, "store_false": True}.get(str(action), UNKNOWN)
        return UNKNOWN


_MAX_OPTIONS = 200


def _negate(said: object) -> object:
    return not said if isinstance(said, (bool, int, str)) or said is None else UNKNOWN


def _convert(name: str, said: object) -> object:
    if name == "bool":
        return bool(said) if isinstance(said, (bool, int, str)) or said is None else UNKNOWN
    if isinstance(said, str) and said.strip() in {"0", "1"}:
        return int(said)
    return said if isinstance(said, int) else UNKNOWN


def switch_fields(module: Module, name: str) -> dict[str, ast.expr]:
    """The fields of a top-level class that are named like a switch, with their default values."""
    node = _classes(module).get(name)
    return switch_fields_of_class(node) if node is not None else {}


@remembered
def _classes(module: Module) -> dict[str, ast.ClassDef]:
    return {each.name: each for each in module.tree.body if isinstance(each, ast.ClassDef)}


def switch_fields_of_class(node: ast.ClassDef) -> dict[str, ast.expr]:
    """The same for a class definition."""
    found: dict[str, ast.expr] = {}
    for each in node.body:
        target = (
            each.target
            if isinstance(each, ast.AnnAssign)
            else each.targets[0]
            if isinstance(each, ast.Assign)
            else None
        )
        value = each.value if isinstance(each, (ast.AnnAssign, ast.Assign)) else None
        if isinstance(target, ast.Name) and value is not None and TLS_SETTING_NAME.search(target.id):
            found[target.id] = value
    return found


def exported_settings(module: Module) -> dict[str, object]:
    """Settings of a module that are off by default, for its importers: constants, and objects of its classes."""
    if not module.says(_TLS_KEYWORDS):
        return {}
    switching = _classes_with_switches(module)
    told: dict[str, object] = {name: {OPTIONS_KEY: options} for name, options in switching.items()}
    for each in module.tree.body:
        name, made = _named_value(each)
        if made is None:
            continue
        maker = root_name(made.func) if isinstance(made, ast.Call) else ""
        if maker in switching:
            told[name] = {OPTIONS_KEY: switching[maker]}
        elif isinstance(each, (ast.Assign, ast.AnnAssign)) and TLS_SETTING_NAME.search(name):
            said = default_value(module, made, module.scopes[0])
            if isinstance(said, bool):
                told[name] = {"usual": said}
    return told


def _classes_with_switches(module: Module) -> dict[str, dict[str, bool]]:
    """The top-level classes whose fields switch something on or off."""
    top = module.scopes[0]
    known: dict[str, dict[str, bool]] = {}
    for name, node in _classes(module).items():
        values = {key: default_value(module, value, top) for key, value in switch_fields_of_class(node).items()}
        if options := {key: value for key, value in values.items() if isinstance(value, bool)}:
            known[name] = options
    return known


def _named_value(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """The name of an object or a function of a module, and what it stands for, or gives back, where that is worked out."""
    name, made = "", None
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        last = statement.body[-1]
        name, made = statement.name, last.value if isinstance(last, ast.Return) else None
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        name, made = (target.id if isinstance(target, ast.Name) else ""), statement.value
    return name, made if name and isinstance(made, (ast.Call, ast.Compare, ast.UnaryOp)) else None
