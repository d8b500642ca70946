"""SARIF 2.1.0 for code scanning: a rule for each probe, a result for each place that breaks an expectation.

Standing objections are results of a rule of their own, after all facts and never above a warning: they are opinions.

What code scanning asks for beyond the standard: relative addresses, a line for every result, help for every rule, and
fingerprints that stay the same while the line moves. What is waived is left out: marked as suppressed, code scanning would
show it as open all the same (github/codeql-action#1230).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from auditor.domain import (
    AuditReport,
    CodeLocation,
    CommitLocation,
    Criterion,
    DocumentLocation,
    Expectation,
    Severity,
    Side,
)
from auditor.report import objection_summary, verdict_sentences
from auditor.report.escaping import clip, for_link_target, for_markdown, for_plain
from auditor.report.fix_priorities import Priority, advice_by_probe, priorities
from auditor.report.github_links import NO_LINKS, Links, is_commit_id, is_tree_path
from auditor.report.rule_page_text import RuleText, rule_help_markdown

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 5_000
"""Results that code scanning shows of one run, of 25,000 that it takes."""
_MAX_TEXT = 1_000
_MAX_TAGS = 20
"""Tags of a rule that code scanning takes."""
_LEVELS = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
_SECURITY_SEVERITIES = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "3.0"}
"""By the bounds that code scanning divides its own severities with: 9.0, 7.0, 4.0."""
OBJECTION_RULE = "judges.objection"
"""The rule of all standing objections; no probe has this id."""
_PRECISIONS = ((0.9, "very-high"), (0.8, "high"), (0.6, "medium"), (0.0, "low"))


def sarif(report: AuditReport, links: Links = NO_LINKS, texts: Mapping[str, RuleText] | None = None) -> str:
    """The log as JSON text.

    `texts` are the pages of rules, by id; without its own a rule is named by its criterion.
    """
    rules = _rules(report, texts or {}, links)
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    objections = list(_objection_results(report, len(rules)))
    results = [*_results(report, index), *objections]
    if objections:
        rules.append(_objection_rule())
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": _plain_text(report.tool.name, 80),
                "version": _plain_text(report.tool.version, 40),
                **({"informationUri": links.tool.repository} if links.tool is not None else {}),
                "rules": rules,
            }
        },
        "automationDetails": {"id": f"automaton-auditor/{report.rubric.definition.id}/"},
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "results": results[:MAX_RESULTS],
        "properties": {
            "conclusion": report.verdict.conclusion.value,
            "overall": report.verdict.overall,
            "resultsLeftOut": max(0, len(results) - MAX_RESULTS),
        },
    }
    repository = links.home
    if repository and is_commit_id(report.subject.head):
        run["versionControlProvenance"] = [{"repositoryUri": repository, "revisionId": report.subject.head}]
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False) + "\n"


def _rules(report: AuditReport, texts: Mapping[str, RuleText], links: Links) -> list[dict[str, Any]]:
    """A rule for every probe that the rubric looks at, by the criterion that names it first."""
    first: dict[str, tuple[Criterion, Expectation]] = {}
    tags: dict[str, list[str]] = {}
    for criterion in report.rubric.definition.criteria:
        for expectation in criterion.evidence:
            first.setdefault(expectation.probe, (criterion, expectation))
            tags.setdefault(expectation.probe, []).append(criterion.id)
    advice = advice_by_probe(report)
    return [
        {
            **_rule(probe, criterion, expectation, texts.get(probe), advice.get(probe, ""), tags[probe]),
            **({"helpUri": address} if (address := _help_address(probe, texts.get(probe), links)) else {}),
        }
        for probe, (criterion, expectation) in first.items()
    ]


def _help_address(probe: str, text: RuleText | None, links: Links) -> str:
    """The page of a rule in the documentation of this tool, or else the first page of others about its subject."""
    if text is None:
        return ""
    return links.rule(probe) or next(iter(text.see_also), "")


def _rule(
    probe: str, criterion: Criterion, expectation: Expectation, text: RuleText | None, advice: str, tags: list[str]
) -> dict[str, Any]:
    asked = text.title if text is not None else criterion.title
    tried = (text.advice if text is not None else "") or advice or criterion.question
    properties: dict[str, Any] = {
        "tags": list(dict.fromkeys(tags))[: _MAX_TAGS - 1],
        "problem.severity": _problem_severity(expectation),
    }
    if criterion.security:
        properties["tags"] = ["security", *(each for each in properties["tags"] if each != "security")]
        properties["security-severity"] = _SECURITY_SEVERITIES[expectation.severity]
    if text is not None and text.page is not None:
        properties["tags"] = [*properties["tags"], *text.page.cwe_tags][:_MAX_TAGS]
    whole = (
        rule_help_markdown(text)
        if text is not None
        else f"**{for_markdown(clip(criterion.title, 200))}.** {for_markdown(clip(tried, _MAX_TEXT))}"
    )
    return {
        "id": probe,
        "name": "".join(part.capitalize() for part in probe.replace(".", "_").split("_")),
        "shortDescription": {"text": _plain_text(asked, 200)},
        "fullDescription": {"text": _plain_text(text.question if text is not None else criterion.question)},
        "help": {"text": _plain_text(tried), "markdown": whole},
        "defaultConfiguration": {"level": _LEVELS[expectation.severity]},
        "properties": properties,
    }


def _problem_severity(expectation: Expectation) -> str:
    return {"error": "error", "warning": "warning", "note": "recommendation"}[_LEVELS[expectation.severity]]


def _results(report: AuditReport, index: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """What decided the gate first. Commits and places at the base are in the record only: there is no line for them."""
    again: Counter[str] = Counter()
    told: set[tuple[str, str, int]] = set()
    for priority in priorities(report):
        for place in priority.evidence.locations:
            if isinstance(place, CommitLocation) or not is_tree_path(place.path):
                continue
            if isinstance(place, CodeLocation) and place.side is not Side.HEAD:
                continue
            start, end = _lines(place)
            if (priority.evidence.probe, place.path, start) in told:
                continue
            told.add((priority.evidence.probe, place.path, start))
            same = hashlib.sha256(
                "\0".join((priority.evidence.probe, place.path, " ".join(place.quote.split()))).encode(
                    errors="surrogatepass"
                )
            ).hexdigest()[:16]
            again[same] += 1
            yield _result(priority, index, place.path, (start, end), f"{same}:{again[same]}")


def _lines(place: CodeLocation | DocumentLocation) -> tuple[int, int]:
    """A whole file or a page of a document is shown on the first line."""
    if not isinstance(place, CodeLocation) or place.start is None:
        return 1, 1
    return place.start, max(place.end or place.start, place.start)


def _result(
    priority: Priority, index: Mapping[str, int], path: str, lines: tuple[int, int], fingerprint: str
) -> dict[str, Any]:
    evidence = priority.evidence
    advice = "".join(f" {each}" for each in verdict_sentences.advice_sentences(replace(priority, same_as=0)))
    return {
        "ruleId": evidence.probe,
        "ruleIndex": index[evidence.probe],
        "level": _LEVELS[priority.standing.expectation.severity],
        "message": {"text": _plain_text(f"{verdict_sentences.with_note(evidence.statement, '')}{advice}")},
        "locations": [_location(path, lines)],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
        "properties": {
            "criterion": priority.criterion.id,
            "evidence": evidence.id,
            "precision": next(word for least, word in _PRECISIONS if evidence.confidence >= least),
            "confidence": evidence.confidence,
            **({"confidenceReason": _plain_text(evidence.confidence_reason)} if evidence.confidence < 1 else {}),
            "decidedGate": priority.decided_gate,
        },
    }


def _objection_rule() -> dict[str, Any]:
    advice = "Check whether the named case can happen. If it can, fix it; if it cannot, add a test that shows this."
    return {
        "id": OBJECTION_RULE,
        "name": "JudgesObjection",
        "shortDescription": {"text": "Defect that judges see in the change"},
        "fullDescription": {
            "text": "Judges who read the changed code agree on a defect in it. This is an opinion, not a fact."
        },
        "help": {"text": advice, "markdown": advice},
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["correctness"], "problem.severity": "warning"},
    }


def _objection_results(report: AuditReport, rule: int) -> Iterator[dict[str, Any]]:
    """Standing objections on lines of the head, in the order of the comment."""
    again: Counter[str] = Counter()
    for each in objection_summary.standing(report):
        if each.side is not Side.HEAD or not is_tree_path(each.path):
            continue
        again[each.fingerprint] += 1
        parts = (*objection_summary.problem_sentences(each), objection_summary.fix_sentence(each))
        yield {
            "ruleId": OBJECTION_RULE,
            "ruleIndex": rule,
            "level": "note" if each.severity is Severity.LOW else "warning",
            "message": {"text": _plain_text(" ".join(part for part in parts if part), 2 * _MAX_TEXT)},
            "locations": [_location(each.path, (each.start, max(each.start, each.end)))],
            "partialFingerprints": {"primaryLocationLineHash": f"{each.fingerprint}:{again[each.fingerprint]}"},
            "properties": {"criterion": "correctness", "objection": each.id},
        }


def _location(path: str, lines: tuple[int, int]) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": for_link_target(path), "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": lines[0], "endLine": lines[1]},
        }
    }


def _plain_text(text: str, limit: int = _MAX_TEXT) -> str:
    """Plain text for a message: no embedded link `[text](target)`, no placeholder `{0}`."""
    return for_plain(clip(text, limit)).replace("](", "]\u2060(").replace("{", "{\u2060") or "\u2013"
