"""What an audit is to do: options or inputs, over the trusted commit's configuration, over the rubric's defaults."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from auditor import rubric_loader, strict_yaml
from auditor.domain import (
    Frozen,
    Rubric,
    Scope,
    Severity,
    Side,
    TeamRowsRecord,
    UserError,
    Waiver,
)
from auditor.domain.english_lists import first_few
from auditor.english_counts import by_count, pluralize
from auditor.gate_settings import Demands, GateConfig, resolve_gate
from auditor.pipeline import AppliedRubric
from auditor.user_error import did_you_mean

if TYPE_CHECKING:  # reading a repository needs what Windows lacks; a record is replayed there, too
    from auditor.forensics.library_models.team_rows import TeamRows
    from auditor.repo.repository import Repo

CONFIG_PATH = ".github/auditor.yml"
DEFAULT_RUBRIC = "pull-request"
_MAX_CONFIG_BYTES = 1_000_000
_MAX_FOLDER_ENTRIES = 1_000
_SHOWN_ROWS = 10


RowFolder = Annotated[str, Field(pattern=r"^\.github/auditor(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$", max_length=200)]
"""A folder whose edits are reported, as those of the configuration are."""


class Inconclusive(StrEnum):
    """How a check run concludes when something could not be judged. GitHub counts `neutral` as passed."""

    FAILURE = "failure"
    ACTION_REQUIRED = "action_required"
    NEUTRAL = "neutral"


class Config(Frozen):
    """The configuration file, `.github/auditor.yml`. Of a change, the one at the base counts."""

    rubric: str | None = Field(default=None, description="A built-in rubric, or the path of one at the base.")
    gate: GateConfig = GateConfig()
    waivers: tuple[Waiver, ...] = ()
    exclude: tuple[str, ...] = Field(
        default=(), description="Globs of files to leave out; they stay on the coverage list."
    )
    scope: Scope = Field(default=Scope.INTRODUCED, description="Whether old violations count too.")
    inconclusive: Inconclusive = Field(
        default=Inconclusive.ACTION_REQUIRED,
        description="What the Action makes of a verdict that could not be reached; only `neutral` lets it pass.",
    )
    instructions: str = Field(
        default="", max_length=4_000, description="Further words for judges that are a model, such as house rules."
    )
    never_send: tuple[str, ...] = Field(
        default=(), description="Globs of files of which no line is shown to judges that are a model."
    )
    rows: tuple[RowFolder, ...] = Field(
        default=(),
        max_length=10,
        description="Folders with rows of your own, below `.github/auditor`.",
        examples=[".github/auditor/rows"],
    )


class SettingsSource(StrEnum):
    """Who asks, as the record names it.

    An option names files of this machine. An input of a workflow names files of the trusted commit, for
    the workspace may hold what is to be judged.
    """

    OPTION = "option"
    INPUT = "input"


@dataclass(frozen=True)
class RequestedSettings:
    """The settings asked for on the command line, or by the inputs of a workflow."""

    rubric: str | None = None
    config: Path | None = None
    fail_under: float | None = None
    minimum: Mapping[str, float] = field(default_factory=dict)
    scope: Scope | None = None
    no_new: Severity | None = None
    requested_by: SettingsSource = SettingsSource.OPTION


@dataclass(frozen=True)
class Settings:
    """What the audit is to do, resolved."""

    applied_rubric: AppliedRubric
    exclude: tuple[str, ...]
    whole_tree: bool
    inconclusive: Inconclusive = Inconclusive.ACTION_REQUIRED
    instructions: str = ""
    never_send: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    team_rows: TeamRows | None = None


def resolve(requested: RequestedSettings, repo: Repo, today: date | None = None) -> Settings:
    """Settle what is asked. Only the base side and the person who runs the command have a say; the head of a change has none.

    `today` (UTC) decides which waivers are still in force. Raises UserError for mistakes in files and options.
    """
    loaded = _load_config(requested, repo)
    config, origin, notices = loaded.config, loaded.lines.origin, list(loaded.notices)
    chosen, rubric_origin = _load_rubric(requested, config, repo, origin)
    _require_known_criteria(loaded, chosen)
    rows, row_record = _load_rows(requested, config, _trusted_commit(requested, repo))
    if row_record is not None:
        notices.append(_row_notice(row_record))
    wanted = Demands(requested.requested_by.value, requested.fail_under, requested.minimum, requested.no_new)
    gate, gate_origin = resolve_gate(
        [wanted, Demands.of(origin, config.gate), Demands.of("rubric", chosen.gate)], chosen
    )
    day = (today or datetime.now(UTC).date()).isoformat()
    in_force = tuple(each for each in config.waivers if each.until is None or each.until >= day)
    expired = len(config.waivers) - len(in_force)
    if expired:
        notices.append(f"{expired} {by_count(expired, 'waiver has', 'waivers have')} expired and no longer counts.")
    return Settings(
        applied_rubric=AppliedRubric(
            rubric=chosen,
            rubric_origin=rubric_origin,
            rubric_digest=rubric_loader.digest(chosen),
            gate=gate,
            gate_origin=gate_origin,
            waivers=in_force,
            config_digest=loaded.digest,
            team_rows=row_record,
        ),
        exclude=config.exclude,
        whole_tree=(requested.scope or config.scope) is Scope.WHOLE_TREE,
        inconclusive=config.inconclusive,
        instructions=config.instructions,
        never_send=config.never_send,
        notices=tuple(notices),
        team_rows=rows,
    )


@dataclass(frozen=True)
class _TrustedCommit:
    """The commit whose files may decide what is asked."""

    repo: Repo
    commit: str
    side: Side

    def origin(self, path: str) -> str:
        """Where a file of it is, as the record names it."""
        return f"{self.side.value}:{path}"

    def read(self, path: str) -> bytes | None:
        """A file of it, None when there is none. Raises UserError for one that is there and cannot be read."""
        inside = path and "\0" not in path and not path.startswith("/") and ".." not in path.split("/")
        return self.repo.read_commit(self.commit, path, limit=_MAX_CONFIG_BYTES) if inside else None

    def read_folder(self, folder: str) -> list[tuple[str, bytes]]:
        """The files of rows below a folder of it. Raises UserError for one that is there and cannot be read."""
        from auditor.forensics.engine.team_row_files import MAX_FILE_BYTES, MAX_FILES, ROW_FILE_SUFFIXES

        paths = self.repo.list_commit(self.commit, folder, limit=_MAX_FOLDER_ENTRIES)
        if len(paths) > _MAX_FOLDER_ENTRIES:
            raise UserError(f"{self.origin(folder)}: more than {_MAX_FOLDER_ENTRIES:,} files in a folder of rows.")
        named = [path for path in paths if path.endswith(ROW_FILE_SUFFIXES)][: MAX_FILES + 1]
        read = ((path, self.repo.read_commit(self.commit, path, limit=MAX_FILE_BYTES)) for path in named)
        return [(self.origin(path), content) for path, content in read if content is not None]


def _trusted_commit(requested: RequestedSettings, repo: Repo) -> _TrustedCommit | None:
    """The base; without one, for a workflow, the audited commit: the workflow that asks is in it too."""
    if repo.base is not None:
        return _TrustedCommit(repo, repo.base, Side.BASE)
    return _TrustedCommit(repo, repo.head, Side.HEAD) if requested.requested_by is SettingsSource.INPUT else None


@dataclass(frozen=True)
class _LoadedConfig:
    """The configuration in force, and where its values are in its file."""

    config: Config
    lines: strict_yaml.Lines
    digest: str | None = None
    notices: tuple[str, ...] = ()


def _require_known_criteria(loaded: _LoadedConfig, chosen: Rubric) -> None:
    """Every criterion that the configuration names is one of the rubric. Raises UserError with the line of each that is not."""
    known = sorted(criterion.id for criterion in chosen.criteria)
    config = loaded.config
    named: list[tuple[str, tuple[str | int, ...]]] = [
        *((each, ("gate", "criteria", each)) for each in config.gate.criteria),
        *((each.criterion, ("waivers", number, "criterion")) for number, each in enumerate(config.waivers)),
    ]
    mistakes = [
        loaded.lines.mistake(
            path,
            f"{name!r} is not a criterion of the rubric {chosen.id}: "
            + did_you_mean(name, known, f"there are {', '.join(known)}."),
        )
        for name, path in named
        if name not in known
    ]
    if mistakes:
        raise UserError("\n".join(mistakes))


def _load_config(requested: RequestedSettings, repo: Repo) -> _LoadedConfig:
    """The configuration in force, with lines about what was not used."""
    trusted = _trusted_commit(requested, repo)
    if requested.config is not None:
        origin, content = str(requested.config), _local_file(requested.config, "--config")
    elif trusted is not None:
        origin = trusted.origin(CONFIG_PATH)
        found = trusted.read(CONFIG_PATH)
        if found is None:
            return _LoadedConfig(Config(), strict_yaml.Lines(origin))
        content = found
    else:
        present = any(entry.path == CONFIG_PATH for entry in repo.files(Side.HEAD).entries)
        line = f"{CONFIG_PATH} of the audited tree is not used without --base: name it with --config if you trust it."
        return _LoadedConfig(Config(), strict_yaml.Lines(""), notices=(line,) if present else ())
    config, lines = strict_yaml.parse_with_lines(Config, content, origin)
    return _LoadedConfig(config, lines, hashlib.sha256(content).hexdigest())


def _load_rows(
    requested: RequestedSettings, config: Config, trusted: _TrustedCommit | None
) -> tuple[TeamRows | None, TeamRowsRecord | None]:
    """The team's own rows, and what the record says of them. Raises UserError listing every mistake in them."""
    if not config.rows or (requested.config is None and trusted is None):
        return None, None
    if requested.config is not None:
        root = _root_of(requested.config)
        return _read_rows(config, lambda folder: local_row_files(root / folder))
    assert trusted is not None
    return _read_rows(config, trusted.read_folder)


