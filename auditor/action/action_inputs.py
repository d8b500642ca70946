"""The inputs of the Action: their names, what they may be, and their values as a workflow gave them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import Field

from auditor import __version__
from auditor.action import input_parsers
from auditor.domain import ExhibitMode, Frozen, Scope, Severity, UserError
from auditor.judges.anthropic_client import Federation, Provider
from auditor.judges.bench_factory import DEFAULT_MODEL, EFFORTS, BenchSettings
from auditor.judges.recorded_answers import today
from auditor.judges.signed_answer_cache import MIN_SECRET_LENGTH, SealedAnswerStore
from auditor.report import answers_kept_on_check_run
from auditor.settings import RequestedSettings, SettingsSource
from auditor.user_error import did_you_mean

_PREFIX = "INPUT_"
_MAX_LENGTH = 20_000


class Judges(StrEnum):
    """Who is asked for opinions."""

    AUTO = "auto"
    EMBEDDED = "embedded"
    CLAUDE = "claude"


class CheckPolicy(StrEnum):
    """How the check run concludes: as the gate did, or never in a way that blocks."""

    GATE = "gate"
    REPORT = "report"


class FailStep(StrEnum):
    """What makes the step end with another code than 0."""

    GATE = "gate"
    ERROR = "error"
    NEVER = "never"


class CommentMode(StrEnum):
    """Whether the pull request gets a comment."""

    ALWAYS = "always"
    NEVER = "never"


class KeepAnswers(StrEnum):
    """Whether answers are kept for the next audit."""

    ALWAYS = "always"
    NEVER = "never"


class Drafts(StrEnum):
    """What becomes of draft pull requests."""

    SKIP = "skip"
    AUDIT = "audit"


class Mode(StrEnum):
    """What the step does."""

    AUDIT = "audit"
    DOCTOR = "doctor"


class Inputs(Frozen):
    """What the workflow asks for."""

    token: str = Field(default="", repr=False)
    rubric: str | None = None
    min_overall: float | None = None
    min_scores: dict[str, float] = Field(default_factory=dict)
    no_new: Severity | None = None
    scope: Scope | None = None
    judges: Judges = Judges.AUTO
    anthropic_api_key: str = Field(default="", repr=False)
    provider: Provider = Provider.ANTHROPIC
    model: str | None = None
    persona_models: dict[str, str] = Field(default_factory=dict)
    effort: str | None = None
    max_usd: float | None = None
    max_tokens: int | None = None
    evidence_tokens: int | None = None
    exhibits: ExhibitMode | None = None
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    judge_seconds: int | None = None
    base_url: str | None = None
    federation_rule: str = ""
    federation_organization: str = ""
    federation_service_account: str = ""
    federation_workspace: str = ""
    federation_audience: str | None = None
    keep_answers: KeepAnswers = KeepAnswers.ALWAYS
    answers_key: str = Field(default="", repr=False)
    check_conclusion: CheckPolicy = CheckPolicy.GATE
    fail_step: FailStep = FailStep.GATE
    check_name: str | None = None
    comment: CommentMode = CommentMode.ALWAYS
    annotations: int = 50
    drafts: Drafts = Drafts.SKIP
    label: str | None = None
    timeout: int = 600
    report_directory: str = "auditor-report"
    mode: Mode = Mode.AUDIT

    def requested_settings(self) -> RequestedSettings:
        """What they ask of the audit."""
        return RequestedSettings(
            rubric=self.rubric,
            fail_under=self.min_overall,
            minimum=self.min_scores,
            scope=self.scope,
            no_new=self.no_new,
            requested_by=SettingsSource.INPUT,
        )

    def bench_settings(self, *, trusted: bool, seconds: float, repository: str = "") -> BenchSettings:
        """Who judges. `trusted` says whether a key may be used for the event; `seconds` is the longest deadline of a round.

        Answers are kept for the repository, where it is named and there is a secret to seal them with.
        """
        default = BenchSettings()
        return BenchSettings(
            judges=self.judges.value,
            trusted=trusted,
            provider=self.provider.value,
            model=self.model or default.model,
            models=self.persona_models,
            effort=self.effort or default.effort,
            max_usd=self.max_usd,
            max_tokens=self.max_tokens or default.max_tokens,
            evidence_tokens=self.evidence_tokens or default.evidence_tokens,
            exhibits=self.exhibits or default.exhibits,
            prompt_tokens=self.prompt_tokens or default.prompt_tokens,
            answer_tokens=self.answer_tokens or default.answer_tokens,
            base_url=self.base_url or default.base_url,
            seconds=min(self.judge_seconds or default.seconds, seconds),
            sealed=self._make_answer_store(repository) if trusted and repository else None,
            federation=Federation(
                rule=self.federation_rule,
                organization=self.federation_organization,
                service_account=self.federation_service_account,
                workspace=self.federation_workspace,
                audience=self.federation_audience or Federation().audience,
            ),
        )

    @property
    def seal_secret(self) -> str:
        """The secret that kept answers are sealed with; empty where there is none, or none that cannot be guessed."""
        secret = self.answers_key or self.anthropic_api_key
        return secret if self.keep_answers is KeepAnswers.ALWAYS and len(secret) >= MIN_SECRET_LENGTH else ""

    def _make_answer_store(self, repository: str) -> SealedAnswerStore | None:
        if not self.seal_secret:
            return None
        bound_to = (__version__, repository, self.provider.value, self.base_url or "")
        return SealedAnswerStore(self.seal_secret, bound_to, today(), answers_kept_on_check_run.MAX_LENGTH)

    def judge_environment(self, access: Mapping[str, str]) -> dict[str, str]:
        """The environment that a model is asked with: the runner's access variables, and the key."""
        return {**access, BenchSettings().key_env: self.anthropic_api_key}

    @property
    def has_credentials(self) -> bool:
        """Are there credentials for a model?"""
        return bool(self.anthropic_api_key or self.federation_rule) or self.provider is not Provider.ANTHROPIC


