"""The audit command: its options, and the real objects built once from them."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.cli.audit_output import FORMATS, Progress, prepare_folder, print_report, say, terminal_text, warn, write
from auditor.cli.exit_codes import BY_CONCLUSION, EPILOGUE
from auditor.cli.judge_options import judging_options, take_bench_settings
from auditor.cli.platform_support import require_unix
from auditor.user_error import UserError

if TYPE_CHECKING:
    from auditor.audit_builder import AuditRequest
    from auditor.domain import Description
    from auditor.judges.bench_factory import BenchSettings

_MAX_JOBS = 64
_DAY_SECONDS = 86400


class Score(click.FloatRange):
    """A number between two bounds. click takes `nan` to be between any two."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number of an option."""
        found = float(super().convert(value, param, ctx))
        if math.isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


def parse_minimum(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
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


@click.command(epilog=EPILOGUE, short_help="Audit a repository or a change.")
@click.argument("target", metavar="TARGET")
@click.option(
    "--base",
    metavar="REF",
    help="Audit the change since the merge base with this branch, tag or commit. Default: audit the whole tree.",
)
@click.option("--head", metavar="REF", help="Audit this commit instead of HEAD.")
@click.option(
    "--rubric",
    metavar="NAME|FILE",
    help="Use this built-in rubric or rubric file. Default: the one that the configuration names, else pull-request.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Use this configuration file instead of .github/auditor.yml of the base.",
)
@judging_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default=Path("auditor-report"),
    show_default=True,
    help="Write the reports to this folder.",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(FORMATS),
    multiple=True,
    default=("json", "md"),
    show_default=True,
    help="Write this kind of report. Can be repeated.",
)
@click.option("--fail-under", type=Score(1, 5), metavar="N", help="Lowest overall score that passes the gate.")
@click.option(
    "--min",
    "minimum",
    multiple=True,
    callback=parse_minimum,
    metavar="CRITERION=N",
    help="Lowest score of one criterion that passes the gate. Can be repeated.",
)
@click.option(
    "--whole-tree", is_flag=True, help="With --base: count existing findings too, not only those that the change adds."
)
@click.option(
    "--description",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --base: the description of the pull request, with its title on the first line. Its claims are checked against the change.",
)
@click.option(
    "--report",
    "reports",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Check what this report on the system claims against the code (PDF, DOCX, Markdown, reStructuredText or text). Can be repeated.",
)
@click.option(
    "--repository",
    metavar="NAME",
    help="Name of the repository in the reports. Default: the folder or the URL of TARGET.",
)
@click.option(
    "--pull-request",
    type=click.IntRange(1),
    metavar="N",
    help="With --base: number of the pull request in the reports.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Cache the analysis of each file in this folder. Default: auditor in the cache folder of the user.",
)
@click.option("--no-cache", is_flag=True, help="Analyse every file again and cache nothing.")
@click.option(
    "--jobs",
    type=click.IntRange(1, _MAX_JOBS),
    metavar="N",
    help="Number of worker processes. Default: one per processor, at most 8.",
)
@click.option("--token-env", metavar="NAME", help="Environment variable that holds a token for an https TARGET.")
@click.option(
    "--timeout",
    type=Score(1, _DAY_SECONDS),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="Timeout of one git command.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
def audit(target: str, out: Path, formats: tuple[str, ...], *, quiet: bool, **options: Any) -> int:
    """Audit TARGET: a repository, a folder in one, a bare repository, or an https, ssh or file URL.

    Only committed files are audited. No code of the audited repository is checked out, imported or run.

    \b
    Examples:
      auditor audit . --base main                          audit what this branch changes
      auditor audit . --base main --min security=4         fail if security scores below 4
      auditor audit . --base main --judges claude          let a model judge (needs ANTHROPIC_API_KEY)
      auditor audit . --format html --format sarif         write other reports
      auditor audit . --rubric agent-swarm --report a.pdf  audit an agent system and a report on it
    """  # noqa: D301 - click reads the backspace as "do not wrap"
    require_unix()
    from auditor.audit_builder import run_audit

    order = _make_request(target, take_bench_settings(options), **options)
    with prepare_folder(out, formats):
        with Progress(quiet=quiet) as progress:
            carried = run_audit(order, progress.step)
        report, notices = carried.report, carried.notices
        written, trouble = write(report, out, formats)
    if not quiet:
        for line in notices:
            warn(line)
        print_report(report)
        if written:
            say(f"\n Reports: {terminal_text(', '.join(map(str, written)))}")
    if trouble is not None:
        raise trouble
    return BY_CONCLUSION[report.verdict.conclusion]


def _make_request(  # noqa: PLR0913 - one parameter an option: this is where they are told apart
    target: str,
    bench_settings: BenchSettings,
    *,
    base: str | None,
    head: str | None,
    rubric: str | None,
    config: Path | None,
    fail_under: float | None,
    minimum: dict[str, float],
    whole_tree: bool,
    description: Path | None,
    reports: tuple[Path, ...],
    repository: str | None,
    pull_request: int | None,
    cache: Path | None,
    no_cache: bool,
    jobs: int | None,
    token_env: str | None,
    timeout: float,
) -> AuditRequest:
    """The audit request that the options make up."""
    from auditor.audit_builder import AuditRequest, default_cache
    from auditor.domain import Scope
    from auditor.settings import RequestedSettings

    if whole_tree and base is None:
        raise UserError("--whole-tree needs --base: without --base the whole tree is audited anyway.")
    if description is not None and base is None:
        raise UserError("--description needs --base: a description is checked against a change.")
    if pull_request is not None and base is None:
        raise UserError("--pull-request needs --base: a pull request is a change.")
    return AuditRequest(
        target=target,
        repository=_require_printable(repository),
        pull_request=pull_request,
        base=base,
        head=head,
        token=_read_token(token_env),
        timeout=timeout,
        requested_settings=RequestedSettings(
            rubric, config, fail_under, minimum, Scope.WHOLE_TREE if whole_tree else None
        ),
        bench_settings=bench_settings,
        environment=os.environ,
        cache=None if no_cache else cache or default_cache(),
        jobs=jobs,
        description=_read_description(description),
        reports=reports,
    )


def _require_printable(repository: str | None) -> str | None:
    if repository is not None and not (repository.strip() and repository.isprintable()):
        raise UserError("--repository is empty or holds control characters: give a name or an address.")
    return repository


def _read_description(file: Path | None) -> Description | None:
    """Title and text from a file shaped like a commit message."""
    from auditor.domain import Description

    if file is None:
        return None
    try:
        said = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(
            f"--description {file} cannot be read ({error.strerror}): give the path of a text file."
        ) from error
    title, _, body = said.strip().partition("\n")
    return Description(title, body.strip("\n"))


def _read_token(name: str | None) -> str | None:
    if name is None:
        return None
    if not os.environ.get(name):
        raise UserError(f"--token-env names {name}, which is not set: export it, or remove the option.")
    return os.environ[name]
