"""The rules as texts: the docstring of each probe and its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor import rubric_loader as rubrics
from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.languages.language_registry import covered_languages, has_rule_for
from auditor.forensics.probe_kit.probe_decorators import Probe, SiteProbe, TextProbe
from auditor.forensics.source_text.programming_languages import language_title
from auditor.report.rule_page_text import RuleText, rule_markdown
from auditor.rule_pages import rule_accuracy, rule_pages
from auditor.user_error import UserError, did_you_mean


def list_rules() -> str:
    """Every rule and its question, a line each."""
    known = discover_probes()
    width = max(map(len, known))
    return "\n".join(f"{each.id:<{width}}  {each.question}" for each in known.values())


def rules_markdown(ids: Sequence[str] = ()) -> str:
    """The pages of these rules, of all without one. Raises UserError for a rule that does not exist."""
    chosen = [_find_probe(each) for each in ids] if ids else list(discover_probes().values())
    built_in = [rubrics.built_in(each) for each in rubrics.names()]
    return "\n\n".join(rule_markdown(rule_text(each), built_in) for each in chosen)


def rule_texts() -> Mapping[str, RuleText]:
    """All of them, by id."""
    return {rule: rule_text(probe) for rule, probe in discover_probes().items()}


def rule_text(probe: Probe) -> RuleText:
    """All that is known of the rule that a probe checks."""
    return RuleText(
        id=probe.id,
        question=probe.question,
        counts=probe.terms,
        advice=probe.advice,
        asked_of=_examined_by(probe),
        page=rule_pages().get(probe.id),
        accuracy=rule_accuracy().get(probe.id),
        in_files=not _is_about_commits(probe),
    )


def _find_probe(probe_id: str) -> Probe:
    probes = discover_probes()
    if probe_id not in probes:
        raise UserError(f"there is no rule {probe_id!r}: {did_you_mean(probe_id, probes, rubrics.PROBES_HINT)}")
    return probes[probe_id]


def _is_about_commits(probe: Probe) -> bool:
    """Does it look at the history, and at no file?"""
    if isinstance(probe, SiteProbe | TextProbe):
        return False
    inputs = set(getattr(probe.ask, "__annotations__", {}).values())
    return "History" in inputs and inputs <= {"History", "Subject", "Iterator[Fact]"}


def _examined_by(probe: Probe) -> str:
    if isinstance(probe, TextProbe):
        return "every text file, in any language"
    if not isinstance(probe, SiteProbe):
        return _examined_by_whole(set(getattr(probe.ask, "__annotations__", {}).values()))
    others = [language_title(each) for each in covered_languages() if has_rule_for(each, probe.id)]
    return ", ".join(["Python", *others])


def _examined_by_whole(inputs: set[object]) -> str:
    """What a probe of the whole subject looks at, by what it asks for."""
    if "Reports" in inputs:
        return "the architecture reports of a whole repository, and its code"
    if "AgentSystem" in inputs:
        return "the Python and LangGraph.js code of an agent system, all files together"
    if "Change" in inputs:  # and not `Change | None`
        return "a pull request or other change, compared with its base; nothing where there is no base"
    return "a pull request or other change, or a whole repository"
