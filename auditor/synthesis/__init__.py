"""From opinions to a verdict: named rules, pure functions, the same result every time."""

from auditor.synthesis.disputes import Dispute, disputes
from auditor.synthesis.empty_change import empty_verdict, is_empty
from auditor.synthesis.replay import Comparison, Difference, replay
from auditor.synthesis.verdict import synthesise
from auditor.synthesis.waiving import waive

__all__ = [
    "Comparison",
    "Difference",
    "Dispute",
    "disputes",
    "empty_verdict",
    "is_empty",
    "replay",
    "synthesise",
    "waive",
]
