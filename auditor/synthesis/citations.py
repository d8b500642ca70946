"""Does an opinion lean on something that is there?"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from auditor.domain import Citation, Evidence, Opinion

SHORTEST_QUOTE = 5
"""Characters of a quote that is less than a whole line; fewer stand everywhere."""


def standing_reason(opinion: Opinion, evidence: Mapping[str, Evidence], probes: Collection[str]) -> str:
    """Why an opinion does not count; empty when at least one of its citations stands.

    `probes` are those its criterion looks at: what another criterion rests on proves nothing here.
    """
    if not opinion.citations:
        return "it cites no evidence"
    reasons = [_fault(citation, evidence, probes) for citation in opinion.citations]
    return "" if "" in reasons else f"none of its citations stands: {reasons[0]}"


def _fault(citation: Citation, evidence: Mapping[str, Evidence], probes: Collection[str]) -> str:
    """What is wrong with a citation: the id must exist, and the quote must stand at a place of it or in its statement."""
    cited = evidence.get(citation.evidence)
    if cited is None:
        return f"there is no evidence {citation.evidence}"
    if cited.probe not in probes:
        return f"{citation.evidence} is no evidence of this criterion"
    quote = " ".join(citation.quote.split())
    if not quote:
        return f"it quotes nothing from {citation.evidence}"
    sources = [" ".join(each.split()) for each in (cited.statement, *(place.quote for place in cited.locations))]
    if quote in sources or (len(quote) >= SHORTEST_QUOTE and any(quote in source for source in sources)):
        return ""
    return f"its quote does not stand in {citation.evidence}"