@dataclass(frozen=True)
class Input:
    """One input: how its text is read, and what action.yml and .github/docs/action.md say about it.

    `read` raises ValueError with the rest of a sentence that begins with the input's name.
    """

    name: str
    description: str
    read: Callable[[str], Any]
    default: str = ""
    secret: bool = False
    values: tuple[str, ...] = field(default=())

    @property
    def variable(self) -> str:
        """The environment variable a runner puts it into: upper case, dashes kept."""
        return _PREFIX + self.name.upper()

    @property
    def attribute(self) -> str:
        """Its name in `Inputs`."""
        return self.name.replace("-", "_")


def _choice_input(name: str, kind: type[StrEnum], description: str, default: str = "") -> Input:
    read, words = input_parsers.choice_parser(kind)
    return Input(name, description, read, default, values=words)


INPUTS = (
    Input(
        "token",
        "Token that reads the repository and writes the check run and the comment. It needs contents: read, checks: write and pull-requests: write.",
        input_parsers.parse_line, "${{ github.token }}", secret=True,
    ),
    Input("rubric", "A built-in rubric (pull-request or agent-swarm), or the path of a rubric file in the base commit. Default: the one that .github/auditor.yml names, else pull-request.", input_parsers.parse_line),
    Input("min-overall", "Lowest overall score that passes the gate, from 1 to 5.", input_parsers.parse_score),
    Input("min-scores", "Lowest score per criterion, one `criterion: number` per line.", input_parsers.mapping_parser("security: 4", input_parsers.parse_score)),
    _choice_input("no-new", Severity, "Fail on a confirmed new finding of this severity or higher: low, medium, high or critical."),
    _choice_input("scope", Scope, "Which findings count in a pull request: introduced (only those that the change adds) or whole_tree (existing ones too). Default: as .github/auditor.yml says, else introduced."),
    _choice_input("judges", Judges, "Who judges: embedded (scoring policies of the rubric, no model), claude (needs credentials for a model), or auto (claude if there are credentials, else embedded).", "auto"),
    Input("anthropic-api-key", "Anthropic API key, from a secret. Without credentials, `judges: auto` calls no model.", input_parsers.parse_line, secret=True),
    _choice_input("provider", Provider, "Where the model runs: anthropic, bedrock, vertex or foundry. The cloud platforms take their credentials from the environment of the step.", "anthropic"),
    Input("model", f"Model that judges. Default: {DEFAULT_MODEL}.", input_parsers.parse_model),
    Input("persona-models", "Another model for single personas, one `persona: model` per line.", input_parsers.mapping_parser("tech_lead: claude-opus-5-5", input_parsers.parse_model)),
    Input("effort", "How much the model may think: low, medium, high, xhigh or max. Default: medium, if the model has this setting.", input_parsers.parse_effort, values=EFFORTS),
    Input("max-usd", "Budget of one audit in US dollars. The judges read only as much as it can pay for; if it is too small for any prompt, no model is called. Default: 2.00.", input_parsers.parse_usd),
    Input("max-tokens", "Limit on input and output tokens of one audit, at least 1000. Default: 600000.", input_parsers.integer_parser(1_000, 100_000_000)),
    Input("evidence-tokens", "Limit on tokens of evidence in one prompt, at least 1000. If not all evidence fits, the most severe findings are sent. Default: 60000.", input_parsers.integer_parser(1_000, 100_000_000)),
    _choice_input("exhibits", ExhibitMode, "Which code is sent to the model: none, hunks (changed lines and their enclosing functions) or context (also callers, callees and tests). Default: context."),
    Input("prompt-tokens", "Limit on tokens of one prompt, from 10000 to 90000. If not all code fits, the riskiest hunks are sent. Default: 80000.", input_parsers.integer_parser(10_000, 90_000)),
    Input("answer-tokens", "Limit on tokens of one answer, thinking included, at least 1000. Default: 16000.", input_parsers.integer_parser(1_000, 100_000_000)),
    Input("judge-seconds", "Timeout of each round of judging in seconds; never more than a third of what is left of timeout. Default: 180.", input_parsers.integer_parser(1, 21_600)),
    Input("base-url", "Another https address of the model API.", input_parsers.parse_line),
    Input("federation-rule", "Keyless access: id of the federation rule, the setting of your organization at the provider that accepts the OIDC token of the job. The job needs id-token: write.", input_parsers.parse_line),
    Input("federation-organization", "Keyless access: id of the organization.", input_parsers.parse_line),
    Input("federation-service-account", "Keyless access: id of the service account.", input_parsers.parse_line),
    Input("federation-workspace", "Keyless access: id of the workspace.", input_parsers.parse_line),
    Input("federation-audience", "Keyless access: audience of the OIDC token. Default: https://api.anthropic.com.", input_parsers.parse_line),
    _choice_input("keep-answers", KeepAnswers, "Whether the answers of the model are cached, signed, on the check run, so that an unchanged prompt is paid for only once: always or never.", "always"),
    Input("answers-key", "Secret of at least 32 characters that signs the cached answers. Default: the value of anthropic-api-key.", input_parsers.parse_secret, secret=True),
    _choice_input("check-conclusion", CheckPolicy, "Conclusion of the check run: gate (as the gate decides) or report (no verdict blocks: it becomes neutral; only a run that was cancelled or superseded shows cancelled until the next one ends).", "gate"),
    _choice_input("fail-step", FailStep, "When the step fails: gate (the gate did not pass, or an error), error (only if the audit could not run) or never.", "gate"),
    Input("check-name", "Name of the check run, for branch protection. It must differ from every job name. Default: `Automaton Auditor (<rubric>)`. The check of a whole repository adds `, whole repository`.", input_parsers.parse_line),
    _choice_input("comment", CommentMode, "Whether to write a comment on the pull request and keep it up to date: always or never.", "always"),
    Input("annotations", "Limit on annotations on the check run, from 0 to 500. The report lists the others.", input_parsers.integer_parser(0, 500), "50"),
    _choice_input("drafts", Drafts, "What to do with draft pull requests: skip or audit.", "skip"),
    Input("label", "For pull requests from forks on pull_request_target: call a model if this label was set after the last push. Empty, or without the label: never; the embedded judges score the change.", input_parsers.parse_line),
    Input("timeout", "Timeout of the whole audit in seconds, from 30 to 21600.", input_parsers.integer_parser(30, 21_600), "600"),
    Input("report-directory", "Folder in the workspace for report.json, report.md, report.html and report.sarif.", input_parsers.parse_folder, "auditor-report"),
    _choice_input("mode", Mode, "What the step does: audit, or doctor (checks the setup and says how to fix it, without an audit).", "audit"),
)  # fmt: skip
"""Every input, in the order of action.yml and .github/docs/action.md."""


