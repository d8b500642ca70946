"""People's way in: parses options, builds the real objects once, maps outcomes to exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor import __version__
from auditor.domain import Conclusion, UserError

if TYPE_CHECKING:
    from auditor.domain import AuditReport

PASSED, FAILED, MISTAKE, BUG, INCONCLUSIVE = range(5)
EXIT_CODES = {
    PASSED: "the gate passed",
    FAILED: "the gate failed",
    MISTAKE: "a mistake in the options, the files or the repository given; one sentence says what to do",
    BUG: "a bug of the tool itself",
    INCONCLUSIVE: "inconclusive: something could not be judged, and nothing failed",
}
_BY_CONCLUSION = {Conclusion.PASSED: PASSED, Conclusion.FAILED: FAILED, Conclusion.INCONCLUSIVE: INCONCLUSIVE}
_INTERRUPTED = 130
_EPILOGUE = "\b\nExit codes:\n" + "\n".join(f"  {code}  {meaning}" for code, meaning in EXIT_CODES.items())


def run(arguments: Sequence[str]) -> int:
    """Run a command and give its exit code. Only a bug prints a traceback, and only with AUDITOR_DEBUG=1."""
    try:
        outcome = commands.main(list(arguments), prog_name="auditor", standalone_mode=False)
    except UserError as error:
        return _complain(str(error))
    except click.ClickException as error:
        return _complain(error.format_message(), usage=getattr(error, "ctx", None))
    except (KeyboardInterrupt, click.Abort):
        click.echo("auditor: interrupted; nothing was left behind.", err=True)
        return _INTERRUPTED
    except BrokenPipeError:
        return PASSED
    except Exception as error:
        if os.environ.get("AUDITOR_DEBUG"):
            raise
        click.echo(
            f"auditor: this is a bug of the tool, not a mistake of yours ({type(error).__name__}: {str(error)[:200]!r}). "
            "Set AUDITOR_DEBUG=1 for the traceback, and please report it.",
            err=True,
        )
        return BUG
    return outcome if isinstance(outcome, int) else PASSED


def _complain(message: str, usage: click.Context | None = None) -> int:
    lines = message.strip().splitlines()
    for line in lines:
        click.echo(_plain(f"auditor: {line}"), err=True)
    if usage is not None:
        click.echo(f"Try `{usage.command_path} --help`.", err=True)
    return MISTAKE


@click.group(epilog=_EPILOGUE, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="auditor")
def commands() -> None:
    r"""Audit a change, or a whole repository.

    Evidence comes from code and history, three judges are heard on every criterion of a rubric, and named rules make
    a verdict of it that can be explained and replayed.

    \b
    Examples:
      auditor audit .                            the whole tree of this repository
      auditor audit . --base main                what this branch changes
      auditor audit https://example.org/x.git    a remote repository
      auditor replay auditor-report/report.json  the same verdict again, offline
    """


def _minimum(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    """`CRITERION=N` options as a mapping."""
    found: dict[str, float] = {}
    for value in values:
        name, separator, number = value.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            separator = ""
        if not separator:
            raise click.BadParameter(f"{value!r} is not of the form CRITERION=N, such as security=4.")
    return found


@commands.command(epilog=_EPILOGUE)
@click.argument("target", metavar="TARGET")
@click.option(
    "--base",
    metavar="REF",
    help="Audit the change from the merge base with this branch, tag or commit. Without it the whole tree is audited.",
)
@click.option("--head", metavar="REF", help="Audit this commit instead of HEAD.")
@click.option("--rubric", metavar="NAME|FILE", help="The rubric: a built-in name or a file. Default: pull-request.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Use this configuration instead of .github/auditor.yml of the base.",
)
@click.option(
    "--judges",
    type=click.Choice(["embedded"]),
    default="embedded",
    show_default=True,
    help="Who judges. The embedded bench asks no model.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default=Path("auditor-report"),
    show_default=True,
    help="Where the reports go.",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(["json", "md"]),
    multiple=True,
    default=("json", "md"),
    show_default=True,
    help="Reports to write; may be given again.",
)
@click.option(
    "--fail-under", type=click.FloatRange(1, 5), metavar="N", help="Lowest overall score that passes the gate."
)
@click.option(
    "--min",
    "minimum",
    multiple=True,
    callback=_minimum,
    metavar="CRITERION=N",
    help="Lowest score of one criterion that passes; may be given again.",
)
@click.option(
    "--whole-tree", is_flag=True, help="With --base: count old violations too, not only those the change brings in."
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Keep what was seen in each file here. Default: auditor in the user's cache folder.",
)
@click.option("--no-cache", is_flag=True, help="Read every file afresh and keep nothing.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Processes that read files. Default: one for each processor, 8 at most.",
)
@click.option("--token-env", metavar="NAME", help="Environment variable with a token for an https TARGET.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 86400),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one git command may take.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print nothing but errors; the exit code and the reports tell.")
def audit(target: str, out: Path, formats: tuple[str, ...], *, quiet: bool, **options: Any) -> int:
    """Audit TARGET: a path (a repository, a folder of one, a bare repository) or an https, ssh or file URL.

    Only what is committed is audited. Nothing of the audited repository is checked out, imported or run.
    """
    with _Progress(quiet=quiet) as progress:
        report, notices = _audit(target, progress.step, **options)
    for line in notices:
        if not quiet:
            click.echo(_plain(line), err=True)
    trouble = _write(report, out, formats)
    if not quiet:
        _show(report)
        if trouble is None:
            click.echo(f"\n Reports: {', '.join(str(out / f'report.{each}') for each in formats)}")
    if trouble is not None:
        raise trouble
    return _BY_CONCLUSION[report.verdict.conclusion]


def _audit(  # noqa: PLR0913 - one parameter an option: this is where they are told apart
    target: str,
    step: Callable[[str, int, int], None],
    *,
    base: str | None,
    head: str | None,
    rubric: str | None,
    config: Path | None,
    judges: str,  # noqa: ARG001 - one bench so far; the option is part of the interface
    fail_under: float | None,
    minimum: dict[str, float],
    whole_tree: bool,
    cache: Path | None,
    no_cache: bool,
    jobs: int | None,
    token_env: str | None,
    timeout: float,
) -> tuple[AuditReport, tuple[str, ...]]:
    """Build the real objects and run the pipeline."""
    from auditor import pipeline, settings
    from auditor.domain import Subject
    from auditor.forensics import engine, ruff
    from auditor.judges import EmbeddedBench
    from auditor.repo import open_repository
    from auditor.report import redact_evidence

    step("Opening the repository", 0, 0)
    with open_repository(target, base=base, head=head, timeout=timeout, token=_token(token_env)) as repo:
        settled = settings.resolve(settings.Wishes(rubric, config, fail_under, minimum, whole_tree), repo)
        options = engine.Options(
            jobs=jobs or engine.Options().jobs,
            cache=None if no_cache else cache or _default_cache(),
            whole_tree=settled.whole_tree,
            exclude=settled.exclude,
            progress=step,
        )
        subject = Subject(
            repository=repo.name,
            head=repo.head,
            base=repo.base,
            merge_base=repo.merge_base,
            scope=pipeline.scope_of(repo.merge_base, whole_tree=settled.whole_tree),
            folder=repo.folder,
        )
        steps = pipeline.Steps(
            gather=lambda about, probes: engine.gather(repo, about, probes, options),
            redact=redact_evidence,
            bench=EmbeddedBench(),
            advice=engine.advice(),
            libraries={"ruff": ruff.version()},
        )
        report = pipeline.audit(repo, subject, settled.charge, steps)
        return report, (*repo.notices, *settled.notices)


def _token(name: str | None) -> str | None:
    if name is None:
        return None
    if not os.environ.get(name):
        raise UserError(f"--token-env names {name}, which is not set: export it, or leave the option out.")
    return os.environ[name]


def _default_cache() -> Path | None:
    """`auditor` in the user's cache folder; none when there is no home to keep it in."""
    root = os.environ.get("XDG_CACHE_HOME")
    if root and Path(root).is_absolute():
        return Path(root) / "auditor"
    home = Path.home() if os.environ.get("HOME") else None
    return home / ".cache" / "auditor" if home and os.access(home, os.W_OK) else None


