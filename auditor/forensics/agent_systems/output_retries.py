"""What happens when an answer of a judge does not validate: who asks again, and after which errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from auditor.forensics.agent_systems.abstract_values import Attr, Call, Class, External
from auditor.forensics.agent_systems.call_frames import Frame
from auditor.forensics.agent_systems.count_phrases import share_phrase
from auditor.forensics.agent_systems.judging_calls import are_judge_calls, calls_wording, is_fallback_call
from auditor.forensics.agent_systems.main_graph_analysis import ProgramStudy
from auditor.forensics.agent_systems.model_calls import SCHEMA_METHODS, AskedModel, receiver_parts
from auditor.forensics.agent_systems.parsed_unit import Unit
from auditor.forensics.agent_systems.syntax_queries import descendants, vocabulary
from auditor.forensics.agent_systems.system_report_types import NO_PRODUCT_CODE, ProbeAnswer, Spot, Where, WhereData
from auditor.forensics.agent_systems.value_contents import constant, walk
from auditor.forensics.python.scope_bindings import callee_name, last_name

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
_ATTEMPT_LIMITS = frozenset({"max_tries", "attempts", "max_attempts", "tries"})
"""How decorators call the number of attempts, the first one counted."""
_AGENT_RETRIES = ("retries", "output_retries", "result_retries")


def retry_answer(study: ProgramStudy, calls: list[AskedModel]) -> ProbeAnswer:
    """What happens when the answer of a judging call does not validate?"""
    if not study.python:
        return NO_PRODUCT_CODE
    if not calls:
        return ProbeAnswer(answer=None, statement="No model call of a judge was found, so there is no output to retry.")
    found: list[Where] = []
    bare: list[AskedModel] = []
    bound = [each for each in calls if each.method in SCHEMA_METHODS]
    for each in calls:
        if _call_retried_by(each, calls) is not None or (each not in bound and is_fallback_call(each, bound)):
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
            answer=True, statement=f"An invalid answer is retried: {found[0].what}.", data=data, spots=spots, confidence=0.9,
            because="whether invalid output triggers the retry was derived from the exceptions it catches", measure=share,
        )  # fmt: skip
    place = bare[0].place
    told = are_judge_calls(study, calls)
    whose = " of the judges" if told else ""
    some = f"{share_phrase(len(bare), len(calls), calls_wording(whose))} not"
    which = f"None of the {len(calls)} model calls{whose} is" if len(bare) == len(calls) > 1 else some
    return ProbeAnswer(
        answer=False, statement=f"{which} retried when the answer does not validate.",
        data=data, spots=tuple(study.place_spot(each.place) for each in bare) or (study.place_spot(place),),
        confidence=0.8 if told else 0.6, measure=share,
        because="the provider's own library may retry" if told else "judges could not be distinguished from other nodes",
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
        yield from _surrounding_retry(study, unit, node, function)
    for graph in study.live_graphs:
        if asking.event.context in graph.validation_retries:
            place = graph.validation_retries[asking.event.context]
            yield Where(path=place.unit.path, line=place.line, what="a retry policy of the node")


def _configured_retries(call: Call) -> Iterator[Where]:
    """Retries that the called object is set to make: the runnable, the parser, the schema library, the agent."""
    for part in receiver_parts(call):
        if (
            isinstance(part, Call)
            and part.name == ".with_retry"
            and constant(part.argument("stop_after_attempt")) != 1
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


def _surrounding_retry(study: ProgramStudy, unit: Unit, node: ast.AST, function: ast.AST) -> Iterator[Where]:
    """A loop that tries again, or a decorator that does, around a node inside one function."""
    caught: ast.Try | None = None
    for each in unit.around(node):
        if isinstance(each, ast.Try) and caught is None and _is_in_body(unit, node, each) and _loop_continues(each):
            caught = each
        if isinstance(each, (ast.For, ast.AsyncFor, ast.While)) and _repeats_call(study, unit, each):
            yield Where(path=unit.path, line=each.lineno, what=f"a loop around the call in {unit.path}:{each.lineno}")
        if each is function:
            break
    for decorator in getattr(function, "decorator_list", ()):
        last = callee_name(decorator)
        repeats = _RETRY_NAME.match(last) and not _tries_once(study, unit, decorator)
        if repeats and _retries_validation_errors(_decorator_errors(decorator)):
            yield Where(path=unit.path, line=decorator.lineno, what=f"the decorator {last}")
    for each in caught.handlers if caught is not None else ():
        if _calls_itself(each, function):
            yield Where(path=unit.path, line=each.lineno, what="it calls itself again when the answer fails")


def _repeats_call(study: ProgramStudy, unit: Unit, loop: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Is a loop one of attempts, more than one of them, that continues after an answer that does not validate?"""
    if _tries_once(study, unit, getattr(loop, "iter", None)):
        return False
    inside_try = any(isinstance(part, ast.Try) and _loop_continues(part) for part in descendants(loop))
    checked = inside_try or _checks_answer(loop)
    return _is_tenacity_loop(loop) or (checked and _is_attempt_loop(loop) and _ends_on_answer(loop))


def _tries_once(study: ProgramStudy, unit: Unit, limit: ast.AST | None) -> bool:
    """Is a limit of attempts known, and one or none: `range(1)`, `stop_after_attempt(1)`, `max_tries=ATTEMPTS` with `ATTEMPTS = 1`?"""
    if limit is None:
        return False
    given = [
        value
        for each in descendants(limit)
        if isinstance(each, ast.Call)
        for value in (
            *(each.args[-1:] if last_name(each.func) == "stop_after_attempt" else ()),
            *(each.args if last_name(each.func) == "range" and len(each.args) == 1 else ()),
            *(part.value for part in each.keywords if part.arg in _ATTEMPT_LIMITS),
        )
    ]
    frame = Frame(unit, unit.tree, study.run.module(unit))
    known = [constant(study.run.value(each, frame)) for each in given if isinstance(each, (ast.Constant, ast.Name))]
    return bool(known) and all(isinstance(each, int) and each <= 1 for each in known)


def _retries_validation_errors(errors: list[str]) -> bool:
    """May a retry of these errors follow an answer that does not validate? One that names none takes all, and an error of the project's own may be about the answer."""
    return not errors or not all(_TRANSPORT_ERROR_NAME.search(each) for each in errors)


def _with_retry_errors(call: Call) -> list[str]:
    """The errors that `with_retry` is given to retry."""
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
    """Is an answer that does not validate caught, so that the loop continues? Other errors alone do not count."""
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
        leaves = isinstance(last, (ast.Return, ast.Break, ast.Raise))
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
    counted = {"range", "count", "Retrying", "AsyncRetrying", "retry_context"}
    if isinstance(source, ast.Call) and last_name(source.func) in counted:
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
    name = getattr(function, "name", None)
    return any(isinstance(each, ast.Call) and last_name(each.func) == name for each in descendants(handler))
