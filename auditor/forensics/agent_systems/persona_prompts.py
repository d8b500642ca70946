"""The prompts of the personas of an agent system, wherever they are written."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from auditor.forensics.agent_systems.abstract_values import Attr, Call, Choice, Const, Map, Place, Seq, Text, Value
from auditor.forensics.agent_systems.agent_graph import function_of
from auditor.forensics.agent_systems.data_files import data_unit, parse_data
from auditor.forensics.agent_systems.judge_detection import JUDGE_NAME, judge_nodes
from auditor.forensics.agent_systems.library_names import known_names
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.model_calls import AskedModel, model_calls, receiver_parts
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.persona_texts import PersonaText, prompt_containers, text_pieces
from auditor.forensics.agent_systems.prompt_overlap import words_of
from auditor.forensics.agent_systems.syntax_queries import descendants
from auditor.forensics.agent_systems.value_contents import first_known_place, known_words, text_of, walk
from auditor.forensics.code_facts.answer_memory import remembered
from auditor.forensics.python.scope_bindings import last_name, text_constants

MIN_PERSONA_WORDS = 12
"""Words below which a text is no persona."""
_COMMON_PERSONAS = {
    "prosecutor": r"prosecut",
    "defense": r"defen[cs]e|defender|advocate",
    "tech_lead": r"tech[_ -]?lead",
}
_PROMPT_NAME = re.compile(
    r"prompt|persona|system|instruction|role|philosophy|template|message|brief|doctrine|voice|character|bio",
    re.IGNORECASE,
)
_NAME_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*")


def find_prompts(study: ProgramStudy) -> list[PersonaText]:
    """The prompt of each persona: what its node asks a model, else texts that carry its name."""
    nodes = judge_nodes(study)
    every = model_calls(study)
    found: dict[str, PersonaText] = {}
    for node in nodes:
        asked = [each for each in every if each.event.context == node]
        best = max(
            (each for asking in asked if (each := _asked_text(node, asking)) is not None),
            key=lambda each: len(each.text),
            default=None,
        )
        if best is not None:
            found[node] = best
    same = _shared_texts(found.values())
    for persona, pattern in (_persona_patterns(nodes) if nodes else _COMMON_PERSONAS).items():
        told = found.get(persona)
        if told is not None and told.text not in same:
            continue
        named = _longest_text_by_name(
            study, persona, pattern, live=any(each.event.context == persona for each in every)
        )
        if named is not None:
            found[persona] = named
        elif told is not None and told.whole:
            found[persona] = PersonaText(persona, told.whole, told.place)
    for container in prompt_containers(every, found):
        del found[container]
    heard = [found[each] for each in (nodes or _COMMON_PERSONAS) if each in found]
    told_by_name = sum(bool(JUDGE_NAME.search(each)) for each in nodes) > 1
    return heard if told_by_name else max(heard, _prompts_by_common_names(study), key=len)


def _prompts_by_common_names(study: ProgramStudy) -> list[PersonaText]:
    """Personas by the names they commonly have, where one function speaks for all and picks the text by name."""
    named = (_longest_text_by_name(study, persona, pattern) for persona, pattern in _COMMON_PERSONAS.items())
    return [each for each in named if each is not None]


def _shared_texts(found: Iterable[PersonaText]) -> set[str]:
    """Texts found for several personas: what distinguishes those is not in them."""
    counted = Counter(each.text for each in found)
    return {text for text, count in counted.items() if count > 1}


def _persona_patterns(nodes: list[str]) -> dict[str, str]:
    patterns: dict[str, str] = {}
    for node in nodes:
        usual = next(
            (pattern for pattern in _COMMON_PERSONAS.values() if re.search(pattern, node, re.IGNORECASE)), None
        )
        words = [
            word.lower()
            for word in _NAME_WORD.findall(node)
            if word.lower() not in {"node", "judge", "agent", "the", "a"}
        ]
        patterns[node] = usual or "[_ -]?".join(map(re.escape, words)) or re.escape(node)
    return patterns


def _asked_text(persona: str, asking: AskedModel) -> PersonaText | None:
    """The system part of what a model is asked, or all of it when there is no such part."""
    call = asking.event.call
    values = [*call.args, *(value for name, value in call.named if name not in {"config", "temperature"})]
    receiver = list(receiver_parts(call.func.base)) if isinstance(call.func, Attr) else []
    values += [
        each
        for part in receiver
        if isinstance(part, Call) and part.last in known_names("prompt_calls")
        for each in (*part.args, *(v for _, v in part.named))
    ]
    system = [text for value in values for text in _system_texts(value)]
    texts = system or values
    everything = "\n".join(_all_text(each) for each in values) if system else ""
    texts = [_shortest_variant(each) for each in texts]
    known = [(known_words(each) if isinstance(each, (Const, Text)) else _all_text(each), each) for each in texts]
    whole = "\n".join(text for text, _ in known).strip()
    place = next(
        (spot for text, each in known if len(text) > 30 and (spot := _largest_piece_place(each)) is not None), None
    )
    if place is None or len(words_of(whole)) < MIN_PERSONA_WORDS:
        return None
    return PersonaText(persona, whole, place, everything, tuple(piece for each in texts for piece in text_pieces(each)))


def _largest_piece_place(value: Value) -> Place | None:
    """Where the largest known piece of a text is: that is what a reader looks for, not the call that fills it in."""
    pieces = [each for each in walk(value) if isinstance(each, Const) and isinstance(each.value, str) and each.place]
    largest = max(pieces, key=lambda each: len(str(each.value)), default=None)
    return first_known_place(value) if largest is None else largest.place


def _shortest_variant(value: Value) -> Value:
    """Of several ways a text may be assembled, the shortest that is long enough."""
    if not isinstance(value, Choice):
        return value
    long_enough = [each for each in value.options if len(words_of(known_words(each))) >= MIN_PERSONA_WORDS]
    return min(long_enough, key=lambda each: len(known_words(each)), default=value)


def _system_texts(value: Value) -> Iterator[Value]:
    """Texts that are given to a model as its role."""
    for part in walk(value):
        if isinstance(part, Call) and part.last in {"SystemMessage", "SystemMessagePromptTemplate"}:
            text = part.argument("content", 0)
            if text is not None:
                yield text
        elif isinstance(part, Seq) and len(part.items) == 2 and text_of(part.items[0]) in {"system", "developer"}:
            yield part.items[1]
        elif isinstance(part, Map) and text_of(part.get("role")) in {"system", "developer"}:
            content = part.get("content")
            if content is not None:
                yield content
        elif isinstance(part, Call):
            for name, each in part.named:
                if name in {"system", "system_prompt", "system_instruction", "instructions", "state_modifier"}:
                    yield each


def _all_text(value: Value) -> str:
    return "\n".join(
        part.value
        for part in walk(value)
        if isinstance(part, Const) and isinstance(part.value, str) and len(part.value) > 20
    )


def _longest_text_by_name(study: ProgramStudy, persona: str, pattern: str, *, live: bool = False) -> PersonaText | None:
    """The longest text that is under a persona's name: a variable, a key, a function, a class, a file.

    Where its node is known to ask a model (`live`), a file that no other imports tells it nothing.
    """
    named = re.compile(pattern, re.IGNORECASE)
    best: PersonaText | None = None
    for unit in study.program.product:
        if live and unit in _unimported_files(study):
            continue
        if not named.search(unit.text) and not named.search(unit.path):
            continue
        for node, text in _long_texts(unit):
            if (best is None or len(text) > len(best.text)) and _belongs_to_persona(unit, node, named):
                best = PersonaText(persona, text, Place(unit, node))
    for value in _prompts_in_data_files(study, named):
        if (
            isinstance(value, Const)
            and value.place is not None
            and (best is None or len(str(value.value)) > len(best.text))
        ):
            best = PersonaText(persona, str(value.value), value.place)
    for path, text in study.program.data.items():
        name = path.rpartition("/")[2]
        if (
            named.search(name)
            and _PROMPT_NAME.search(path)
            and len(words_of(text)) >= MIN_PERSONA_WORDS
            and (best is None or len(text) > len(best.text))
        ):
            best = PersonaText(
                persona, text, Place(data_unit(study.run, path), ast.Constant(value="", lineno=1, end_lineno=1))
            )
    return best


@remembered
def _unimported_files(study: ProgramStudy) -> frozenset[Unit]:
    """Files of product code that no other imports and that hold no node; none, where files are imported by what a run decides."""
    product = study.program.product
    dynamic = any(_RUNTIME_IMPORT.search(unit.text) for unit in product)
    names = {word for unit in product for word in _imported_words(unit)}
    holding = {
        function.unit
        for graph in study.graphs
        for function in map(function_of, graph.handlers.values())
        if function is not None
    }
    left = (unit for unit in product if unit not in holding and _import_name(unit) not in names)
    return frozenset() if dynamic else frozenset(left)


_RUNTIME_IMPORT = re.compile(r"import_module\(|__import__\(|iter_modules\(|exec_module\(|require\((?![\"'])")


def _import_name(unit: Unit) -> str:
    folder = unit.path.rpartition("/")[0].rpartition("/")[2]
    return folder if unit.stem in {"__init__", "index"} and folder else unit.stem


def _imported_words(unit: Unit) -> Iterator[str]:
    """Every word of the modules and names that a file imports."""
    for node in unit.nodes_of_kinds(ast.Import, ast.ImportFrom):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        for named in (module, *(alias.name for alias in node.names)):  # type: ignore[attr-defined]
            yield from re.split(r"[./]", named)


def _prompts_in_data_files(study: ProgramStudy, named: re.Pattern[str]) -> Iterator[Value]:
    """Texts under a persona's key in YAML and JSON files of prompts."""
    for path, text in study.program.data.items():
        if not path.endswith((".json", ".yaml", ".yml")) or not _PROMPT_NAME.search(path) or not named.search(text):
            continue
        place = Place(data_unit(study.run, path), ast.Constant(value="", lineno=1, end_lineno=1))
        tree = parse_data(Const(text, place), "json" if path.endswith(".json") else "yaml")
        for part in walk(tree) if tree is not None else ():
            if isinstance(part, Map):
                for key, value in part.items:
                    if named.search(text_of(key) or ""):
                        yield from (
                            each for each in walk(value)
                            if isinstance(each, Const) and isinstance(each.value, str) and len(words_of(each.value)) >= MIN_PERSONA_WORDS
                        )  # fmt: skip


