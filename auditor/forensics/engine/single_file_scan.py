"""One file, all site and text probes: decode, parse once, walk once, ask each probe about what it subscribed to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from auditor.forensics.embedded_shell.shell_formats import embedded_questions
from auditor.forensics.engine.embedded_shell_scan import add_embedded_shell, add_nested_shell, split_language
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.site_probe_scan import SitesByProbe, ask_site_probes, ask_text_probes, quote_sites
from auditor.forensics.languages.language_registry import covered_languages
from auditor.forensics.probe_kit.file_record import FileRecord, ReadStatus
from auditor.forensics.python import possible_aliases
from auditor.forensics.python.module_level import parse_module_level
from auditor.forensics.python.python_outline import read_outline
from auditor.forensics.python.source_parsing import (
    MAX_PYTHON_BYTES,
    DecodeFailure,
    ParseFailure,
    decode_source,
    parse_module,
    walk_module,
)
from auditor.forensics.source_text.embedded_code import extract_python, shebang_language, sniffed_language
from auditor.forensics.source_text.embedded_scripts import (
    EmbeddedScripts,
    blank_xml_declarations,
    extract_php,
    extract_scripts,
)
from auditor.forensics.source_text.file_kinds import FileKind, file_suffixes
from auditor.forensics.source_text.programming_languages import code_languages, language_title
from auditor.forensics.source_text.quoted_test_paths import quoted_test_paths
from auditor.forensics.source_text.site_probe_types import Text
from auditor.forensics.source_text.template_code import template_languages
from auditor.forensics.source_text.text_decoding import decode_byte_order_mark
from auditor.forensics.source_text.unparsed_languages import title_by_content

if TYPE_CHECKING:
    from auditor.forensics.languages.language_type import Language

MAX_TEXT_BYTES = 8_000_000
_BINARY_CHECK_BYTES = 8000
_MAX_SHEBANG_BYTES = 300
"""Bytes of a first line that can name what runs the file."""


def scan_file(content: bytes, language: str, interest: Interest) -> FileRecord:
    """What the probes see in one file. Never raises on account of the content."""
    language, shell_format = split_language(language)
    if language != "python":
        content = decode_byte_order_mark(content)
    if b"\0" in content and (written_in := _source_language(content, language) or _page_language(language)):
        reason = f"it holds zero bytes, so it could not be read as {language_title(written_in)}"
        return FileRecord(ReadStatus.NONE, reason, detected_language="" if language in code_languages() else written_in)
    if b"\0" in content[:_BINARY_CHECK_BYTES]:
        return FileRecord(ReadStatus.BINARY, "binary")
    record = _scan_python(content, interest) if language == "python" else _scan_text(content, language, interest)
    record = _with_embedded_shell(record, content, language, shell_format, interest)
    if not interest.definitions or not (record.detected_language or _may_use_tests(language)):
        return record
    quoted = quoted_test_paths(content.decode("utf-8", errors="replace"), language)
    return replace(record, test_paths=quoted) if quoted else record


def _may_use_tests(language: str) -> bool:
    """Are paths of other files looked for in files of this language?"""
    return language == "python" or language in covered_languages() or language in file_suffixes(FileKind.PAGE)


def _scan_text(content: bytes, language: str, interest: Interest) -> FileRecord:
    """What the probes see in a file that is not named like Python."""
    if len(content) > MAX_TEXT_BYTES:
        return FileRecord(ReadStatus.NONE, f"larger than {MAX_TEXT_BYTES:,} bytes")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        if not (_source_language(content, language) or _page_language(language)):
            return FileRecord(ReadStatus.BINARY, "binary: neither code nor text in UTF-8")
        text = content.decode("utf-8", errors="backslashreplace")
    sites, candidates, failed = ask_text_probes(Text(text, language), interest)
    seen = _scan_embedded_python(text, language, interest, sites, candidates, failed)
    if served := extract_php(text, language):
        seen = _scan_page(text, served, language, interest, seen)
    scripts = extract_scripts(text, language)
    if scripts and language not in covered_languages():
        return _scan_page(text, scripts, language, interest, seen)
    told = "" if seen.detected_language or language in code_languages() else shebang_language(text)
    known = covered_languages().get(told or language)
    if known is None:
        return _scan_unknown(text, language, interest, seen)
    if known.unsupported_dialect is not None and known.unsupported_dialect.search(content[:_MAX_SHEBANG_BYTES]):
        return replace(seen, detected_language=title_by_content(text) or "another dialect")
    if scripts:
        content = blank_xml_declarations(text).encode("utf-8", errors="surrogatepass")
    record = _scan_code(content, text, known, interest, seen)
    if scripts:
        record = _with_template(record, text, scripts, known, interest)
    return replace(record, detected_language=seen.detected_language or told)


def _with_template(
    record: FileRecord, text: str, scripts: EmbeddedScripts, known: Language, interest: Interest
) -> FileRecord:
    """The record of a file that is read as code of its language, with what is seen in the code of a template that it also looks like."""
    if scripts.unread:
        return replace(record, reason="; ".join(filter(None, (record.reason, scripts.unread))))
    content = scripts.source.encode("utf-8", errors="surrogatepass")
    looked = _scan_code(content, text, known, interest, FileRecord(ReadStatus.FULL))
    sites = {
        probe: tuple(dict.fromkeys((*record.sites.get(probe, ()), *looked.sites.get(probe, ()))))
        for probe in (*record.sites, *looked.sites)
    }
    candidates = {
        probe: max(record.candidates.get(probe, 0), looked.candidates.get(probe, 0))
        for probe in (*record.candidates, *looked.candidates)
    }
    outline = record.outline or looked.outline
    if record.outline and looked.outline:
        outline = replace(
            record.outline,
            requested_names=tuple(sorted({*record.outline.requested_names, *looked.outline.requested_names})),
            known_values={**looked.outline.known_values, **record.outline.known_values},
        )
    failed = {**looked.failed, **record.failed}
    return replace(record, sites=sites, candidates=candidates, outline=outline, failed=failed)


def _with_embedded_shell(
    record: FileRecord, content: bytes, language: str, shell_format: str, interest: Interest
) -> FileRecord:
    """The record of a file, with findings in its embedded shell commands added."""
    is_shell = "shell" in (language, record.detected_language)
    if not (shell_format or is_shell) or record.reading is not ReadStatus.FULL or len(content) > MAX_TEXT_BYTES:
        return record
    wanted = embedded_questions() & {each.id for each in interest.site_probes}
    if not wanted:
        return record
    text = content.decode("utf-8", errors="backslashreplace")
    if shell_format:
        record = add_embedded_shell(record, text, shell_format, wanted)
    return add_nested_shell(record, text, wanted) if is_shell else record


def _scan_page(text: str, scripts: EmbeddedScripts, language: str, interest: Interest, seen: FileRecord) -> FileRecord:
    """The record of a page, with what the rules of their language see in its scripts. A template in which they make no sense is only text."""
    if scripts.unread:
        return replace(seen, reading=ReadStatus.NONE, reason=scripts.unread, detected_language=scripts.language)
    known = covered_languages()[scripts.language]
    record = _scan_code(scripts.source.encode("utf-8", errors="surrogatepass"), text, known, interest, seen)
    if record.failed != seen.failed and language not in code_languages():
        return replace(seen, reason=f"its scripts could not be read: {record.reason}")
    outline = record.outline and replace(record.outline, exported_symbols=(), tests=())
    reason = seen.reason if scripts.is_template else record.reason
    return replace(record, outline=outline, tests=(), detected_language=scripts.language, reason=reason)


def _scan_unknown(text: str, language: str, interest: Interest, seen: FileRecord) -> FileRecord:
    """The record of a file whose suffix names no parsed language: code where its first lines say so and it parses as that."""
    if seen.detected_language or language in code_languages():
        return seen
    if title := title_by_content(text):
        return replace(seen, detected_language=title)
    guess = sniffed_language(text, language)
    if guess == "python":
        record = _scan_parsed(
            Text(text, "python"), interest, dict(seen.sites), dict(seen.candidates), dict(seen.failed)
        )
    elif guess:
        record = _scan_code(
            text.encode("utf-8", errors="surrogatepass"), text, covered_languages()[guess], interest, seen
        )
    if not guess or record.reading is not ReadStatus.FULL or record.reason or record.outline is None:
        return seen
    return replace(record, outline=None, tests=(), detected_language=guess)


def _source_language(content: bytes, language: str) -> str:
    """The programming language of a file by its name, else by its first line; empty where it is in none."""
    if language in code_languages():
        return language
    first = content.split(b"\n", 1)[0][:_MAX_SHEBANG_BYTES].decode("ascii", errors="replace")
    return shebang_language(first) or ("python" if extract_python(first, language) else "") or title_by_content(first)


def _page_language(language: str) -> str:
    return language if language in file_suffixes(FileKind.PAGE) else template_languages().get(language, "")


def _scan_embedded_python(
    text: str,
    language: str,
    interest: Interest,
    sites: SitesByProbe,
    candidates: dict[str, int],
    failed: dict[str, str],
) -> FileRecord:
    """The record of a text, with what the probes of Python see in the Python that it carries."""
    carried = extract_python(text, language)
    if carried is None:
        return FileRecord(ReadStatus.FULL, "", sites, candidates, failed)
    if carried.unread or len(carried.source) > MAX_PYTHON_BYTES:
        reason = carried.unread or f"it contains more than {MAX_PYTHON_BYTES:,} bytes of Python"
        return FileRecord(ReadStatus.PARTIAL, reason, sites, candidates, failed, detected_language="python")
    return replace(
        _scan_parsed(Text(carried.source, "python"), interest, sites, candidates, failed), detected_language="python"
    )


def _scan_code(content: bytes, text: str, language: Language, interest: Interest, seen: FileRecord) -> FileRecord:
    """What the rules of a covered language see, added to what was seen of the text."""
    from auditor.forensics.languages import file_rule_evaluation

    wanted = frozenset(each.id for each in interest.site_probes) & language.probes
    looked = file_rule_evaluation.scan_file(
        content,
        language,
        wanted,
        compared=interest.has_base,
        neighbours=interest.told,
        summarized=interest.summarized,
    )
    if looked.unread:
        failed = {**seen.failed, **dict.fromkeys(sorted(wanted), looked.unread)}
        return replace(seen, failed=failed, reason=looked.unread)
    lines = text.split("\n")
    sites = dict(seen.sites)
    for probe, found in looked.sites.items():
        sites[probe] = (*sites.get(probe, ()), *quote_sites(found, lines))
    candidates = {**dict.fromkeys(sorted(wanted), 0), **seen.candidates}
    for probe, count in looked.candidates.items():
        candidates[probe] = candidates.get(probe, 0) + count
    reason = "; ".join(filter(None, (seen.reason, looked.reason)))
    outline = looked.outline
    if outline is not None and (looked.asked or looked.flows):
        outline = replace(outline, requested_names=tuple(sorted(looked.asked)), known_values=looked.flows)
    return replace(seen, sites=sites, candidates=candidates, outline=outline, reason=reason, tests=tuple(looked.tests))


def _scan_python(content: bytes, interest: Interest) -> FileRecord:
    if len(content) > MAX_PYTHON_BYTES:
        return FileRecord(ReadStatus.NONE, f"larger than {MAX_PYTHON_BYTES:,} bytes")
    source = decode_source(content)
    if isinstance(source, DecodeFailure):
        return FileRecord(ReadStatus.NONE, source.reason)
    if not interest.definitions:
        return _scan_module_level(source)
    text = Text(source, "python")
    return _scan_parsed(text, interest, *ask_text_probes(text, interest))


def _scan_module_level(source: str) -> FileRecord:
    """What a module binds at its own level, for those who take names from it: its definitions are not gone into."""
    tree = parse_module_level(source)
    text = Text(source, "python")
    module = (
        parse_module(text, possible_aliases.ALIAS_NODES)
        if tree is None
        else walk_module(text, tree, possible_aliases.ALIAS_NODES)
    )
    if isinstance(module, ParseFailure):
        return FileRecord(ReadStatus.NONE, module.reason)
    return FileRecord(ReadStatus.FULL, outline=read_outline(module))


def _scan_parsed(
    text: Text, interest: Interest, sites: SitesByProbe, candidates: dict[str, int], failed: dict[str, str]
) -> FileRecord:
    """What the probes of Python see, beside what those of any text saw."""
    parsed = parse_module(text, interest.kinds)
    if isinstance(parsed, ParseFailure):
        from auditor.forensics.engine.fallback_python_scan import scan_unparsed

        return scan_unparsed(text, parsed, interest, sites, candidates, failed)
    parsed.renamed, parsed.told, parsed.reads_flows = interest.renamed, interest.told, interest.reads_flows
    shape = ask_site_probes(parsed, interest, sites, candidates, failed)
    return FileRecord(ReadStatus.FULL, "", sites, candidates, failed, shape)
