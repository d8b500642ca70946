"""Something done in a thread while the main one continues. Its result, or its exception, waits until it is asked for.

It must start no process: one that is forked in the meantime would hold the other's pipes open.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class BackgroundTask(Generic[Result]):
    """Runs work in a thread, started by `begin` or `result`. The work must end by itself or by its owner."""

    def __init__(self, work: Callable[[], Result], name: str = "beside") -> None:
        self._work = work
        self._outcome: list[Result] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._start_lock = threading.Lock()

    def begin(self) -> None:
        """Start, unless it has started."""
        with self._start_lock:
            if self._thread.ident is None:
                self._thread.start()

    def result(self) -> Result:
        """What came of it. Raises what it raised."""
        self.begin()
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._outcome[0]

    def wait(self) -> None:
        """Until it has come to its end, whatever came of it; not at all where it never started."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._outcome.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again where the result is asked for
            self._error = error
