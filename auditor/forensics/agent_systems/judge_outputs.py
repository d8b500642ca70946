"""Answers about how judges answer: bound to a schema or as free text, and what happens when an answer does not validate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import Attr, Call, Class, External, constant, walk
from auditor.forensics.agent_systems.count_phrases import Wording, name_some, share_phrase
from auditor.forensics.agent_systems.judge_detection import (
    METHODS_BY_STRENGTH,
    SCHEMA_METHODS,
    AskedModel,
    judge_nodes,
    model_calls,
    receiver_parts,
)
from auditor.forensics.agent_systems.program_analysis import Answers, ProgramStudy
from auditor.forensics.agent_systems.system_report_types import (
    ModelCall,
    OutputsData,
    ProbeAnswer,
    Spot,
    Where,
    WhereData,
)
from auditor.forensics.agent_systems.whole_program import Unit, descendants, vocabulary
from auditor.forensics.python.scope_bindings import last_name

_RETRY_NAME = re.compile(
    r"^(?:retry|retrying|backoff|on_exception|stamina|tenacity|with_retry|retry_on\w*|retry_\w+|\w+_retry|\w+_retries)$",
    re.IGNORECASE,
)
_VALIDATION_ERROR_NAME = re.compile(
    r"Validation|ValueError|Parser|Parse|JSONDecode|^Exception$|BaseException|TypeError|KeyError|Output|Schema",
    re.IGNORECASE,
)
_ERROR_NAME = re.compile(r"(?:Error|Exception|Timeout|Failure|Fault)$")
_TRANSPORT_ERROR_NAME = re.compile(
    r"RateLimit|Connect|Timeout|TimedOut|API|HTTP|Network|Unavailable|Internal|Overloaded|Exhausted|OpenAI|Anthropic|Request|Socket|^OSError$|^IOError$|SSL|Server"
)
"""Errors on the way to a model and back, which say nothing of its answer."""
_TRANSPORT_TEST_WORDS = re.compile(
    r"rate_?limit|(?:^|\D)(?:429|50[0234])(?:$|\D)|quota|overload|throttl|transient|time_?out|timed.?out|connect|network|unavailable|retr[iy]_?able"
    r"|too many requests",
    re.IGNORECASE,
)
"""How code tells errors on the way apart from others, by their texts or by a function of its own."""
_JUDGING_FILE = re.compile(r"judge|prosecut|defen[cs]e|tech_?lead|critic|juror|opinion", re.IGNORECASE)
_SYNTHESIS_NAME = re.compile(r"chief|justice|synthes|verdict|supreme", re.IGNORECASE)
_MAX_DISTANCE = 2_000
_AGENT_RETRIES = ("retries", "output_retries", "result_retries")


def judge_output_answers(study: ProgramStudy) -> Answers:
    """All answers about outputs of judges."""
    calls = judging_calls(study)
    return {
        "swarm.structured_output": (_structured_output_answer(study, calls),),
        "swarm.output_retry": (_retry_answer(study, calls),),
    }


def judging_calls(study: ProgramStudy) -> list[AskedModel]:
    """The model calls of the judges: by the node they run in, else by the names around them, else all."""
    every = [each for each in model_calls(study) if not each.event.context.startswith("router:")]
    prepared = _is_preparation(every)
    every = [
        each for each in every if each.method in SCHEMA_METHODS or (each.event.context, each.place.node) not in prepared
    ]
    nodes = set(judge_nodes(study))
    in_nodes = [each for each in every if each.event.context in nodes]
    if in_nodes:
        return _weakest_by_place(in_nodes)
    named = [
        each
        for each in every
        if _JUDGING_FILE.search(_names_around(each)) and not _SYNTHESIS_NAME.search(_names_around(each))
    ]
    return _weakest_by_place(named if named or nodes else every)


def _is_preparation(every: list[AskedModel]) -> set[tuple[str, ast.AST]]:
    """Calls whose answer becomes part of what is asked next, in the same node, of a model that is bound to a schema."""
    found: set[tuple[str, ast.AST]] = set()
    for each in every:
        if each.method in SCHEMA_METHODS:
            call = each.event.call
            for value in (*call.args, *(named for _, named in call.named)):
                parts = walk(value, limit=_MAX_DISTANCE)
                found.update((each.event.context, part.place.node) for part in parts if isinstance(part, Call))
    return found


def _names_around(asking: AskedModel) -> str:
    unit, node = asking.place.unit, asking.place.node
    names = [
        getattr(each, "name", "")
        for each in unit.around(node)
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    ]
    return " ".join((unit.stem, *names))


def _weakest_by_place(calls: list[AskedModel]) -> list[AskedModel]:
    """One entry for each place, the weakest of what different nodes make of it."""
    by_place: dict[ast.AST, AskedModel] = {}
    for each in calls:
        known = by_place.get(each.place.node)
        if known is None or METHODS_BY_STRENGTH.index(each.method) < METHODS_BY_STRENGTH.index(known.method):
            by_place[each.place.node] = each
    return list(by_place.values())


def _structured_output_answer(study: ProgramStudy, calls: list[AskedModel]) -> ProbeAnswer:
    if not study.python:
        return ProbeAnswer(answer=None, statement="There is no product code in Python or for LangGraph.js.")
    if not calls:
        sure, why = study.doubt(of=0.7)
        nodes = judge_nodes(study)
        about = (
            f"No model call was seen in what judges ({name_some(nodes)})"
            if nodes
            else "No judge that asks a model was seen"
        )
        return ProbeAnswer(
            answer=False, statement=f"{about}, so no answer was seen that is bound to a schema.", data=OutputsData(method="none"), confidence=sure,
            because=why or "a model call may hide behind a function that could not be followed", measure=0.0,
        )  # fmt: skip
    whose = " of the judges" if _are_judge_calls(study, calls) else ""
    bound = [each for each in calls if each.method in SCHEMA_METHODS]
    weakest = min(calls, key=lambda each: METHODS_BY_STRENGTH.index(each.method))
    schema = next((each.schema for each in bound if each.schema), "")
    data = OutputsData(
        method=weakest.method,
        schema=schema,
        calls=tuple(
            ModelCall(
                path=each.place.unit.path,
                line=each.place.line,
                method=each.method,
                schema_name=each.schema,
                node=each.event.context,
            )
            for each in calls
        ),
        bound_elsewhere=any(each.method in SCHEMA_METHODS and each not in calls for each in model_calls(study)),
    )
    share = round(len(bound) / len(calls), 4)
    places = tuple(study.line(each.place.unit, each.place.line) for each in calls)
    if len(bound) == len(calls):
        doubtful = [each for each in bound if not each.sure]
        count = f"The model call{whose} is" if len(calls) == 1 else f"All {len(calls)} model calls{whose} are"
        return ProbeAnswer(
            answer=True, statement=f"{count} bound to {schema or 'a schema'} ({weakest.method}).", data=data, spots=places, measure=share,
            confidence=0.7 if doubtful else 0.95,
            because="one way through the code asks without the schema" if doubtful else "what happens at run time only is not seen",
        )  # fmt: skip
    loose = [each for each in calls if each.method not in SCHEMA_METHODS]
    if bound and all(_is_fallback_call(each, bound) for each in loose):
        return ProbeAnswer(
            answer=True, statement=f"The judges' model calls are bound to {schema or 'a schema'}; free text is only parsed where that fails.",
            data=data.model_copy(update={"method": bound[0].method}), spots=places, confidence=0.7,
            because="where the bound call fails, an unbound one takes its place", measure=share,
        )  # fmt: skip
    return ProbeAnswer(
        answer=False,
        statement=_free_text_phrase(loose, calls, whose),
        data=data,
        spots=tuple(study.line(each.place.unit, each.place.line) for each in loose)
        + tuple(study.line(each.place.unit, each.place.line) for each in bound),
        confidence=0.85 if whose else 0.6,
        because="a schema may be bound where the code does not show it"
        if whose
        else "no judge was told apart from other nodes",
        measure=share,
    )


def _free_text_phrase(loose: list[AskedModel], calls: list[AskedModel], whose: str) -> str:
    """What becomes of answers that no schema binds."""
    by_hand = sum(1 for each in loose if each.method == "manual_parse")
    if by_hand in {0, len(loose)}:
        how = "parsed by hand" if by_hand else "taken as free text"
        return f"{share_phrase(len(loose), len(calls), _calls_wording(whose))} {how}."
    none = f"None of the {len(calls)} model calls{whose} is bound to a schema"
    some = (
        none
        if len(loose) == len(calls)
        else f"{share_phrase(len(loose), len(calls), _calls_wording(whose))} not bound to a schema"
    )
    return f"{some}: {by_hand} {'is' if by_hand == 1 else 'are'} parsed by hand, {len(loose) - by_hand} taken as free text."


def _calls_wording(whose: str) -> Wording:
    return Wording((f"model call{whose}", "is"), (f"model calls{whose}", "are"))


def _are_judge_calls(study: ProgramStudy, calls: list[AskedModel]) -> bool:
    """Was any of these calls told to be a judge's, by its node or by the names around it?"""
    nodes = set(judge_nodes(study))
    return any(each.event.context in nodes or _JUDGING_FILE.search(_names_around(each)) for each in calls)


