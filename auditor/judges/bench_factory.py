"""Which bench judges, and with what: one function from settings and environment to a bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from auditor.domain import AuditReport, ExhibitMode, UserError
from auditor.judges import anthropic_client, request_telemetry
from auditor.judges.anthropic_client import Federation, Provider
from auditor.judges.bench_interface import Bench
from auditor.judges.embedded_bench import EmbeddedBench

if TYPE_CHECKING:
    from auditor.judges.claude_bench import ClaudeBench
    from auditor.judges.judge_panel import ClientFactory
    from auditor.judges.recorded_answers import AnswerStore
    from auditor.judges.signed_answer_cache import SealedAnswerStore

JUDGES = ("auto", "embedded", "claude")
EFFORTS = ("low", "medium", "high", "xhigh", "max")
PROVIDERS = tuple(each.value for each in Provider)
DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_USD = 2.0
"""Pays three judges with a full prompt for both rounds, at the worst price of the default model."""
LEAST_PROMPT_TOKENS, MOST_PROMPT_TOKENS = 10_000, 90_000
"""Above 100,000 tokens some models cost five times as much; what is counted may be a tenth more than what is estimated."""


@dataclass(frozen=True)
class BenchSettings:
    """All that decides who judges. Every field comes from the person who runs the audit or from the base side; none from the head.

    | Field | Input of the Action | Option | Meaning |
    |:--|:--|:--|:--|
    | `judges` | `judges` | `--judges` | `auto`, `embedded` or `claude` |
    | `trusted` | (event) | | may a key be used for this event? False for pull requests of forks |
    | `provider` | `provider` | `--provider` | `anthropic`, `bedrock`, `vertex` or `foundry` |
    | `model` | `model` | `--model` | the model of every persona ... |
    | `models` | `persona-models` | `--persona-model` | ... but of those named here: `PERSONA=MODEL` |
    | `effort` | `effort` | `--effort` | `low` to `max`; empty: medium where the model takes one |
    | `answer_tokens` | `answer-tokens` | `--answer-tokens` | most tokens of one answer, thinking included |
    | `evidence_tokens` | `evidence-tokens` | `--evidence-tokens` | most tokens of evidence in a prompt |
    | `exhibits` | `exhibits` | `--exhibits` | what of the change judges read: `none`, `hunks` or `context` |
    | `prompt_tokens` | `prompt-tokens` | `--prompt-tokens` | most tokens of a prompt: rules, change and evidence |
    | `max_tokens` | `max-tokens` | `--max-tokens` | most tokens of the audit, in and out |
    | `max_usd` | `max-usd` | `--max-usd` | most US dollars of the audit; none: 2.00 where prices are known |
    | `seconds` | `judge-seconds` | `--judge-seconds` | deadline of each round |
    | `base_url` | `base-url` | `--base-url` | another address of the API; https |
    | `key_env` | `anthropic-api-key` as env | `--key-env` | variable that holds the key |
    | `federation` | `federation-rule`, `federation-organization`, `federation-service-account`, `federation-workspace`, `federation-audience` | | keyless access by the job's OIDC token |
    | `instructions` | (configuration, `instructions:`) | | extra words for all judges, from the base side only |
    | `never_send` | (configuration, `never_send:`) | | globs of files of which no line is sent, from the base side only |
    | `store` | | `--cache` | folder where answers are kept; none: nowhere |
    | `sealed` | `keep-answers`, `answers-key` | | answers kept on the check run, in place of a folder |
    | `record` | | `--replay` | a report to hear again instead of asking |
    """

    judges: str = "auto"
    trusted: bool = True
    provider: str = Provider.ANTHROPIC.value
    model: str = DEFAULT_MODEL
    models: Mapping[str, str] = field(default_factory=dict)
    effort: str = ""
    answer_tokens: int = 16_000
    evidence_tokens: int = 60_000
    exhibits: ExhibitMode = ExhibitMode.CONTEXT
    prompt_tokens: int = 80_000
    max_tokens: int = 600_000
    max_usd: float | None = None
    seconds: float = 180.0
    base_url: str = ""
    key_env: str = "ANTHROPIC_API_KEY"
    federation: Federation = field(default_factory=Federation)
    instructions: str = ""
    never_send: tuple[str, ...] = ()
    store: Path | None = None
    sealed: SealedAnswerStore | None = None
    record: tuple[AuditReport, str] | None = None
    """The report, and what to call it in a sentence."""

    def has_credentials(self, environment: Mapping[str, str]) -> bool:
        """Does the environment hold credentials for a model? Raises UserError as `make_bench` does."""
        found = anthropic_client.find_access(self.provider, self.base_url, self.key_env, self.federation, environment)
        return found is not None


def make_bench(settings: BenchSettings, environment: Mapping[str, str]) -> Bench:
    """The bench that these settings ask for, with what the environment holds.

    `auto` asks a model when there are credentials and the event is trusted; the report says either way why. Where
    the event is not trusted `claude` asks none either: whose change it is decides who may spend the key.
    Raises UserError when a model was asked for and cannot be reached, or when a setting makes no sense.
    """
    _require_valid(settings)
    if settings.record is not None:
        from auditor.judges.recorded_answers import RecordAnswerStore

        if settings.judges == "embedded":
            raise UserError("--replay answers in place of a model: remove --judges embedded or --replay.")
        heard, _ = settings.record
        return _make_claude_bench(settings, _refuse_connection, RecordAnswerStore(*settings.record), heard.hearing.note)
    if settings.judges == "embedded":
        return EmbeddedBench()
    if not settings.trusted:
        return EmbeddedBench(f"Judges are {settings.judges}, and a change from a fork gets no key.")
    found = anthropic_client.find_access(
        settings.provider, settings.base_url, settings.key_env, settings.federation, environment
    )
    if found is None:
        wanted = anthropic_client.required_variables(settings.provider, settings.key_env)
        if settings.judges == "auto":
            return EmbeddedBench(f"Judges are auto, and {wanted} is not set.")
        raise UserError(f"the claude bench needs credentials: set {wanted}, or use --judges embedded.")
    from auditor.judges.recorded_answers import FolderAnswerStore

    memory = settings.sealed or (FolderAnswerStore(settings.store) if settings.store is not None else None)
    note = f"Judges are auto, and {found.describe_credentials(settings.key_env)}." if settings.judges == "auto" else ""
    return _make_claude_bench(
        settings, partial(anthropic_client.connect, found), memory, note, partial(request_telemetry.flush, found.spans)
    )


def _make_claude_bench(
    settings: BenchSettings,
    connect: ClientFactory,
    store: AnswerStore | None,
    note: str,
    flush: Callable[[], None] = lambda: None,
) -> ClaudeBench:
    from auditor.judges.claude_bench import ClaudeBench, Options  # a run without a model need not load it
    from auditor.judges.judge_panel import Timeouts
    from auditor.judges.model_budget import Budget

    strict = settings.max_usd is not None
    priced = settings.provider == Provider.ANTHROPIC.value
    usd = settings.max_usd if strict else DEFAULT_USD if priced else None
    if strict and not priced:
        raise UserError(
            f"the prices of the provider {settings.provider} are unknown: set --max-tokens instead of a budget in USD."
        )
    options = Options(
        model=settings.model,
        models=dict(settings.models),
        effort=settings.effort,
        answer_tokens=settings.answer_tokens,
        evidence_tokens=settings.evidence_tokens,
        prompt_tokens=settings.prompt_tokens,
        budget=Budget(tokens=settings.max_tokens, usd=usd, strict=strict),
        pace=Timeouts(deadline=settings.seconds),
        instructions=settings.instructions,
        never_send=settings.never_send,
        provider=settings.provider,
    )
    return ClaudeBench(options, connect, store, flush, note)


def _refuse_connection() -> NoReturn:
    raise AssertionError("a record answers every question or refuses it; nobody is asked")


def _require_valid(settings: BenchSettings) -> None:
    for name, value, known in (
        ("judges", settings.judges, JUDGES),
        ("provider", settings.provider, PROVIDERS),
        ("effort", settings.effort, ("", *EFFORTS)),
    ):
        if value not in known:
            raise UserError(f"{name} is {value!r}: choose one of {', '.join(each for each in known if each)}.")
    for name, number, least in (
        ("answer tokens", settings.answer_tokens, 1_000),
        ("evidence tokens", settings.evidence_tokens, 1_000),
        ("tokens of the audit", settings.max_tokens, 1_000),
        ("seconds for the judges", settings.seconds, 1),
    ):
        if number < least:
            raise UserError(f"{name} must be at least {least:,}, not {number:,}.")
    if not LEAST_PROMPT_TOKENS <= settings.prompt_tokens <= MOST_PROMPT_TOKENS:
        raise UserError(
            f"prompt tokens must be between {LEAST_PROMPT_TOKENS:,} and {MOST_PROMPT_TOKENS:,}, not {settings.prompt_tokens:,}."
        )
    if settings.max_usd is not None and not 0 < settings.max_usd < float("inf"):
        raise UserError(f"the budget of the audit must be above 0 USD, not {settings.max_usd:g}.")
    for name in (settings.model, *settings.models.values()):
        if not name.strip() or len(name) > 200:
            raise UserError(f"{name[:60]!r} is not a valid model name.")