def _write(report: AuditReport, out: Path, formats: tuple[str, ...]) -> UserError | None:
    """Write the reports; trouble with that is given back, so that the verdict is still shown."""
    from auditor.report import markdown, to_json

    writers: dict[str, Callable[[AuditReport], str]] = {"json": to_json, "md": markdown}
    try:
        out.mkdir(parents=True, exist_ok=True)
        for each in dict.fromkeys(formats):
            (out / f"report.{each}").write_text(writers[each](report), encoding="utf-8", newline="\n")
    except OSError as error:
        return UserError(
            f"the reports could not be written to {out} ({error.strerror}): give another folder with --out."
        )
    return None


def _show(report: AuditReport) -> None:
    from rich.console import Console

    from auditor.report.terminal import print_verdict

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console = Console(highlight=False, markup=False, emoji=False, width=100, color_system=None)
    print_verdict(report, console)


def _plain(text: str) -> str:
    from auditor.report.escaping import for_terminal

    return for_terminal(text)


class _Progress:
    """One line on stderr that tells what is being done, on a terminal only."""

    def __init__(self, *, quiet: bool) -> None:
        self._status: Any = None
        self._wanted = not quiet and sys.stderr.isatty()

    def __enter__(self) -> _Progress:
        if self._wanted:
            from rich.console import Console

            self._status = Console(stderr=True).status("Starting")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def step(self, what: str, done: int, total: int) -> None:
        """Say what is being done, and how far it has come."""
        if self._status is not None and (not total or done % 25 == 0 or done == total):
            self._status.update(f"{what} {done:,}/{total:,}" if total else what)


