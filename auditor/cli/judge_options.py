"""Options that say who judges, and the settings made of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.user_error import UserError

if TYPE_CHECKING:
    from auditor.judges.bench_factory import BenchSettings

_OPTION_NAMES = (
    "judges",
    "provider",
    "model",
    "persona_model",
    "effort",
    "answer_tokens",
    "evidence_tokens",
    "exhibits",
    "prompt_tokens",
    "max_tokens",
    "max_usd",
    "judge_seconds",
    "base_url",
    "key_env",
    "replay",
)
_DAY_SECONDS = 86_400


def _parse_persona_models(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """`PERSONA=MODEL` options as a mapping."""
    found: dict[str, str] = {}
    for value in values:
        name, separator, model = value.partition("=")
        if not separator or not name.strip() or not model.strip():
            raise click.BadParameter(f"{value!r} is not of the form PERSONA=MODEL, such as tech_lead=claude-opus-5-5.")
        found[name.strip()] = model.strip()
    return found


def _parse_usd(_context: click.Context, _parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not (0 < value < math.inf):
        raise click.BadParameter(f"{value!r} is not an amount above 0.")
    return value


_OPTIONS = (
    click.option(
        "--judges",
        type=click.Choice(["embedded", "claude", "auto"]),
        default="embedded",
        show_default=True,
        help="Who judges: embedded (scoring policies, no model), claude (a model), or auto (a model if there is a key).",
    ),
    click.option("--model", metavar="NAME", help="Model that judges. Default: claude-sonnet-5-5."),
    click.option(
        "--persona-model",
        multiple=True,
        callback=_parse_persona_models,
        metavar="PERSONA=MODEL",
        help="Another model for one persona. Can be repeated.",
    ),
    click.option(
        "--max-usd",
        type=float,
        callback=_parse_usd,
        metavar="N",
        help="Budget of the audit in US dollars. Default: 2.00.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(1_000),
        metavar="N",
        help="Limit on input and output tokens of the audit. Default: 600000.",
    ),
    click.option(
        "--evidence-tokens",
        type=click.IntRange(1_000),
        metavar="N",
        help="Limit on tokens of evidence in one prompt. Default: 60000.",
    ),
    click.option(
        "--exhibits",
        type=click.Choice(["none", "hunks", "context"]),
        help="Code to send to the model: none, hunks (changed lines and their functions), or context (also callers, callees and tests). Default: context.",
    ),
    click.option(
        "--prompt-tokens",
        type=click.IntRange(10_000, 90_000),
        metavar="N",
        help="Limit on tokens of one prompt. Default: 80000.",
    ),
    click.option(
        "--answer-tokens",
        type=click.IntRange(1_000),
        metavar="N",
        help="Limit on tokens of one answer, thinking included. Default: 16000.",
    ),
    click.option(
        "--effort",
        type=click.Choice(["low", "medium", "high", "xhigh", "max"]),
        help="How much the model may think. Default: medium, if the model has this setting.",
    ),
    click.option(
        "--judge-seconds",
        type=click.FloatRange(1, _DAY_SECONDS),
        metavar="N",
        help="Timeout of each round of judging in seconds. Default: 180.",
    ),
    click.option(
        "--provider",
        type=click.Choice(["anthropic", "bedrock", "vertex", "foundry"]),
        help="Where the model runs. Default: anthropic.",
    ),
    click.option("--base-url", metavar="URL", help="Another address of the model API: https, or http on this machine."),
    click.option(
        "--key-env", metavar="NAME", help="Environment variable that holds the API key. Default: ANTHROPIC_API_KEY."
    ),
    click.option(
        "--replay",
        type=click.Path(path_type=Path),
        metavar="REPORT.JSON",
        help="Use the recorded answers of this report.json instead of a model: no network, no key.",
    ),
)


def judging_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options, in their order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def take_bench_settings(options: dict[str, Any]) -> BenchSettings:
    """Take the judging options out of all options, as settings. Raises UserError for a record that cannot be read."""
    from auditor.domain import ExhibitMode
    from auditor.judges.bench_factory import BenchSettings

    given = {name: options.pop(name) for name in _OPTION_NAMES}
    record = given.pop("replay")
    fields = {"persona_model": "models", "judge_seconds": "seconds"}
    chosen = {fields.get(name, name): value for name, value in given.items() if value not in (None, {})}
    if "exhibits" in chosen:
        chosen["exhibits"] = ExhibitMode(chosen["exhibits"])
    if record is not None:
        chosen["record"] = _read_record(record)
        if chosen["judges"] == "embedded":
            chosen["judges"] = "claude"  # the default; a record is only of a model
    return BenchSettings(**chosen)


def _read_record(file: Path) -> Any:
    from auditor.report.report_json import from_json

    try:
        content = file.read_bytes()
    except OSError as error:
        raise UserError(
            f"--replay {file} cannot be read ({error.strerror}): give the report.json that an audit wrote."
        ) from error
    return from_json(content, str(file)), str(file)