def _read_rows(
    config: Config, read: Callable[[str], list[tuple[str, bytes]]]
) -> tuple[TeamRows, TeamRowsRecord | None]:
    from auditor.forensics.engine.team_row_files import describe_team_rows, read_team_rows

    files: dict[str, bytes] = {}
    for folder in config.rows:
        found = read(folder)
        if not found:
            raise UserError(f"rows: {folder} holds no file of rows: add one, or remove the folder from `rows`.")
        files.update(found)
    rows = read_team_rows(files.items())
    return rows, describe_team_rows(rows, files)


def require_valid_rows(config: Config, root: Path) -> None:
    """Check the rows that a configuration names in a checkout. Raises UserError listing every mistake in them."""
    if config.rows:
        _read_rows(config, lambda folder: local_row_files(root / folder))


def _root_of(config: Path) -> Path:
    """The folder that a configuration file's folders of rows are looked for in."""
    return config.parent.parent if config.parent.name == ".github" else config.parent


def local_row_files(folder: Path) -> list[tuple[str, bytes]]:
    """The files of rows in a folder of this machine, by path; no symbolic links. Raises UserError for what cannot be read."""
    from auditor.forensics.engine.team_row_files import MAX_FILE_BYTES, MAX_FILES, ROW_FILE_SUFFIXES

    named = (
        each
        for each in folder.rglob("*")
        if each.suffix in ROW_FILE_SUFFIXES and each.is_file() and not each.is_symlink()
    )
    try:
        files = sorted(islice(named, MAX_FILES + 1))
        return [(str(each), _read_start(each, MAX_FILE_BYTES + 1)) for each in files]
    except OSError as error:
        raise UserError(f"{folder} cannot be read ({error.strerror}): give the path of a readable folder.") from error


