"""From opinions to a verdict: named rules, pure functions, the same result every time."""

from auditor.synthesis.approval_gate import ApprovalCase
from auditor.synthesis.empty_change import empty_verdict, is_empty
from auditor.synthesis.file_waivers import apply_waivers
from auditor.synthesis.objection_states import MergedObjection, merge, settle
from auditor.synthesis.rehearing_selection import Dispute, find_disputes
from auditor.synthesis.verdict_builder import BesideOpinions, synthesise
from auditor.synthesis.verdict_replay import Comparison, Difference, derive_verdict, replay

__all__ = [
    "ApprovalCase",
    "BesideOpinions",
    "Comparison",
    "Difference",
    "Dispute",
    "MergedObjection",
    "apply_waivers",
    "derive_verdict",
    "empty_verdict",
    "find_disputes",
    "is_empty",
    "merge",
    "replay",
    "settle",
    "synthesise",
]
