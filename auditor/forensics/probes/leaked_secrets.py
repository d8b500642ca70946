"""Secrets in the git history, including those that were removed later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from pydantic import ConfigDict

from auditor.domain import CommitLocation, Fact, Frozen, Location, ProbeData
from auditor.english_counts import by_count, pluralize
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found, unavailable
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.secrets.placeholder_secrets import NOT_VERIFIED_REASON, confidence_of
from auditor.forensics.secrets.secret_places import CommittedSecrets, SecretPlace
from auditor.forensics.source_text.file_roles import is_test


class SecretData(Frozen):
    """One secret at one path. The fingerprint distinguishes equal values from others and says nothing of the value."""

    kind: str
    fingerprint: str
    path: str
    line: int
    commit: str


class Secrets(ProbeData):
    """All places of a fact."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    secrets: tuple[SecretData, ...]


@probe("secrets.committed")
def committed(secrets: CommittedSecrets) -> Iterator[Fact]:
    """Does any commit contain a secret?

    Every commit of the range is searched, so a secret that was removed later is reported too, and so is one that is
    written in pieces, escaped or encoded. Placeholders, documented examples and keys made for tests are not.

    Revoke the secret where it was issued: anyone with the repository may have it, even if it was removed. Store the new one outside the repository.
    """
    groups: dict[tuple[object, ...], list[SecretPlace]] = defaultdict(list)
    for place in secrets.places:
        kin = (
            not place.introduced,
            is_test(place.path),
            not place.at_head,
            place.kind,
            place.sure,
            place.source,
            place.hidden,
        )
        groups[kin].append(place)
    for key in sorted(groups, key=lambda each: tuple(map(str, each))):
        yield _fact(groups[key], secrets.limit_reason)
    yield from _unsearched_facts(secrets)
    if not secrets.places:
        yield from _no_secret_facts(secrets)


def _unsearched_facts(secrets: CommittedSecrets) -> Iterator[Fact]:
    """Facts about what may hold secrets and was not searched."""
    if secrets.unread:
        first = next(iter(secrets.unread.values()))
        count = pluralize(len(secrets.unread), "file")
        versions = pluralize(secrets.unread_content_count, "version")
        of = count if secrets.unread_content_count == len(secrets.unread) else f"{versions} of {count}"
        yield unavailable(
            f"{of} could not be searched for secrets: {secrets.lost or first}.",
            at=[code_location(path) for path in list(secrets.unread)[:20]],
        )
    if secrets.unheard:
        yield unavailable(
            f"Commit messages and names of files and people could not all be searched for secrets: {secrets.unheard}."
        )


def _fact(places: list[SecretPlace], limit: str) -> Fact:
    first = places[0]
    what = f"Secret ({first.kind.replace('-', ' ')})"
    return found(
        f"{what} {_where(first)}{first.hidden and f', written as {first.hidden}'}.",
        at=[location for place in places for location in _locations(place)],
        confidence=confidence_of(first.kind, by_form=first.sure),
        because="; ".join(filter(None, (NOT_VERIFIED_REASON, limit))),
        introduced=first.introduced,
        in_tests=is_test(first.path),
        data=Secrets(
            secrets=tuple(
                SecretData(
                    kind=each.kind, fingerprint=each.fingerprint, path=each.path, line=each.line, commit=each.commit
                )
                for each in places
            )
        ),
    )


def _where(place: SecretPlace) -> str:
    if place.source == "message":
        return "in a commit message"
    if place.source == "name":
        return "in a file name"
    if place.source == "link":
        return "in the target of a symbolic link"
    if place.source == "signature":
        return "in the name or e-mail address of a commit"
    return "in a committed file" if place.at_head else "in the git history: removed from the files, but still readable"


def _locations(place: SecretPlace) -> Iterator[Location]:
    """The place of a secret, and of its other parts, where it is written in several."""
    yield _location(place)
    if place.at_head:
        for line in place.other_lines:
            yield code_location(place.path, line, line)


def _location(place: SecretPlace) -> Location:
    if place.at_head:
        return code_location(place.path, place.line, place.line, quote=place.quote)
    where = f"{place.path}:{place.line}: " if place.source in {"content", "link"} else ""
    return CommitLocation(sha=place.commit, quote=f"{where}{place.quote}")


def _no_secret_facts(secrets: CommittedSecrets) -> Iterator[Fact]:
    """Only what was looked through holds none; with the detector lost on the way, that says nothing of the rest."""
    if not secrets.content_count or (secrets.lost and secrets.unread):
        if not secrets.unread and not secrets.unheard:
            yield not_applicable("There is no text to search for secrets.")
        return
    commits = "" if secrets.unheard else f"{pluralize(secrets.commits, 'commit')} and "
    count = secrets.material
    what = by_count(count, "test key or example", "test keys and examples")
    left = f" ({count:,} {what} ignored)" if count else ""
    yield not_found(
        f"No secret was found in {commits}{pluralize(secrets.content_count, 'version')} of files{left}.",
        confidence=0.9 if not secrets.limit_reason else 0.7,
        because="; ".join(filter(None, (secrets.limit_reason, "secrets without a recognisable format are not found"))),
    )
