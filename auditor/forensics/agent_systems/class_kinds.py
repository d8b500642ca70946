"""What kind of class describes data, and whether making one checks its values."""

from __future__ import annotations

import ast

from auditor.forensics.agent_systems.abstract_values import Attr, Class, External
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.class_members import base_values, class_hierarchy
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.python.scope_bindings import last_name

_MODEL_BASES = frozenset({"BaseModel", "RootModel", "SQLModel", "BaseSettings", "GenericModel", "Serializable"})


def class_kind(study: ProgramStudy, cls: Class) -> str:
    """TypedDict, BaseModel, dataclass, NamedTuple or class, by its bases and decorators, inherited ones included."""
    for each in class_hierarchy(study.run, cls):
        for base in base_values(study.run, each):
            last = base.name.rpartition(".")[2] if isinstance(base, External) else ""
            if last in _MODEL_BASES:
                return "BaseModel"
            if last in {"TypedDict", "MessagesState", "AgentState"}:
                return "TypedDict"
            if last == "NamedTuple":
                return "NamedTuple"
        if each.unit.is_script:
            return "interface" if each.node.decorator_list else "class"
        if _dataclass_decorator(study, each) is not None:
            return "dataclass"
    return "class"


def _dataclass_decorator(study: ProgramStudy, cls: Class) -> ast.expr | None:
    """The decorator that makes it a data class."""
    frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
    for decorator in cls.node.decorator_list:
        value = study.run.value(decorator.func if isinstance(decorator, ast.Call) else decorator, frame)
        name = value.name if isinstance(value, (External, Attr)) else ""
        if name.rpartition(".")[2] in {"dataclass", "define", "frozen", "attrs"}:
            return decorator
    return None


def is_validated(study: ProgramStudy, cls: Class) -> bool:
    """Does making one check its values?"""
    if class_kind(study, cls) == "BaseModel":
        return True
    decorator = _dataclass_decorator(study, cls)
    frame = Frame(cls.unit, cls.node, cls.env.parent or cls.env)
    value = (
        study.run.value(decorator.func if isinstance(decorator, ast.Call) else decorator, frame) if decorator else None
    )
    return isinstance(value, External) and "pydantic" in value.name


def is_frozen(study: ProgramStudy, cls: Class) -> bool:
    """Can one not be changed after it is made?"""
    for each in class_hierarchy(study.run, cls):
        keywords = [*each.node.keywords]
        decorator = _dataclass_decorator(study, each)
        if isinstance(decorator, ast.Call):
            keywords += decorator.keywords
        if isinstance(decorator, (ast.Name, ast.Attribute)) and last_name(decorator) == "frozen":
            return True
        keywords += _model_config_keywords(each.node)
        for keyword in keywords:
            if isinstance(keyword.value, ast.Constant):
                if keyword.arg == "frozen":
                    return bool(keyword.value.value)
                if keyword.arg == "allow_mutation":
                    return not keyword.value.value
    return False


def _model_config_keywords(node: ast.ClassDef) -> list[ast.keyword]:
    """What `model_config` or an inner `Config` sets."""
    found: list[ast.keyword] = []
    for each in node.body:
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            if any(isinstance(target, ast.Name) and target.id == "model_config" for target in targets):
                found += each.value.keywords if isinstance(each.value, ast.Call) else _dict_keywords(each.value)
        elif isinstance(each, ast.ClassDef) and each.name == "Config":
            for line in each.body:
                if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                    found.append(ast.keyword(arg=line.targets[0].id, value=line.value))
    return found


def _dict_keywords(value: ast.expr | None) -> list[ast.keyword]:
    if not isinstance(value, ast.Dict):
        return []
    return [
        ast.keyword(arg=key.value, value=each)
        for key, each in zip(value.keys, value.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]
