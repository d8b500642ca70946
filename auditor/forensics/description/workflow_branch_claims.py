"""For which branches a workflow is said to start, and for changes of which files alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from auditor.forensics.description.change_contents import FROM_WORDING, Answer, Ground, Held, Sentence
from auditor.forensics.description.phrase_claim_checks import Form, held_by_form
from auditor.forensics.probe_kit.fact_outcomes import code_location
from auditor.forensics.source_text.file_roles import Role, role
from auditor.forensics.source_text.rubric_phrase_patterns import combine_patterns, groups_by_role
from auditor.forensics.workflows.workflow_job_lines import read_rows
from auditor.lazy_regex import lazy_compile

_RUNS = r"(?:run|start|trigger|fire|build|publish|execut|deploy|releas|upload|push|job|workflow|pipeline)\w{0,5}"
_BRANCH = r"(?:the\s+)?(?:`(?P<{0}>[\w./-]{{1,60}})`|\"(?P<{0}_quoted>[\w./-]{{1,60}})\"|(?P<{0}_plain>main|master|develop|trunk|staging|production)\b)(?:[- ]branch)?"
_PUSHED = r"(?:(?:an?|each|every|the)\s+)?(?:push(?:es)?|merges?|commits?)\s+(?:to|on|into|in)\s+"
_ONLY = r"(?:only|solely|exclusively|just|nothing but)"
_FOR_BRANCH = combine_patterns(
    rf"\b{_RUNS}\b[^.;]{{0,60}}?\b{_ONLY}\s+(?:ever\s+)?(?:on|for|after|from|upon|when|by)\s+(?:{_PUSHED})?{_BRANCH.format('only')}(?!\s+(?:and|or)\b)(?=\s*(?:$|[.,;:!)]|\bbranch|\bis\b|\band\s+never\b|\bnot\b))",
    rf"\b{_ONLY}\s+(?:on|after|from)\s+(?:{_PUSHED})?{_BRANCH.format('first')}(?!\s+(?:and|or)\b)[^.;]{{0,40}}?\b{_RUNS}\b",
    rf"\b{_RUNS}\b[^.;]{{0,60}}?\b(?:on|for|after|from|upon)\s+(?:{_PUSHED})?{_BRANCH.format('alone')}\s+(?:only|alone)\b",
    rf"\b{_RUNS}\b[^.;]{{0,40}}?\b(?:limited|restricted|confined)\s+to\s+(?:{_PUSHED})?{_BRANCH.format('limited')}(?!\s+(?:and|or)\b)(?=\s*(?:$|[.,;:!)]|\bbranch))",
    rf"\b{_RUNS}\b[^.;]{{0,60}}?\b(?:on|after|upon)\s+{_PUSHED}{_BRANCH.format('pushed')}",
)
_OTHERWISE = lazy_compile(
    r"\b(?:still|already|previously|used to|no longer|not|never|instead of|currently|was|were|local(?:ly)?|as before|unchanged)\b|n't\b",
    re.IGNORECASE,
)
_OF_ANOTHER = lazy_compile(
    r"(?<![\w-])(?P<name>[^\W_]{1,30}(?:[-_][^\W_]{1,30}){1,5})(?:\.ya?ml)?`?\s+(?:workflow|job)\b"
)
"""A workflow that is called by its name, which may be another one than that which changes."""
_OTHER_BRANCHES = (
    "The description says for which branch a workflow starts, and the workflow that comes starts for others"
)


def held_branches(said: list[Sentence], ground: Ground) -> Iterator[Held]:
    """Every statement on the branch for which something runs."""
    yield from held_by_form(said, _FORMS, ground)


def _for_branch(found: re.Match[str], sentence: Sentence, ground: Ground) -> Answer | None:
    """None unless each workflow that changes starts at pushes and asks for no branch in any other way."""
    other = _OF_ANOTHER.search(sentence.text)
    if _OTHERWISE.search(sentence.text[: found.end()]) or (
        other and not any(other["name"] in path for path in ground.touched)
    ):
        return None
    kind, branch = next(iter(groups_by_role(found).items()))
    shown: list[bool] = []
    paths: list[str] = []
    for path, text in _workflows(ground):
        patterns = _pushed(text)
        if patterns is None or _ASKS.search(text):
            return None
        paths.append(path)
        admitted = not patterns or any(_fits(branch, each) for each in patterns)
        alone = bool(patterns) and all(each in (branch, "main", "master") or each.startswith("!") for each in patterns)
        shown.append(admitted and (kind == "pushed" or alone))
    if not shown:
        return None
    return Answer(any(shown), tuple(code_location(path) for path in paths[:5]), 0.7, FROM_WORDING)


_ASKS = lazy_compile(
    r"github\.(?:ref|ref_name|base_ref|head_ref|event)\b|\bGITHUB_REF|\bworkflow_run\b|\bworkflow_call\b"
)
"""How a workflow asks for its branch in other places than its trigger."""


def _workflows(ground: Ground) -> Iterator[tuple[str, str]]:
    for file in ground.change.files:
        if file.head is not None and file.added and role(file.path) is Role.WORKFLOW:
            text = ground.documents.head.get(file.head.path)
            if text is not None and file.head.path.startswith(".github/workflows/"):
                yield file.head.path, text


def _pushed(text: str) -> list[str] | None:
    """The patterns of branches at whose pushes a workflow starts, none for all of them; None where it does not start so."""
    rows = read_rows(text)
    start = rows.top_level_keys.get("on", -2)
    if not _PUSH.search(rows.block(start) if start >= 0 else ""):
        return None
    push = next((at for at in rows.row_with_children(start) if _PUSH_KEY.match(rows.rows[at])), None)
    if push is None:
        return []
    below = sorted(rows.row_with_children(push))
    if any(_OTHER_WAYS.match(rows.rows[at]) for at in below):
        return None
    named = [rows.rows[push].partition("branches:")[2].partition("]")[0]]
    for at in below:
        if told := _BRANCHES.match(rows.rows[at]):
            items = [rows.rows[each] for each in sorted((rows.row_with_children(at) | set(below)) - {at})]
            named += [told["rest"], *(each for each in items if each.lstrip().startswith("- "))]
    return [each for line in named for each in _QUOTED.findall(line.partition(" #")[0]) if _TELLS.search(each)]


_PUSH = lazy_compile(r"(?:^|[\[\s,{:-])push\b", re.MULTILINE)
_PUSH_KEY = lazy_compile(r"^\s+push\s*:")
_BRANCHES = lazy_compile(r"^\s+branches\s*:(?P<rest>.*)$")
_OTHER_WAYS = lazy_compile(r"^\s+(?:tags|branches-ignore)\b")
_QUOTED = lazy_compile(r"!?[\w./*+?-]+")
_TELLS = lazy_compile(r"[\w*]")


def _fits(branch: str, pattern: str) -> bool:
    return fnmatchcase(branch, pattern.replace("**", "*")) if len(pattern) <= _LONGEST else True


_LONGEST = 60


_FORMS = (Form(_FOR_BRANCH, _for_branch, "branch", _OTHER_BRANCHES),)