@commands.command(epilog=_EPILOGUE)
@click.argument("record", type=click.Path(path_type=Path), metavar="REPORT.JSON")
@click.option("--rubric", metavar="NAME|FILE", help="Derive it by another rubric and say what that would change.")
def replay(record: Path, rubric: str | None) -> int:
    """Derive the verdict of a record again, offline, from its evidence and opinions.

    Says "same", or "different" and where. Ends with 0 when it is the same and with 1 when it is not.
    """
    from auditor import rubric as rubrics
    from auditor import settings, synthesis
    from auditor.report import from_json

    try:
        text = record.read_bytes()
    except OSError as error:
        raise UserError(
            f"{record} cannot be read ({error.strerror}): give the report.json that an audit wrote."
        ) from error
    report = from_json(text, str(record))
    chosen = settings.named_rubric(rubric)[0] if rubric else None
    if rubrics.digest(report.rubric.definition) != report.rubric.digest:
        click.echo(
            "different: the rubric on the record does not have the digest on the record, so one of them was changed"
        )
        return FAILED
    compared = synthesis.replay(report, chosen)
    if compared.same:
        click.echo(f"same: {compared.verdict.conclusion.value}, overall {compared.verdict.overall}")
        return PASSED
    click.echo(f"different in {len(compared.differences)} {'place' if len(compared.differences) == 1 else 'places'}:")
    for each in compared.differences:
        click.echo(_plain(f"  {each.path}: recorded {each.recorded!r}, derived {each.derived!r}"))
    return FAILED


@commands.group()
def rubric() -> None:
    """List, show and check rubrics."""


@rubric.command("list")
def rubric_list() -> None:
    """List the built-in rubrics."""
    from auditor import rubric as rubrics

    for name in rubrics.names():
        found = rubrics.built_in(name)
        click.echo(f"{name}  {len(found.criteria)} criteria, {len(found.probes())} probes. {found.about}")


@rubric.command("show")
@click.argument("name")
def rubric_show(name: str) -> None:
    """Print a built-in rubric, ready to be copied and changed."""
    from auditor import rubric as rubrics

    rubrics.built_in(name)
    click.echo(rubrics.source(name), nl=False)


@rubric.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def rubric_check(file: Path) -> None:
    """Check a rubric file: all mistakes at once, each with its line."""
    from auditor import rubric as rubrics
    from auditor.forensics.probe import discovered

    try:
        content = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read ({error.strerror}): give the path of a rubric.") from error
    found = rubrics.load(content, str(file))
    strangers = rubrics.unknown_probes(found, discovered())
    if strangers:
        raise UserError("\n".join(f"{file}: {each}" for each in strangers))
    click.echo(f"{file}: fine: {len(found.criteria)} criteria, {len(found.probes())} probes.")


@commands.command()
@click.argument("what", type=click.Choice(["report", "rubric", "config"]), default="report")
def schema(what: str) -> None:
    """Print the JSON Schema of a record, a rubric or the configuration file."""
    from auditor import report, settings
    from auditor import rubric as rubrics

    makers: dict[str, Callable[[], dict[str, Any]]] = {
        "report": report.schema,
        "rubric": rubrics.schema,
        "config": settings.schema,
    }
    click.echo(json.dumps(makers[what](), indent=2))