def _read_start(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _row_notice(record: TeamRowsRecord) -> str:
    """A line about rows of the team; those that make the audit report less are named."""
    said = f"{pluralize(record.rows, 'team row')} in force (digest {record.digest[:12]})."
    if record.harmless_calls:
        said += f" Treated as harmless: {first_few([f'`{each}`' for each in record.harmless_calls], _SHOWN_ROWS)}."
    if record.generated_notices:
        shown = first_few([f"`{each}`" for each in record.generated_notices], _SHOWN_ROWS)
        said += f" Treated as a mark of generated files: {shown}."
    return said


def _local_file(path: Path, option: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"{option} {path} cannot be read ({error.strerror}): give the path of a readable file."
        ) from error


def _load_rubric(requested: RequestedSettings, config: Config, repo: Repo, origin: str) -> tuple[Rubric, str]:
    if requested.rubric is not None:
        if requested.requested_by is SettingsSource.INPUT:
            return _trusted_rubric(requested.rubric, _trusted_commit(requested, repo), "the input rubric")
        return named_rubric(requested.rubric)
    if config.rubric is None:
        return rubric_loader.built_in(DEFAULT_RUBRIC), "built-in"
    if requested.config is not None and config.rubric not in rubric_loader.names():
        return named_rubric(str(requested.config.parent / config.rubric))
    return _trusted_rubric(config.rubric, _trusted_commit(requested, repo), origin)


def _trusted_rubric(name: str, trusted: _TrustedCommit | None, asked_in: str) -> tuple[Rubric, str]:
    """A rubric by built-in name, or by its path in the trusted commit."""
    if name in rubric_loader.names():
        return rubric_loader.built_in(name), "built-in"
    content = None if trusted is None else trusted.read(name)
    if trusted is None or content is None:
        place = "of the trusted commit" if trusted is None else f"at the {trusted.side.value}"
        raise UserError(
            f"{asked_in}: the rubric {name!r} is neither built in ({', '.join(rubric_loader.names())}) nor a file {place}."
        )
    return rubric_loader.load(content, trusted.origin(name)), trusted.origin(name)


def named_rubric(name: str) -> tuple[Rubric, str]:
    """A rubric by built-in name or by path, and where it comes from. Raises UserError when it is neither."""
    path = Path(name)
    if name in rubric_loader.names() or not (path.suffix or "/" in name or path.exists()):
        return rubric_loader.built_in(name), "built-in"
    return rubric_loader.load(_local_file(path, "--rubric"), name), name


def schema() -> dict[str, Any]:
    """The JSON Schema of the configuration file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Config.model_json_schema()}
