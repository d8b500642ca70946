"""What is worked out once about a file or a program, however often it is asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class HasMemory(Protocol):
    """What is asked about, with room for answers."""

    memory: dict[object, Any]


Holder = TypeVar("Holder", bound=HasMemory)
About = ParamSpec("About")
Answer = TypeVar("Answer")


def remembered(answer: Callable[Concatenate[Holder, About], Answer]) -> Callable[Concatenate[Holder, About], Answer]:
    """The same function, which keeps what it answers in the memory of its first argument, by all others."""

    @wraps(answer)
    def recall(holder: Holder, /, *about: About.args, **named: About.kwargs) -> Answer:
        key = (answer, *about, *named.values())
        if key not in holder.memory:
            holder.memory[key] = answer(holder, *about, **named)
        known: Answer = holder.memory[key]
        return known

    return recall
