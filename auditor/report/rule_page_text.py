"""The page of a rule as Markdown: for `auditor explain`, for the documentation and for the help of code scanning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from pydantic import Field

from auditor.domain import Expect, Frozen, Rubric
from auditor.rule_pages import RuleAccuracy, RulePage, Variant

RULES_PAGE = ".github/docs/rules.md"
"""The page of all rules, in this repository."""
_CWE = "https://cwe.mitre.org/data/definitions/{}.html"


def rule_anchor(rule: str) -> str:
    """The anchor that GitHub gives the heading of a rule: lower case, without dots."""
    return rule.replace(".", "")


@dataclass(frozen=True)
class ToolHome:
    """Where this tool itself can be read: its repository, and the version that runs."""

    repository: str
    """Such as `https://github.com/octo/automaton-auditor`."""
    ref: str

    def rule_uri(self, rule: str) -> str:
        """The address of a rule's page."""
        return f"{self.repository}/blob/{quote(self.ref)}/{RULES_PAGE}#{rule_anchor(rule)}"


class RuleText(Frozen):
    """All that is known of a rule. `page` and `accuracy` are None for a rule that has none."""

    id: str
    question: str
    counts: str = Field(description="What counts as a finding and what does not; may be empty.")
    advice: str
    asked_of: str
    page: RulePage | None = None
    accuracy: RuleAccuracy | None = None
    in_files: bool = Field(
        default=True, description="Can a finding be in a file? One on commits cannot be waived by a path."
    )

    @property
    def title(self) -> str:
        """What a finding of it is called."""
        return self.page.title if self.page is not None else self.question

    @property
    def see_also(self) -> tuple[str, ...]:
        """Addresses of pages about its subject: weaknesses of the CWE first."""
        return (*(_CWE.format(each) for each in self.page.cwe), *self.page.references) if self.page is not None else ()


def rule_markdown(rule: RuleText, rubrics: Sequence[Rubric], level: int = 2) -> str:
    """The whole page, its heading at a level."""
    return "\n\n".join([f"{'#' * level} {rule.id}", f"**{rule.title}.** {rule.question}", *_parts(rule, rubrics)])


def rule_help_markdown(rule: RuleText) -> str:
    """The part that fits beside a finding: why it matters, what to do, and an example."""
    page = rule.page
    parts = [f"**{rule.title}.** {rule.question}"]
    if page is not None:
        parts.append(page.why.strip())
    parts.append(f"**What to do.** {rule.advice}")
    parts += _variants(page)
    parts += _fine_if(page)
    if page is not None and page.example is not None:
        parts += _example(page)
    return "\n\n".join(parts)


def _parts(rule: RuleText, rubrics: Sequence[Rubric]) -> Iterator[str]:
    page = rule.page
    if rule.counts:
        yield f"**What counts.** {rule.counts}"
    if page is not None:
        yield f"**Why it matters.** {page.why.strip()}"
    yield f"**What to do.** {rule.advice}"
    yield from _variants(page)
    yield from _fine_if(page)
    if page is not None and page.example is not None:
        yield from _example(page)
    yield f"**Reads:** {rule.asked_of}."
    limits = page.limits if page is not None else ()
    if limits:
        yield "**Known limits**\n\n" + "\n".join(f"- {each}" for each in limits)
    yield f"**Accuracy.** {_accuracy_sentence(rule.accuracy)}"
    used = list(_uses(rule.id, rubrics))
    if used:
        yield "**Used by**\n\n" + "\n".join(f"- {each}" for each in used)
        yield _waiver(rule, rubrics)
    if rule.see_also:
        yield "**See also**\n\n" + "\n".join(f"- <{each}>" for each in rule.see_also)


def _accuracy_sentence(measured: RuleAccuracy | None) -> str:
    if measured is None:
        return "Not measured."
    cases = measured.positives + measured.negatives
    shares = (("precision", measured.precision), ("recall", measured.recall))
    known = [f"{name} {share:.2f}" for name, share in shares if share is not None]
    return (
        f"{' and '.join(known).capitalize() or 'No figure'} on {cases} independently written "
        f"{'case' if cases == 1 else 'cases'}, {measured.positives} with a finding and {measured.negatives} without. "
        "Since then, rules were corrected on most such cases."
    )


def _fine_if(page: RulePage | None) -> list[str]:
    return [f"**Fine if** {page.fine_if}."] if page is not None and page.fine_if else []


def _variants(page: RulePage | None) -> list[str]:
    rows = [
        f"- {_kind(each)}: {each.advice.strip()}" for each in (page.variants if page is not None else ()) if each.advice
    ]
    return ["\n".join(rows)] if rows else []


def _kind(variant: Variant) -> str:
    """Which findings a variant is for: `For “SSH”`, or `In *.go`."""
    parts = [f"for “{'”, “'.join(variant.about)}”"] if variant.about else []
    parts += [f"in {', '.join(f'`{each}`' for each in variant.files)}"] if variant.files else []
    said = " ".join(parts)
    return said[:1].upper() + said[1:]


def _example(page: RulePage) -> list[str]:
    example = page.example
    if example is None:
        return []
    return [
        f"Reported:\n\n```{example.language}\n{example.bad.rstrip()}\n```",
        f"Not reported:\n\n```{example.language}\n{example.good.rstrip()}\n```",
    ]


def _uses(rule: str, rubrics: Sequence[Rubric]) -> Iterator[str]:
    for rubric in rubrics:
        for criterion in rubric.criteria:
            for each in criterion.evidence:
                if each.probe == rule:
                    missing = " if the answer is no" if each.expect is Expect.FOUND else ""
                    yield f"`{rubric.id}`, criterion `{criterion.id}`: {each.severity.value} severity{missing}"


def _waiver(rule: RuleText, rubrics: Sequence[Rubric]) -> str:
    # The rubric of changes first: it is the one that most gates use.
    ordered = sorted(rubrics, key=lambda each: each.id != "pull-request")
    criterion = next(
        criterion.id
        for each in ordered
        for criterion in each.criteria
        for use in criterion.evidence
        if use.probe == rule.id
    )
    if rule.in_files:
        path = 'path: "legacy/**", '
        effect = (
            "This leaves out everything that the criterion finds in these files, not this rule alone; "
            "without `path` it leaves out the whole criterion, also what is found in no file:"
        )
    else:
        path = ""
        effect = "A finding on commits is in no file, so that only the whole criterion can be waived:"
    return (
        f"**How to waive it.** In `.github/auditor.yml` on the base branch. {effect}\n\n"
        f'```yaml\nwaivers:\n  - {{criterion: {criterion}, {path}reason: "Why it is fine here."}}\n```'
    )
