"""Starting, feeding, bounding and ending git processes. GitPython starts them; their bytes are read here."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from auditor.domain import UserError
from auditor.repo.git_hardening import git_command, git_environment

CHUNK_BYTES = 1 << 16
MINIMUM_GIT = (2, 36)
_GIT_MISSING_MESSAGE = "git was not found: install git 2.36 or newer and put it on PATH."
_COMMAND_NOT_FOUND = 127
"""Exit code of a shell for a command that does not exist."""
_EXIT_GRACE_SECONDS = 2.0
"""Seconds a process gets to exit by itself once its output is malformed."""
_MAX_ERROR_BYTES = 1 << 16
_MAX_QUOTE = 300
_PIPE_BYTES = 1 << 20
"""Bytes that a pipe holds: what Linux lets every user ask for."""


class GitFailed(Exception):
    """A git process ended badly. `errors` is what it wrote, decoded and cut."""

    def __init__(self, subcommand: str, code: int, errors: str) -> None:
        super().__init__(f"git {subcommand} ended with {code}: {errors.strip()[-400:]}")
        self.verb = subcommand
        self.code = code
        self.errors = errors


class GitTimedOut(UserError):
    """A git process took longer than it may."""


@dataclass
class GitProcess:
    """A running git process: its pipes, and the error output so far."""

    stdin: IO[bytes] | None
    stdout: IO[bytes]
    errors: bytearray = field(default_factory=bytearray)
    ended_early: bool = False


@dataclass
class Git:
    """Runs git on one bare repository of our own. `home` holds its configuration, readable by us alone."""

    home: Path
    git_dir: Path
    timeout: float
    protocols: str = ""
    id_length: int = 40
    settings: tuple[str, ...] = ()
    """More settings, as `key=value`; they win over all others."""
    pass_fds: tuple[int, ...] = ()
    """Open files of ours that git and what it starts may read."""
    processes: int = 0
    _under_way: set[subprocess.Popen[bytes]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @cached_property
    def version(self) -> str:
        """Version of git, as `2.39.5`. Raises UserError when there is none, it does not run or is too old to be safe."""
        try:
            printed = self.run("version", limit=1 << 12)
        except GitFailed as failed:
            if failed.code == _COMMAND_NOT_FOUND:
                raise UserError(_GIT_MISSING_MESSAGE) from failed
            said = failed.errors.strip().rpartition("\n")[2][:_MAX_QUOTE]
            raise UserError(
                f"git cannot be run (`git version` ended with {failed.code}{f': {said}' if said else ''}): "
                "repair or reinstall it; on macOS run `xcode-select --install` and accept the Xcode license."
            ) from failed
        parts = re.findall(rb"\d+", printed)[:3]
        if tuple(map(int, parts[:2])) < MINIMUM_GIT:
            raise UserError("git is too old: install git 2.36 or newer and put it first on PATH.")
        return b".".join(parts).decode("ascii")

    def end(self) -> None:
        """Kill every process that still runs, in whatever thread it was started."""
        for process in tuple(self._under_way):
            _kill(process)

    def run(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        limit: int = 1 << 28,
        variables: dict[str, str] | None = None,
        network: bool = False,
        timeout: float | None = None,
        stop_when: bytes | None = None,
    ) -> bytes:
        """Run git to its end and give what it printed.

        Raises GitFailed on a bad exit or more than `limit` bytes, GitTimedOut after `timeout` seconds. With
        `stop_when`, the process is ended as soon as its error output holds those bytes; that is a failure too.
        """
        return self.begin(
            *arguments,
            stdin=stdin,
            limit=limit,
            variables=variables,
            network=network,
            timeout=timeout,
            stop_when=stop_when,
        )()

    def begin(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        limit: int = 1 << 28,
        variables: dict[str, str] | None = None,
        network: bool = False,
        timeout: float | None = None,
        stop_when: bytes | None = None,
    ) -> Callable[[], bytes]:
        """Start git now; what is returned waits for its end and gives what it printed, once. Raises as `run` does."""
        under_way = ExitStack()
        running = under_way.enter_context(
            self.start(
                *arguments,
                fed=stdin is not None,
                variables=variables,
                network=network,
                timeout=timeout,
                stop_when=stop_when,
            )
        )
        if running.stdin is not None:
            threading.Thread(target=_write_stdin, args=(running.stdin, stdin or b""), daemon=True).start()
        output: list[bytes] = []  # read at once: whoever asks for it late must not keep git waiting
        reader = threading.Thread(target=lambda: output.append(running.stdout.read(limit + 1)), daemon=True)
        reader.start()

        def printed() -> bytes:
            with under_way:
                reader.join()
                if len(b"".join(output)) > limit:
                    raise GitFailed(arguments[0], 0, f"more than {limit} bytes of output")
            return b"".join(output)

        return printed

    @contextmanager
    def start(
        self,
        *arguments: str,
        fed: bool = False,
        variables: dict[str, str] | None = None,
        network: bool = False,
        timeout: float | None = None,
        stop_when: bytes | None = None,
    ) -> Iterator[GitProcess]:
        """Start git and hand out its pipes; on leaving, see it ended and raise GitFailed when it ended badly.

        Leaving before the output is read to its end kills the process without complaint.
        """
        handle = self._begun(arguments, variables or {}, fed=fed, network=network)  # let go of, it ends the process
        process: subprocess.Popen[bytes] = handle.proc
        assert process.stdout is not None
        running = GitProcess(process.stdin, process.stdout)
        seconds = self.timeout if timeout is None else timeout
        expired = threading.Event()
        timer = threading.Timer(seconds, _kill_on_timeout, args=(process, expired))
        timer.daemon = True
        timer.start()
        listener = threading.Thread(target=_drain_errors, args=(process, running, stop_when), daemon=True)
        listener.start()
        cut_short: Exception | None = None
        own_end = False
        try:
            yield running
            finished = not process.stdout.read(1)
            if finished:
                process.wait()
        except (ValueError, EOFError, BrokenPipeError) as error:
            # Output that ends in the middle: when git failed or was ended, that is the cause to tell.
            cut_short = error
            own_end = _has_exited(process)
        finally:
            timer.cancel()
            code = _exit_code(process)
            self._under_way.discard(process)
            listener.join(timeout=5)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    _close(pipe)
        if expired.is_set():
            raise GitTimedOut(
                f"git {arguments[0]} took longer than {seconds:g} seconds: raise --timeout or audit a smaller range."
            )
        if cut_short is not None and (not own_end or not code):
            raise cut_short
        if running.ended_early or code not in (0, None):
            raise GitFailed(arguments[0], code or -1, running.errors.decode(errors="replace"))

    def _begun(self, arguments: tuple[str, ...], variables: dict[str, str], *, fed: bool, network: bool) -> Any:
        """Start a process, to be ended with all the others: GitPython's handle of it. Raises UserError where there is no git."""
        commander = _git_launcher(self.home)
        from git import exc

        shown = git_environment(self.home, protocols=self.protocols if network else "", id_length=self.id_length)
        shown.update(variables)
        with self._lock:  # history is read in a thread of its own
            self.processes += 1
        try:
            handle = commander.execute(
                git_command(shown, self.git_dir, arguments, self.settings),
                istream=subprocess.PIPE if fed else None,
                as_process=True,
                start_new_session=True,
                umask=0o077,
                pass_fds=self.pass_fds,
            )
        except exc.GitCommandNotFound as error:
            raise UserError(_GIT_MISSING_MESSAGE) from error
        assert handle.proc is not None
        self._under_way.add(handle.proc)
        return handle


