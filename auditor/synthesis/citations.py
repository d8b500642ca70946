"""Does an opinion lean on something that is there?"""

from __future__ import annotations

from collections.abc import Mapping

from auditor.domain import Citation, Evidence, Opinion


def standing_reason(opinion: Opinion, evidence: Mapping[str, Evidence]) -> str:
    """Why an opinion does not count; empty when at least one of its citations stands."""
    if not opinion.citations:
        return "it cites no evidence"
    reasons = [_fault(citation, evidence) for citation in opinion.citations]
    return "" if "" in reasons else f"none of its citations stands: {reasons[0]}"


def _fault(citation: Citation, evidence: Mapping[str, Evidence]) -> str:
    """What is wrong with a citation: the id must exist, and the quote must stand at a place of it or in its statement."""
    cited = evidence.get(citation.evidence)
    if cited is None:
        return f"there is no evidence {citation.evidence}"
    quote = " ".join(citation.quote.split())
    if not quote:
        return f"it quotes nothing from {citation.evidence}"
    sources = [cited.statement, *(place.quote for place in cited.locations)]
    if any(quote in " ".join(source.split()) for source in sources):
        return ""
    return f"its quote does not stand in {citation.evidence}"
