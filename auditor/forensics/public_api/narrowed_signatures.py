"""Functions that take less than before: parameters removed, renamed, moved or made narrower."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.public_api.breaking_changes import (
    OPTION_REMOVED,
    PARAMETER_ADDED,
    PARAMETER_REMOVED,
    PARAMETER_RENAMED,
    PARAMETERS_REORDERED,
    BreakingChange,
    BreakKind,
)
from auditor.forensics.public_api.framework_entry_points import (
    INJECTED_PARAMETERS,
    declares_options,
    is_cli_command,
    is_request_handler,
)
from auditor.forensics.source_text.file_outline import Function, Parameter, ParameterKind

_NO_LONGER_VARIADIC = BreakKind(
    "Public function {} no longer accepts extra arguments",
    "{} public functions no longer accept extra arguments: {}",
)
_DEFAULT_REMOVED = BreakKind(
    "Parameter of a public function lost its default: {}", "{} parameters lost their defaults: {}"
)
_NO_LONGER_POSITIONAL = BreakKind(
    "Parameter of a public function became keyword-only: {}",
    "{} parameters of public functions became keyword-only: {}",
)
_NO_LONGER_KEYWORD = BreakKind(
    "Parameter of a public function became positional-only: {}",
    "{} parameters of public functions became positional-only: {}",
)
_PARAMETER_INSERTED = BreakKind(
    "New parameter of a public function shifts existing positional arguments: {}",
    "{} new parameters of public functions shift existing positional arguments: {}",
)


def narrowed_signature(path: str, old: Function, new: Function) -> Iterator[BreakingChange]:
    """Calls that worked before and no longer do."""
    at = code_location(path, new.line, new.line, quote=f"def {new.name}")
    sure, why = (0.6, _DECORATOR_REASON) if new.decorators or old.decorators else (1.0, "")
    if "overload" in {each.rpartition(".")[2] for each in (*new.decorators, *old.decorators)}:
        return
    name = f"`{new.qualname}`"
    if is_request_handler(old):
        return  # it is reached by its address, and what that takes is not told by its parameters alone
    if old.is_async != new.is_async and not is_cli_command(old):
        yield BreakingChange(_ASYNC_CHANGED, name, at, sure, why)
    if old.name.startswith("__") and old.name != "__init__":
        return
    was, now = _binding_kind(old), _binding_kind(new)
    if was != now and "property" in (was, now):
        yield BreakingChange(_PROPERTY_CHANGED, name, at, 0.9, _DECORATOR_REASON)
    elif was and not now:
        yield BreakingChange(_NO_LONGER_CLASS_METHOD, name, at, 0.9, _DECORATOR_REASON)
    if old.signature == new.signature and old.class_name == new.class_name:
        return
    renamed = {} if is_cli_command(old) else _renamed_parameters(caller_parameters(old), caller_parameters(new))
    if renamed:
        about = f"{', '.join(f'`{was}` (now `{given}`)' for was, given in renamed.items())} of {name}"
        yield BreakingChange(PARAMETER_RENAMED, about, at, sure, why)
    before = [each._replace(name=renamed.get(each.name, each.name)) for each in caller_parameters(old)]
    for kind, parameters, confidence, because in _command_relevant(
        old, new, _narrowed_parameters(before, caller_parameters(new), sure, why)
    ):
        about = f"{', '.join(f'`{each}`' for each in parameters)} of {name}" if parameters else name
        yield BreakingChange(kind, about, at, confidence, because)


def _renamed_parameters(before: Sequence[Parameter], after: Sequence[Parameter]) -> dict[str, str]:
    """Parameters with another name in the same position, old -> new."""
    old, new = ({each.name for each in side} for side in (before, after))
    return {
        was.name: now.name
        for was, now in zip(before, after, strict=False)
        if was.kind is now.kind is ParameterKind.POSITIONAL and was.name not in new and now.name not in old
    }


NarrowedParameters = tuple[BreakKind, list[str], float, str]
"""Parameters that can no longer be passed as before: the kind, their names, confidence and its reason."""


def _command_relevant(
    old: Function, new: Function, narrowed: Iterable[NarrowedParameters]
) -> Iterator[NarrowedParameters]:
    """Of the narrowed parameters of a command, those that its users notice: options removed or newly required.

    Where decorators tell the options, they also tell which must be given.
    """
    if not is_cli_command(old):
        yield from narrowed
        return
    kept = {PARAMETER_REMOVED} if declares_options(old, new) else {PARAMETER_REMOVED, PARAMETER_ADDED, _DEFAULT_REMOVED}
    for kind, parameters, sure, why in narrowed:
        named = [each for each in parameters if each not in INJECTED_PARAMETERS]
        if kind in kept and named:
            yield OPTION_REMOVED if kind is PARAMETER_REMOVED else kind, named, sure, why


def _narrowed_parameters(
    before: list[Parameter], after: list[Parameter], confidence: float, because: str
) -> Iterator[NarrowedParameters]:
    """Parameters that can no longer be passed as they were."""
    by_name = {each.name: each for each in after}
    takes_any = {each.kind for each in after}
    lost = [each.name for each in before if each.name not in by_name and not _is_still_accepted(each, takes_any)]
    if lost:
        yield PARAMETER_REMOVED, lost, confidence, because
    yield from ((kind, [name], confidence, because) for kind, name in _restricted_parameters(before, by_name))
    if _VARIADIC_KINDS & {each.kind for each in before} - takes_any:
        named = len(after) > len(before)
        yield (
            _NO_LONGER_VARIADIC,
            [],
            0.6 if named else min(confidence, 0.9),
            "the arguments that it used may be named parameters now"
            if named
            else because or "callers may not have passed any",
        )
    known = {each.name for each in before}
    asked = [each.name for each in after if each.name not in known and not each.has_default]
    asks = len(after) > len(before) and bool(asked)
    if asks:
        yield PARAMETER_ADDED, asked, confidence, because
    if not lost and not asks and (moved := _reordering_kind(before, after)):
        yield moved, _inserted(before, after) if moved is _PARAMETER_INSERTED else [], confidence, because


_VARIADIC_KINDS = frozenset({ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD})


def _binding_kind(function: Function) -> str:
    """How a method is accessed: plain, as a property, or without an instance."""
    marks = {each.rpartition(".")[2] for each in function.decorators}
    kinds = ("staticmethod", "classmethod", "property")
    return next((kind for kind in kinds if kind in marks), "property" if "cached_property" in marks else "")


def _restricted_parameters(
    before: list[Parameter], by_name: Mapping[str, Parameter]
) -> Iterator[tuple[BreakKind, str]]:
    """What parameters that remain no longer allow."""
    for each in before:
        kept = by_name.get(each.name)
        if kept is None:
            continue
        if each.has_default and not kept.has_default:
            yield _DEFAULT_REMOVED, each.name
        if each.kind in _POSITIONAL_KINDS and kept.kind is ParameterKind.KEYWORD_ONLY:
            yield _NO_LONGER_POSITIONAL, each.name
        if each.kind in _KEYWORD_KINDS and kept.kind is ParameterKind.POSITIONAL_ONLY:
            yield _NO_LONGER_KEYWORD, each.name


_POSITIONAL_KINDS = frozenset({ParameterKind.POSITIONAL, ParameterKind.POSITIONAL_ONLY})
_KEYWORD_KINDS = frozenset({ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY})


def _reordering_kind(before: list[Parameter], after: list[Parameter]) -> BreakKind | None:
    """The kind of break where a positional parameter changed its position; new ones at the end move none."""
    old = [each.name for each in before if each.kind in _POSITIONAL_KINDS]
    new = [each.name for each in after if each.kind in _POSITIONAL_KINDS]
    common = [name for name in old if name in new]
    if common != [name for name in new if name in old]:
        return PARAMETERS_REORDERED
    if any(old.index(name) < new.index(name) for name in common):
        return _PARAMETER_INSERTED
    return None


def _inserted(before: list[Parameter], after: list[Parameter]) -> list[str]:
    """New positional parameters in front of an old one."""
    known = {each.name for each in before}
    positional = [each.name for each in after if each.kind in _POSITIONAL_KINDS]
    last = max(place for place, name in enumerate(positional) if name in known)
    return [name for name in positional[:last] if name not in known]


def caller_parameters(function: Function) -> list[Parameter]:
    """All parameters but a method's own instance or class."""
    own = list(function.parameters)
    return own[1:] if function.class_name and own and own[0].name in {"self", "cls", "mcs"} else own


def _is_still_accepted(parameter: Parameter, kinds: set[ParameterKind]) -> bool:
    """Is a removed parameter still accepted by `*args` or `**kwargs`? Those themselves never count as lost."""
    if parameter.kind in (ParameterKind.VAR_KEYWORD, ParameterKind.VAR_POSITIONAL):
        return True
    if parameter.kind is ParameterKind.POSITIONAL_ONLY:
        return ParameterKind.VAR_POSITIONAL in kinds
    return ParameterKind.VAR_KEYWORD in kinds


_DECORATOR_REASON = "a decorator may change what callers have to pass"


_ASYNC_CHANGED = BreakKind(
    "Public function {} changed between `def` and `async def`",
    "{} public functions changed between `def` and `async def`: {}",
)
_PROPERTY_CHANGED = BreakKind(
    "Public method {} changed between method and property",
    "{} public methods changed between method and property: {}",
)
_NO_LONGER_CLASS_METHOD = BreakKind(
    "Public method {} can no longer be called on its class",
    "{} public methods can no longer be called on their classes: {}",
)