def _long_texts(unit: Unit) -> Iterator[tuple[ast.AST, str]]:
    """Texts long enough for a persona, docstrings left out."""
    for node in unit.nodes_of_kinds(ast.Constant, ast.JoinedStr):
        if isinstance(unit.parents.get(node), (ast.JoinedStr, ast.Expr)):
            continue
        text = " ".join(text_constants([node] if isinstance(node, ast.Constant) else descendants(node)))
        if len(text) > 60 and len(words_of(text)) >= MIN_PERSONA_WORDS:
            yield node, text


def _belongs_to_persona(unit: Unit, node: ast.AST, named: re.Pattern[str]) -> bool:
    """Is the nearest name around a text the persona's, and is the text for a model rather than for a reader?"""
    below: ast.AST = node
    told = False
    for each in unit.around(node):
        verdict = _persona_by_ancestor(each, below, named)
        if verdict is not None:
            return verdict
        told = told or bool(_PROMPT_NAME.search(_name_of(each)))
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and named.search(each.name) and told:
            return True
        if isinstance(each, ast.Module):
            return told and bool(named.search(unit.stem))
        below = each
    return False


def _persona_by_ancestor(around: ast.AST, below: ast.AST, named: re.Pattern[str]) -> bool | None:
    """What one node around a text says: it is the persona's, it is not, or nothing yet."""
    if isinstance(around, (ast.Raise, ast.Assert)):
        return False
    if (
        isinstance(around, (ast.Assign, ast.AnnAssign))
        and named.search(_name_of(around))
        and not isinstance(around.value, ast.Dict)
    ):
        return True
    if isinstance(around, ast.Dict):
        key = next((key for key, value in zip(around.keys, around.values, strict=True) if value is below), None)
        spelled = getattr(key, "value", getattr(key, "attr", ""))
        word = spelled if isinstance(spelled, str) else ""
        return True if named.search(word) else None if _PROMPT_NAME.search(word) else False if word else None
    if isinstance(around, ast.Call):
        words = text_constants(around.args)
        if below in around.args and any(named.search(word) for word in words if len(word) < 40):
            return True
        return False if _is_message_to_people(around) else None
    return None


def _name_of(node: ast.AST) -> str:
    """The name that a node gives to what is in it."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return " ".join(map(last_name, targets))
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.keyword):
        return node.arg or ""
    return getattr(node, "name", "") if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ""


def _is_message_to_people(call: ast.Call) -> bool:
    name = last_name(call.func)
    return name in {
        "print",
        "info",
        "debug",
        "warning",
        "error",
        "exception",
        "log",
        "Field",
        "write",
        "echo",
        "JudicialOpinion",
        "Opinion",
        "Evidence",
    }
