"""What leaves the command: the verdict on the terminal, reports on disk, progress while one waits."""

from __future__ import annotations

import errno
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import click

from auditor.user_error import UserError

if TYPE_CHECKING:
    from rich.console import Console

    from auditor.domain import AuditReport

_PIPE_WIDTH = 100
_UPDATE_INTERVAL = 25
"""Files between two updates of the progress line."""


def terminal_text(text: str) -> str:
    """Text that may quote foreign names, harmless for a terminal."""
    from auditor.report.escaping import for_terminal

    return for_terminal(text)


def say(text: str, *, coloured: bool = False) -> None:
    """Print to the standard output. A reader that has left, as `head` does, is no trouble; a full disk is.

    Raises UserError when the text could not be written.
    """
    try:
        click.echo(text, color=coloured)
    except OSError as error:
        _redirect_to_null(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            raise UserError(
                f"the standard output cannot be written ({error.strerror}): redirect it to another place."
            ) from error


def warn(text: str) -> None:
    """Print to the error output, if it can be written: the exit code has the result in any case."""
    with suppress(OSError):
        click.echo(terminal_text(text), err=True)


def _redirect_to_null(stream: IO[str]) -> None:
    """Redirect the stream to the null device, so that flushing it at exit raises no second error."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, stream.fileno())
    finally:
        os.close(nothing)


def replace_unencodable() -> None:
    """Print `?` in place of characters that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def print_report(report: AuditReport) -> None:
    """Print the verdict, in colour on a terminal."""
    from auditor.report.terminal_report import print_verdict

    print_drawn(lambda console: print_verdict(report, console))


def print_drawn(draw: Callable[[Console], None]) -> None:
    """Print what is drawn on a console, in colour on a terminal. Raises UserError when it could not be written."""
    page = _CapturedOutput()
    console = _make_console(page)
    draw(console)
    drawn = page.getvalue().rstrip("\n")
    say(drawn if console.is_terminal else _without_padding(drawn), coloured=console.is_terminal)


def drawn_text(draw: Callable[[Console], None]) -> str:
    """What is drawn on a console, as plain text for a file."""
    from rich.console import Console

    page = io.StringIO()
    draw(Console(file=page, highlight=False, markup=False, emoji=False, width=_PIPE_WIDTH, color_system=None))
    return _without_padding(page.getvalue().rstrip("\n")) + "\n"


def _without_padding(drawn: str) -> str:
    """The text without the blanks that rich fills lines up with."""
    return "\n".join(line.rstrip() for line in drawn.split("\n"))


class _CapturedOutput(io.StringIO):
    """What the verdict is drawn on: it answers as the standard output would, and only keeps what it gets.

    Rich itself would end the process, with an exit code of its own, when the reader has left.
    """

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(sys.stdout, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        return sys.stdout is not None and sys.stdout.isatty()


def _make_console(page: _CapturedOutput) -> Console:
    from rich.console import Console

    console = Console(file=page, highlight=False, markup=False, emoji=False)
    if console.is_terminal or "COLUMNS" in os.environ:
        return console
    return Console(file=page, highlight=False, markup=False, emoji=False, width=_PIPE_WIDTH, color_system=None)


@contextmanager
def prepare_folder(folder: Path, formats: tuple[str, ...]) -> Iterator[None]:
    """A folder in which reports can be written, tried before an audit is waited and paid for.

    Folders made for it are taken away again when nothing came to stand in them. Raises UserError.
    """
    made: list[Path] = []
    try:
        if folder.is_file():
            raise NotADirectoryError(errno.ENOTDIR, "it is a file")
        made += [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        for each in formats:
            if (folder / f"report.{each}").is_dir():
                raise IsADirectoryError(errno.EISDIR, f"report.{each} is a folder")
    except OSError as error:
        _remove_empty(made)
        raise UserError(
            f"no reports can be written to {folder} ({error.strerror}): give another folder with --out."
        ) from error
    try:
        yield
    finally:
        _remove_empty(made)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, as far as they are empty."""
    for each in folders:
        with suppress(OSError):
            each.rmdir()


def write(report: AuditReport, folder: Path, formats: tuple[str, ...]) -> tuple[tuple[Path, ...], UserError | None]:
    """Write the reports: those that were written, and what kept the others from it, so that the verdict is still shown.

    A report is written beside its place and then moved there: it is whole, or what stood there before. What cannot be
    written to the folder goes to a new one among the temporary files: a verdict may have cost money.
    """
    try:
        return _write_files(report, folder, formats), None
    except OSError as error:
        trouble = f"the reports could not be written to {folder} ({error.strerror})"
    try:
        elsewhere = Path(tempfile.mkdtemp(prefix="auditor-report-"))
        written = _write_files(report, elsewhere, formats)
    except OSError as error:
        return (), UserError(f"{trouble}, nor to the temporary folder ({error.strerror}): free some space.")
    return written, UserError(f"{trouble}; they are in {elsewhere} instead.")


def _write_files(report: AuditReport, folder: Path, formats: tuple[str, ...]) -> tuple[Path, ...]:
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for each in dict.fromkeys(formats):
        with _atomic_path(folder / f"report.{each}") as beside:
            beside.write_text(_WRITERS[each](report), encoding="utf-8", newline="\n")
        written.append(folder / f"report.{each}")
    return tuple(written)


def write_file(text: str, file: Path) -> None:
    """Write a file whole, or leave what was there. Raises UserError with the system's reason."""
    try:
        with _atomic_path(file) as beside:
            beside.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): give another file with --out.") from error


def _json(report: AuditReport) -> str:
    from auditor.report.report_json import to_json

    return to_json(report)


def _md(report: AuditReport) -> str:
    from auditor.report.markdown_report import markdown

    return markdown(report)


def _sarif(report: AuditReport) -> str:
    from auditor.cli.installed_source import installed_tool_home
    from auditor.forensics.engine.rule_texts import rule_texts
    from auditor.report.github_links import Links
    from auditor.report.sarif_report import sarif

    return sarif(report, Links(tool=installed_tool_home()), rule_texts())


def _html(report: AuditReport) -> str:
    from auditor.report.html_report import html

    return html(report)


_WRITERS: dict[str, Callable[[AuditReport], str]] = {"json": _json, "md": _md, "sarif": _sarif, "html": _html}
FORMATS = tuple(_WRITERS)


@contextmanager
def _atomic_path(path: Path) -> Iterator[Path]:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


class StatusLine:
    """One line on stderr, on a terminal only."""

    def __init__(self, first: str, *, quiet: bool) -> None:
        self._first = first
        self._status: Any = None
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        if self._wanted:
            from rich.console import Console

            self._status = Console(stderr=True).status(self._first)
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()


class Progress(StatusLine):
    """The step of an audit that is being done."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__("Starting", quiet=quiet)

    def step(self, what: str, done: int, total: int) -> None:
        """Say what is being done, and how far it has come."""
        if self._status is not None and (not total or done % _UPDATE_INTERVAL == 0 or done == total):
            self._status.update(f"{what} {done:,}/{total:,}" if total else what)