# -- retry ------------------------------------------------------------------------------------------------------------


def _is_fallback_call(asking: AskedModel, bound: list[AskedModel]) -> bool:
    """Does a call stand where the usual one has failed: in the handler of an error, or after the bound call of its function?"""
    unit, node = asking.place.unit, asking.place.node
    if any(isinstance(each, ast.ExceptHandler) for each in unit.around(node)):
        return True
    function = unit.function_of(node)
    return any(
        each.place.unit.function_of(each.place.node) is function and each.place.line < asking.place.line
        for each in bound
    )


def _retry_answer(study: ProgramStudy, calls: list[AskedModel]) -> ProbeAnswer:
    if not study.python:
        return ProbeAnswer(answer=None, statement="There is no product code in Python or for LangGraph.js.")
    if not calls:
        return ProbeAnswer(answer=None, statement="No model call of a judge was seen, so there is no output to retry.")
    found: list[Where] = []
    bare: list[AskedModel] = []
    bound = [each for each in calls if each.method in SCHEMA_METHODS]
    for each in calls:
        if _call_retried_by(each, calls) is not None or (each not in bound and _is_fallback_call(each, bound)):
            continue  # it is itself what is tried after another call
        where = next(_retries(study, each), None) or _retrying_handler(each, calls)
        if where is None:
            bare.append(each)
        else:
            found.append(where)
    data = WhereData(where=tuple(dict.fromkeys(found)))
    share = round(1 - len(bare) / len(calls), 4)
    spots: tuple[Spot, ...] = tuple(
        study.line(study.program.units[each.path], each.line) for each in data.where if each.path in study.program.units
    )
    if not bare:
        return ProbeAnswer(
            answer=True, statement=f"An answer that does not validate is asked for again: {found[0].what}.", data=data, spots=spots, confidence=0.9,
            because="whether the retry is reached by invalid output is read from what is caught", measure=share,
        )  # fmt: skip
    place = bare[0].place
    told = _are_judge_calls(study, calls)
    whose = " of the judges" if told else ""
    some = f"{share_phrase(len(bare), len(calls), _calls_wording(whose))} not"
    which = f"None of the {len(calls)} model calls{whose} is" if len(bare) == len(calls) > 1 else some
    return ProbeAnswer(
        answer=False, statement=f"{which} tried again when the answer does not validate.",
        data=data, spots=tuple(study.line(each.place.unit, each.place.line) for each in bare) or (study.line(place.unit, place.line),),
        confidence=0.8 if told else 0.6, measure=share,
        because="the provider's own library may retry" if told else "no judge was told apart from other nodes",
    )  # fmt: skip