def read(environment: Mapping[str, str]) -> tuple[Inputs, tuple[str, ...]]:
    """The inputs that a runner's environment holds, and notices about variables that are none.

    Raises UserError that names every input with a wrong value, each in one sentence.
    """
    found: dict[str, Any] = {}
    mistakes: list[str] = []
    for each in INPUTS:
        given = environment.get(each.variable, "").strip()
        if not given or given == each.default:
            given = "" if each.secret else each.default
        if not given:
            continue
        try:
            found[each.attribute] = each.read(_require_length(given))
        except ValueError as error:
            mistakes.append(f"the input {each.name} {_mask_secret(str(error), given) if each.secret else error}.")
    notices = []
    for name in _unknown_inputs(environment):
        hint = did_you_mean(name, (each.name for each in INPUTS), "")
        if hint:
            mistakes.append(f"there is no input {name!r}: {hint}")
        else:
            notices.append(f"The variable {_PREFIX}{name.upper()} is not an input of this action and has no effect.")
    if mistakes:
        raise UserError("\n".join(mistakes))
    return Inputs(**found), tuple(notices)


def _require_length(value: str) -> str:
    if len(value) > _MAX_LENGTH:
        raise ValueError(f"is longer than {_MAX_LENGTH:,} characters")
    return value


def _unknown_inputs(environment: Mapping[str, str]) -> list[str]:
    """Inputs that nobody knows. A gate must not lose a threshold to a typing mistake."""
    known = {each.variable for each in INPUTS} | {"INPUT_ARGS", "INPUT_ENTRYPOINT"}
    return sorted(
        name.removeprefix(_PREFIX).lower()
        for name in environment
        if name.startswith(_PREFIX) and name not in known and name.isprintable() and len(name) < 100
    )


def inputs_table() -> str:
    """All inputs as a Markdown table."""
    lines = ["| Input | Meaning | Default |", "|:--|:--|:--|"]
    lines += [
        f"| `{each.name}` | {each.description} | {f'`{each.default}`' if each.default else ''} |" for each in INPUTS
    ]
    return "\n".join(lines)


def _mask_secret(sentence: str, secret: str) -> str:
    return sentence.replace(secret, "…")
