"""Protections that a change switches off or takes away, and commands that it makes run unasked."""

from __future__ import annotations

from collections.abc import Iterator

from auditor.domain import Fact, Side
from auditor.forensics.probe_kit.fact_outcomes import code_location, found, not_applicable, not_found
from auditor.forensics.probe_kit.probe_decorators import probe
from auditor.forensics.probe_kit.probe_inputs import Change, Documents
from auditor.forensics.protections.changed_lines import changed_files, moved_lines
from auditor.forensics.protections.guard_order import find_lines_without_guard
from auditor.forensics.protections.loosened_checks import find_loosened_checks
from auditor.forensics.protections.removed_guards import RemovedGuard, find_removed_guards, is_guard_file
from auditor.forensics.protections.unsafe_settings import (
    UnsafeSetting,
    command_rows,
    find_settings,
    rows_about_tests,
    setting_rows,
)
from auditor.forensics.source_text.file_roles import is_test

_MAX_SHOWN = 20
_GUARD_CONFIDENCE = 0.7
_GUARD_REASON = "whether something else protects the code was not checked"
_SETTING_REASON = "other settings may override it"


@probe("code.protection_weakened", reads=("*", "**/*"), only_changes=True)
def protection_weakened(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change switch off or remove a protection of users or their data?

    Counts, on lines that the change writes: settings such as debug mode, error details, all origins with credentials, insecure cookies,
    cheap password hashes, files that everybody can write, containers and roles with the rights of their host or cluster; checks of
    tokens, signatures, certificates, forms, packages and checksums that are switched off or accept everything; debuggers, interpreters
    and management ports that listen for everybody; secrets that can be computed, have a known default, or get into an image or to other
    sites; attributes, rows or HTML that a request chooses as a whole. Also counts: a login check, a permission, a security header or an
    escaping function that is removed while the code behind it stays, and a check that an edit makes looser, such as a part in place of
    the whole, any type in place of one, or all rows in place of those of the user,
    and a route that is moved out of the reach of its guard; and assertions that a file of tests replaces. Does not count: other tests, examples, settings for
    development, and a guard that moves or is replaced by another.

    Undo this edit, or say in the description why it is safe here and what protects users instead.
    """
    files = changed_files(change.files, documents.base, documents.head)
    gone = [file.path for file in change.files if file.head is None and is_guard_file(file.path)]
    tests = changed_files(change.files, documents.base, documents.head, is_test)
    settings = list(find_settings(tests, moved_lines(tests), rows_about_tests()))
    if not files and not gone and not settings:
        yield not_applicable("The change touches no file that serves users.")
        return
    settings += find_settings(files, moved_lines(files), setting_rows())
    yield from (_setting_fact(each) for each in settings[:_MAX_SHOWN])
    known = {(each.path, each.line) for each in settings}
    loosened = [
        each
        for each in (*find_loosened_checks(files), *find_lines_without_guard(files))
        if (each.path, each.line) not in known
    ]
    known.update((each.path, each.line) for each in loosened)
    guards = [each for each in find_removed_guards(files) if (each.path, each.line) not in known]
    yield from (_setting_fact(each, _GUARD_REASON) for each in loosened[:_MAX_SHOWN])
    yield from (_guard_fact(each) for each in guards[:_MAX_SHOWN])
    yield from (_file_fact(each) for each in gone[:_MAX_SHOWN])
    if not (settings or loosened or guards or gone):
        yield not_found(
            "No known protection is switched off or removed.",
            confidence=0.9,
            because="protections were recognised by their names",
        )


@probe("governance.automatic_command", reads=("*", "**/*"), only_changes=True)
def automatic_command(change: Change, documents: Documents) -> Iterator[Fact]:
    """Does the change add a command that runs without being asked for?

    Counts: a command that a package manager runs on install, or install scripts of all packages allowed; a build backend, build hook,
    wrapper or compiler plugin in the repository; a program that git runs on checkout or commit, or a submodule of another source; a task
    that starts when a folder is opened; a line that Python, PHP or a linter runs whenever it starts; a variable that makes every program
    load code. Does not count: common tools that only compile or patch a package, such as `node-gyp` and `patch-package`.

    Remove it and let people start it themselves, or say in the description what it does and why it has to run on every machine.
    """
    files = changed_files(change.files, documents.base, documents.head)
    commands = list(find_settings(files, moved_lines(files), command_rows()))
    yield from (_setting_fact(each, _COMMAND_REASON) for each in commands[:_MAX_SHOWN])
    if not commands:
        yield not_found("The change adds no command that runs unasked.", confidence=0.9, because=_COMMAND_REASON)


_COMMAND_REASON = "what the command does was not followed"


def _setting_fact(each: UnsafeSetting, because: str = _SETTING_REASON) -> Fact:
    return found(
        f"{each.says}.",
        at=[code_location(each.path, each.line, each.line, quote=each.quote[:300])],
        confidence=each.confidence,
        because=because,
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


def _file_fact(path: str) -> Fact:
    return found(
        f"Protection removed: `{path}` is deleted.",
        at=[code_location(path, side=Side.BASE)],
        confidence=_GUARD_CONFIDENCE,
        because=_GUARD_REASON,
        introduced=True,
    )
