"""Findings of the shell rules in commands embedded in files of other formats, with the lines of those files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from auditor.forensics.embedded_shell.script_sessions import joined_sessions
from auditor.forensics.embedded_shell.shell_extraction import EmbeddedShell, extract_shell, scripts_within, with_nested
from auditor.forensics.embedded_shell.shell_formats import ShellFormat, format_of, formats_of_text, shell_formats
from auditor.forensics.embedded_shell.shell_script import ShellScript
from auditor.forensics.engine.site_probe_scan import quote_sites
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.languages.rule_loader import shared_definitions
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.source_text.file_roles import language
from auditor.forensics.source_text.site_probe_types import Site
from auditor.forensics.workflows.evaluated_outsider_text import evaluations

_INJECTION, _DOWNLOADED = "code.shell_execution", "code.dynamic_code"
"""The questions whether a shell runs text of outsiders, and whether a script runs what it downloaded."""
_PASTED = "Shell injection risk: {call} is expanded inside a script before a shell runs it"
_EVALUATED = "Shell injection risk: text from outsiders in an environment variable is run by {call}"
_BY_STARTERS = "users who can start the build may be trusted"
_BY_NAME = "whether outsiders control the value was judged by its name"
_MAX_PLACEHOLDERS = 50
_SIGN = "+"
"""Stands between the language of a file and the format of the commands in it."""


def scan_language(path: str) -> str:
    """The language that a file is scanned as; a format that holds shell commands is named behind it."""
    form = format_of(path)
    return f"{language(path)}{_SIGN}{form}" if form else language(path)


def split_language(scanned: str) -> tuple[str, str]:
    """A language as `scan_language` gives it, as the language and the format, which may be empty."""
    written, _, form = scanned.partition(_SIGN)
    return written, form


def add_embedded_shell(record: FileRecord, text: str, shell_format: str, wanted: Collection[str]) -> FileRecord:
    """The record of a file, with what the wanted questions see in the shell commands that it holds."""
    read = extract_shell(text, shell_format)
    if read.scripts and not record.reason and shell_formats()[shell_format].holds:
        record = replace(record, reason="its commands as shell")
    shell = with_nested(read.scripts)
    embedded = EmbeddedShell(shell.scripts, read.unread or shell.unread)
    return _add(record, text, embedded, wanted, formats_of_text(shell_format, text))


def add_nested_shell(record: FileRecord, text: str, wanted: Collection[str]) -> FileRecord:
    """The record of a shell script, with what is seen in the scripts that it runs in further shells."""
    return _add(record, text, scripts_within(text), wanted)


def _add(
    record: FileRecord, text: str, embedded: EmbeddedShell, wanted: Collection[str], forms: Iterable[ShellFormat] = ()
) -> FileRecord:
    from auditor.forensics.languages import file_rule_evaluation

    shell = covered_languages()["shell"]
    asked = frozenset(wanted) & shell.probes
    found: dict[str, list[Site]] = {}
    candidates: Counter[str] = Counter()
    if asked and embedded.unread:
        record = replace(
            record, reading=ReadStatus.PARTIAL, reason="; ".join(filter(None, (record.reason, embedded.unread)))
        )
    looked_at_itself = shared_definitions().reasons["constant_command"]
    for script in embedded.scripts if asked else ():
        content = script.plain_text().encode("utf-8", errors="surrogatepass")
        looked = file_rule_evaluation.scan_file(content, shell, asked, compared=False)
        candidates.update({probe: count for probe, count in looked.candidates.items() if probe in asked})
        for probe, seen_there in looked.sites.items():
            kept = (each for each in seen_there if each.reason != looked_at_itself)
            found.setdefault(probe, []).extend(_moved(each, script) for each in kept)
    for form in forms if _INJECTION in asked else ():
        found.setdefault(_INJECTION, []).extend(_foreign_text(embedded.scripts, form, text))
    for script in joined_sessions(embedded.scripts) if _DOWNLOADED in asked else ():
        content = script.text.encode("utf-8", errors="surrogatepass")
        looked = file_rule_evaluation.scan_file(content, shell, frozenset({_DOWNLOADED}), compared=False)
        told = {(each.line, each.statement) for each in found.get(_DOWNLOADED, ())}
        more = (_moved(each, script) for each in looked.sites.get(_DOWNLOADED, ()))
        found.setdefault(_DOWNLOADED, []).extend(each for each in more if (each.line, each.statement) not in told)
    if not any(found.values()):
        return replace(record, candidates={**record.candidates, **_sums(record, candidates)})
    lines = text.split("\n")
    sites = dict(record.sites)
    for probe, placed in found.items():
        known = {(seen.site.line, seen.site.statement) for seen in sites.get(probe, ())}
        fresh = {(each.line, each.statement): each for each in reversed(placed)}
        times = Counter((each.line, each.statement) for each in placed)
        added = [each for told, each in reversed(fresh.items()) if told not in known for _ in range(times[told])]
        sites[probe] = (*sites.get(probe, ()), *quote_sites(added, lines))
    return replace(record, sites=sites, candidates={**record.candidates, **_sums(record, candidates)})


def _foreign_text(scripts: Iterable[ShellScript], form: ShellFormat, text: str) -> Iterator[Site]:
    """Where a format puts text of outsiders into a script before a shell reads it, or text of those who start it."""
    for pattern, confidence, reason in (
        (form.outsiders, 0.9, _BY_NAME),
        (form.starters, 0.5, _BY_STARTERS),
        (_filled_parameters(form, text), 0.5, _BY_STARTERS),
    ):
        for script in (each for each in scripts if not each.is_environment) if pattern else ():
            for found in islice(re.finditer(pattern, script.text), _MAX_PLACEHOLDERS):
                number = script.text.count("\n", 0, found.start()) + 1
                first, last = script.span(number, number)
                yield Site(first, last, _PASTED, found["name"], confidence, reason)
    begin = re.compile(rf"\b(?:{'|'.join(form.variables)})\b")
    for script in (*scripts, *joined_sessions(scripts, begin)) if form.variables else ():
        for each in islice(evaluations(script, frozenset(form.variables)), _MAX_PLACEHOLDERS):
            if not each.is_printed:
                yield Site(each.line, each.line, _EVALUATED, each.command, 0.6 if each.is_likely else 0.85, _BY_NAME)


def _filled_parameters(form: ShellFormat, text: str) -> str:
    """The expression for parameters that the file gives text of those who start a build, or another such parameter."""
    if not form.parameters or not form.starters or not re.search(form.starters, text):
        return ""
    given = [(found["parameter"], found["value"]) for found in islice(_GIVEN.finditer(text), _MAX_GIVEN)]
    filled = {name for name, value in given if re.search(form.starters, value)}
    for _ in range(_MAX_PASSED_ON):
        passed = {found["parameter"] for found in re.finditer(form.parameters, text)} & filled
        filled |= {
            name
            for name, value in given
            if any(found["parameter"] in passed for found in re.finditer(form.parameters, value))
        }
    told = "|".join(sorted(map(re.escape, filled)))
    return form.parameters.replace(r"(?P<parameter>\w+)", f"(?P<parameter>{told})") if filled else ""


_GIVEN = re.compile(r"(?<![\w-])(?P<parameter>[A-Za-z_]\w{0,99})[\"']?:[ \t]+(?P<value>[^\s,{}\n][^,{}\n]{0,300})")
"""A key of YAML and its value on the same line, also inside of braces."""
_MAX_GIVEN, _MAX_PASSED_ON = 5_000, 3


def _sums(record: FileRecord, more: Counter[str]) -> dict[str, int]:
    return {probe: record.candidates.get(probe, 0) + count for probe, count in more.items()}


def _moved(site: Site, script: ShellScript) -> Site:
    """A site of a script on the lines of the file that holds it."""
    first, last = script.span(site.line, site.end)
    return replace(site, line=first, end=last, related=tuple(script.span(line, line)[0] for line in site.related))