def _retrying_handler(asking: AskedModel, calls: list[AskedModel]) -> Where | None:
    """The handler that asks again when a call fails."""
    unit, node = asking.place.unit, asking.place.node
    for each in unit.around(node):
        if isinstance(each, ast.Try) and _is_in_body(unit, node, each):
            for other in calls:
                handler = next(
                    (part for part in other.place.unit.around(other.place.node) if part in each.handlers), None
                )
                if handler is not None:
                    return Where(
                        path=unit.path, line=other.place.line, what="it asks again when the first answer fails"
                    )
    return None


def _call_retried_by(asking: AskedModel, calls: list[AskedModel]) -> AskedModel | None:
    """The call that a call in a handler is the second try of."""
    unit, node = asking.place.unit, asking.place.node
    for each in unit.around(node):
        block = unit.parents.get(each)
        if isinstance(each, ast.ExceptHandler) and isinstance(block, ast.Try):
            return next(
                (other for other in calls if other.place.unit is unit and _is_in_body(unit, other.place.node, block)),
                None,
            )
    return None


def _retries(study: ProgramStudy, asking: AskedModel) -> Iterator[Where]:
    """Ways in which a model call is tried again, from the call outwards."""
    call = asking.event.call
    yield from _configured_retries(call)
    steps: list[tuple[Unit, ast.AST, ast.AST]] = []
    inner: tuple[Unit, ast.AST] | None = (call.place.unit, call.place.node)
    for frame in asking.event.frames[::-1]:
        if inner is None:
            break
        steps.append((inner[0], inner[1], frame.node))
        inner = (frame.called.unit, frame.called.node) if frame.called is not None else None
    for unit, node, function in steps:
        yield from _surrounding_retry(unit, node, function)
    for graph in study.live_graphs:
        if asking.event.context in graph.validation_retries:
            place = graph.validation_retries[asking.event.context]
            yield Where(path=place.unit.path, line=place.line, what="a retry policy of the node")


