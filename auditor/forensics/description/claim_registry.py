"""All kinds of claims that are compared with a change.

None of these modules is loaded where there is no description.
"""

from __future__ import annotations

from auditor.forensics.description.breaking_change_claims import find_breaking_change_claims
from auditor.forensics.description.change_contents import ChangeContents, Check, CheckedClaim
from auditor.forensics.description.change_kind_claims import find_change_kind_claims
from auditor.forensics.description.claim_sentences import Sentence, without_squashed_commits
from auditor.forensics.description.path_claims import find_path_claims
from auditor.forensics.description.test_claims import find_test_claims
from auditor.forensics.description.version_claims import find_version_claims

_CHECKS: tuple[Check, ...] = (
    find_test_claims,
    find_breaking_change_claims,
    find_change_kind_claims,
    find_path_claims,
    find_version_claims,
)


def checked_claims(said: list[Sentence], contents: ChangeContents) -> list[CheckedClaim]:
    """Every claim that the facts decide. The messages of squashed commits claim nothing of the whole change."""
    own = without_squashed_commits(said)
    return [claim for check in _CHECKS for claim in check(own, contents)]