class ReadAhead:
    """What a process prints, read as it arrives, so that the process does not wait for the reader.

    At most `most` bytes are held; what lies beyond is read from the pipe when all before it was asked for.
    """

    def __init__(self, pipe: IO[bytes], max_bytes: int) -> None:
        self._pipe = pipe
        self._most = max_bytes
        self._held = BytesIO()
        _enlarge_pipe(pipe)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def read(self, size: int) -> bytes:
        """Up to so many bytes; none at the end."""
        self._thread.join()
        return self._held.read(size) or self._pipe.read(size)

    def _run(self) -> None:
        self._held = BytesIO(self._pipe.read(self._most))


def _enlarge_pipe(pipe: IO[bytes]) -> None:
    """Let a pipe hold a megabyte where the system can: each time it is emptied, its reader waits for the interpreter's lock."""
    if not hasattr(fcntl, "F_SETPIPE_SZ"):
        return
    with suppress(OSError):  # a limit of the user's: it stays as narrow as it is
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _git_launcher(home: Path) -> Any:
    """GitPython's process layer, started in a folder of our own."""
    return _git_module().Git(str(home))


@cache
def _git_module() -> Any:
    """GitPython's module of processes.

    When it is imported it runs `git version` with the environment as it is. It is told of a program that cannot be run
    and to keep quiet about it: git is only ever started by its full, hardened command.
    """
    told = {"GIT_PYTHON_GIT_EXECUTABLE": os.devnull, "GIT_PYTHON_REFRESH": "quiet"}
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        from git import cmd
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    return cmd


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """The exit code of a process; None for one that has to be killed."""
    code = process.poll()
    if code is None:
        _kill(process)
        process.wait()
    return code


def _has_exited(process: subprocess.Popen[bytes]) -> bool:
    """Did the process exit by itself?"""
    try:
        process.wait(timeout=_EXIT_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _write_stdin(pipe: IO[bytes], data: bytes) -> None:
    try:
        pipe.write(data)
    except (BrokenPipeError, ValueError):
        return  # git ended first; its exit code tells why
    finally:
        _close(pipe)


def _drain_errors(process: subprocess.Popen[bytes], running: GitProcess, stop_when: bytes | None) -> None:
    """Drain the error output, keeping its start, so that a chatty git never blocks."""
    assert process.stderr is not None
    while chunk := os.read(process.stderr.fileno(), CHUNK_BYTES):
        if len(running.errors) < _MAX_ERROR_BYTES:
            running.errors += chunk
        if stop_when is not None and stop_when in running.errors:
            running.ended_early = True
            _kill(process)


def _kill_on_timeout(process: subprocess.Popen[bytes], expired: threading.Event) -> None:
    if process.poll() is None:  # else it ended in time, and nobody has asked for its output yet
        expired.set()
        _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and all it started: it leads a group of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # all of the group has ended


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except (BrokenPipeError, ValueError):
        return  # nothing more can be lost: the process is gone