def _configured_retries(call: Call) -> Iterator[Where]:
    """Retries that what is called was told to make: the runnable, the parser, the schema library, the agent."""
    for part in receiver_parts(call):
        if (
            isinstance(part, Call)
            and part.name == ".with_retry"
            and _retries_validation_errors(_with_retry_errors(part))
        ):
            yield Where(path=part.place.unit.path, line=part.place.line, what="with_retry")
        if isinstance(part, Call) and part.last in {
            "OutputFixingParser",
            "RetryOutputParser",
            "RetryWithErrorOutputParser",
        }:
            yield Where(path=part.place.unit.path, line=part.place.line, what=part.last)
    if (
        constant(call.argument("max_retries")) not in {None, 0}
        and isinstance(call.func, Attr)
        and call.argument("response_model") is not None
    ):
        yield Where(path=call.place.unit.path, line=call.place.line, what="max_retries of the schema library")
    for part in receiver_parts(call):
        if isinstance(part, Call) and part.last == "Agent":
            named = next((each for each in _AGENT_RETRIES if constant(part.argument(each)) not in {None, 0}), "")
            if named:
                yield Where(path=part.place.unit.path, line=part.place.line, what=f"{named} of the agent")


def _surrounding_retry(unit: Unit, node: ast.AST, function: ast.AST) -> Iterator[Where]:
    """A loop that tries again, or a decorator that does, around a node inside one function."""
    caught: ast.Try | None = None
    for each in unit.around(node):
        if isinstance(each, ast.Try) and caught is None and _is_in_body(unit, node, each) and _loop_continues(each):
            caught = each
        if isinstance(each, (ast.For, ast.AsyncFor, ast.While)):
            inside_try = any(isinstance(part, ast.Try) and _loop_continues(part) for part in descendants(each))
            if _is_tenacity_loop(each) or (
                (inside_try or _checks_answer(each)) and _is_attempt_loop(each) and _ends_on_answer(each)
            ):
                yield Where(
                    path=unit.path, line=each.lineno, what=f"a loop around the call in {unit.path}:{each.lineno}"
                )
        if each is function:
            break
    for decorator in getattr(function, "decorator_list", ()):
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        last = last_name(name)
        if _RETRY_NAME.match(last) and _retries_validation_errors(_decorator_errors(decorator)):
            yield Where(path=unit.path, line=decorator.lineno, what=f"the decorator {last}")
    for each in caught.handlers if caught is not None else ():
        if _calls_itself(each, function):
            yield Where(path=unit.path, line=each.lineno, what="it calls itself again when the answer fails")


def _retries_validation_errors(errors: list[str]) -> bool:
    """May a retry of these errors follow an answer that does not validate? One that names none takes all, and an error of the project's own may be about the answer."""
    return not errors or not all(_TRANSPORT_ERROR_NAME.search(each) for each in errors)


