"""One small process beside each process of the suite, for audits.

An audit forks workers, and a fork costs what the page tables of the forking process cost. A process that has collected
the whole suite is several times as large as one that only audits, and thousands of audits are made.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_AUDITS_BETWEEN_SWEEPS = 200
"""Each audit leaves some rubbish frozen; too much of it, and forks cost more. A sweep takes a tenth of a second."""


class _Place:
    """Where audits are made."""

    here = 0
    """How many of those who asked for the test's own process are still at it."""
    audits = 0
    """How many this process has made for another one."""


@contextmanager
def in_this_process() -> Iterator[None]:
    """Make audits in this process: a test has changed something in it, or records what runs."""
    _Place.here += 1
    try:
        yield
    finally:
        _Place.here -= 1


def in_small_process(work: Callable[_P, _T]) -> Callable[_P, _T]:
    """`work`, a function of a module, done in the small process; all that it is given and gives is pickled."""

    def call(*arguments: _P.args, **more: _P.kwargs) -> _T:
        if _Place.here:
            return work(*arguments, **more)
        return _executor(os.getpid()).submit(_swept, work, arguments, more).result()

    return call


def _swept(work: Callable[..., _T], arguments: tuple[Any, ...], more: dict[str, Any]) -> _T:
    """The work; now and then, what was frozen at it and is not used any more is freed behind it."""
    try:
        return work(*arguments, **more)
    finally:
        _Place.audits += 1
        if _Place.audits % _AUDITS_BETWEEN_SWEEPS == 0:
            gc.unfreeze()
            gc.collect()
            gc.freeze()


@cache
def _executor(_process: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, context, initializer=_begin)


def _begin() -> None:
    from tests.warm import prepare_forks

    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare_forks()


def _end_with_parent() -> None:
    """End when the suite is killed: nobody sends work any more, and the queue does not say so."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)
