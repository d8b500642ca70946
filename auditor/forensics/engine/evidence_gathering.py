"""Gathering evidence: what is kept of an audit of the very same commits, else a survey of the repository.

Only what the kept answer takes is loaded here. Probes, parsers and worker processes come with the survey.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from auditor.domain import Subject
from auditor.forensics.engine.gathering_options import GatheredEvidence, Options
from auditor.forensics.library_models.team_rows import team_rows
from auditor.forensics.record_cache.disk_cache import RecordCache, probe_set_version
from auditor.forensics.record_cache.installed_engines import installed_version
from auditor.repo.git_objects import MISSING_BLOB
from auditor.repo.repository import Repo

__all__ = ["GatheredEvidence", "Options", "gather"]


def gather(repo: Repo, subject: Subject, probe_ids: Iterable[str], options: Options) -> GatheredEvidence:
    """Ask the named probes about the subject. Raises UserError for a probe that does not exist."""
    ids = tuple(sorted(set(probe_ids)))
    cache = RecordCache(options.cache)
    key = _cache_key(repo, ids, options) if cache.keeps else ""
    kept = _load_cached(cache, key) if key else None
    if kept is not None:
        return kept
    repo.begin_files()
    past = repo.begin_log()  # git lists files and goes through the history while all that follows is loaded
    from auditor.forensics.engine.repository_survey import survey

    gathered = survey(repo, subject, ids, options, cache, past)
    is_missing = any(file.reason == MISSING_BLOB for file in gathered.coverage.files)
    if key and not gathered.overran and not is_missing:
        cache.put({key: gathered.model_dump_json().encode("utf-8", errors="replace")})
    return gathered


def _cache_key(repo: Repo, ids: tuple[str, ...], options: Options) -> str:
    """What all the evidence of an audit is kept under: the commits, the probes, what is left out and what is claimed."""
    parts = [
        repo.state,
        *ids,
        *sorted(options.exclude),
        str(options.whole_tree),
        options.description,
        options.papers.model_dump_json(),
        *((file.name, file.digest) for file in options.reports),
        installed_version("ruff"),
        team_rows().digest,
    ]
    return f"{probe_set_version()}:gathered:{hashlib.sha256(repr(parts).encode()).hexdigest()}"


def _load_cached(cache: RecordCache, key: str) -> GatheredEvidence | None:
    """The evidence of an audit of the very same commits, if the cache has it."""
    stored = cache.get([key]).get(key)
    if stored is None:
        return None
    try:
        found = GatheredEvidence.model_validate_json(stored)
    except ValueError:
        return None  # not what we wrote: gather afresh
    return found.model_copy(update={"cached_files": len(found.coverage.files)})