def _with_retry_errors(call: Call) -> list[str]:
    """The errors that `with_retry` is told to take."""
    given = call.argument("retry_if_exception_type", 0)
    names = (
        (each.name for each in walk(given) if isinstance(each, (External, Class, Attr))) if given is not None else ()
    )
    return [name.rpartition(".")[2] for name in names]


def _decorator_errors(decorator: ast.expr) -> list[str]:
    """The errors that a retrying decorator names; none where it names those that it does not take."""
    names = [last_name(each) for each in descendants(decorator)]
    return [] if any("_not_" in name for name in names) else [name for name in names if _ERROR_NAME.search(name)]


def _is_in_body(unit: Unit, node: ast.AST, block: ast.Try) -> bool:
    below: ast.AST = node
    for each in unit.around(node):
        if each is block:
            return any(below is statement for statement in block.body)
        below = each
    return False


def _loop_continues(block: ast.Try) -> bool:
    """Is an answer that does not validate caught, so that the loop goes on? Other errors alone do not count."""
    for handler in block.handlers:
        kinds = (
            handler.type.elts
            if isinstance(handler.type, ast.Tuple)
            else [handler.type]
            if handler.type is not None
            else []
        )
        names = [last_name(each) for each in kinds]
        again = any(isinstance(each, ast.Continue) for each in descendants(handler))
        validates = not names or any(_VALIDATION_ERROR_NAME.search(name) for name in names)
        if _handles_transport_only(handler):
            continue
        last = handler.body[-1]
        leaves = isinstance(last, (ast.Return, ast.Break)) or (isinstance(last, ast.Raise) and len(handler.body) == 1)
        if validates and (again or not leaves):
            return True
    return False


def _handles_transport_only(handler: ast.ExceptHandler) -> bool:
    """Does a handler raise again what is no error on the way to the model, such as a limit of requests?"""
    return any(
        isinstance(each, ast.If)
        and isinstance(each.body[-1], ast.Raise)
        and any(
            _is_negated(part) and any(map(_TRANSPORT_TEST_WORDS.search, vocabulary(part)))
            for part in descendants(each.test)
        )
        for each in handler.body
    )


def _is_negated(part: ast.AST) -> bool:
    """Is it `not this` or `this not in that`?"""
    if isinstance(part, ast.Compare):
        return isinstance(part.ops[0], (ast.NotIn, ast.NotEq))
    return isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not)


def _is_tenacity_loop(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Is it tenacity's loop, which ends by itself when an attempt succeeds?"""
    source = getattr(loop, "iter", None)
    func = source.func if isinstance(source, ast.Call) else None
    return last_name(func) in {"Retrying", "AsyncRetrying", "retry_context"}


def _is_attempt_loop(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Does a loop count attempts, rather than go through the criteria?"""
    if isinstance(loop, ast.While):
        return True
    source = loop.iter
    name = (
        source.func.attr
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)
        else getattr(getattr(source, "func", None), "id", "")
    )
    if name in {"range", "count", "Retrying", "AsyncRetrying", "retry_context"}:
        return not any(
            isinstance(each, ast.Call) and getattr(each.func, "id", "") == "len" for each in descendants(source)
        )
    target = loop.target.id if isinstance(loop.target, ast.Name) else ""
    return bool(re.search(r"attempt|retry|tr(?:y|ies)|delay|backoff", target, re.IGNORECASE))


def _ends_on_answer(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Does a loop end as soon as an answer is there?"""
    return any(isinstance(each, (ast.Return, ast.Break)) for each in descendants(loop)) or isinstance(loop, ast.While)


def _checks_answer(loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Does a loop look at the answer itself and leave when it is good?"""
    return any(
        isinstance(each, ast.If) and any(isinstance(part, (ast.Return, ast.Break)) for part in each.body)
        for each in descendants(loop)
    )


def _calls_itself(handler: ast.ExceptHandler, function: ast.AST) -> bool:
    name = getattr(function, "name", "")
    return any(
        isinstance(each, ast.Call) and (getattr(each.func, "id", "") == name or getattr(each.func, "attr", "") == name)
        for each in descendants(handler)
    )
