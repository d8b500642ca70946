"""Protections that a change switches off or takes away."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.protections.changed_lines import changed_files, moved_lines
from auditor.forensics.protections.removed_guards import RemovedGuard, find_removed_guards
from auditor.forensics.protections.unsafe_settings import UnsafeSetting, find_unsafe_settings

_MAX_SHOWN = 20
_GUARD_CONFIDENCE = 0.7
_GUARD_REASON = "whether something else protects the code was not checked"
_SETTING_REASON = "other settings may override it"


@probe("code.protection_weakened", reads=("*", "**/*"), only_changes=True)
def protection_weakened(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change switch off or remove a protection of users or their data?

    Counts, on lines that the change writes: debug mode, error details, all origins with credentials, insecure cookies, a disabled
    check of tokens or requests, cheap password hashes, files that everybody can write, containers with the rights of their host. Also
    counts: a login check, a permission, a security header or an escaping function that is removed while the code behind it stays.
    Does not count: tests, examples, settings for development, and a guard that moves or is replaced by another.

    Keep the protection, or say in the change why it is not needed and what protects users instead.
    """
    files = changed_files(change.files, documents.base, documents.head)
    if not files:
        yield not_applicable("The change touches no file that serves users.")
        return
    settings = list(find_unsafe_settings(files, moved_lines(files)))
    guards = list(find_removed_guards(files))
    yield from (_setting_fact(each) for each in settings[:_MAX_SHOWN])
    yield from (_guard_fact(each) for each in guards[:_MAX_SHOWN])
    if not settings and not guards:
        yield not_found(
            "No known protection is switched off or removed.",
            confidence=0.9,
            because="protections were recognised by their names",
        )


def _setting_fact(each: UnsafeSetting) -> Fact:
    return found(
        f"{each.says}.",
        at=[code_location(each.path, each.line, each.line, quote=each.quote[:300])],
        confidence=each.confidence,
        because=_SETTING_REASON,
        introduced=True,
    )


def _guard_fact(each: RemovedGuard) -> Fact:
    says = (
        f"Protection weakened: another condition now passes in place of `{each.name}`."
        if each.is_optional
        else f"Protection removed: `{each.name}` is gone, but the code behind it stays."
    )
    return found(
        says,
        at=[code_location(each.path, each.line, each.line, quote=each.quote[:300])],
        confidence=_GUARD_CONFIDENCE,
        because=_GUARD_REASON,
        introduced=True,
    )
