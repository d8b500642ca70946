"""GitHub, seen through PyGithub: the only package that imports it. Values in, values out, one error."""

from auditor.github.client import ANNOTATIONS_PER_REQUEST, GitHub, Rights
from auditor.github.deadline import Deadline
from auditor.github.errors import GitHubTrouble, TroubleKind, said

__all__ = ["ANNOTATIONS_PER_REQUEST", "Deadline", "GitHub", "GitHubTrouble", "Rights", "TroubleKind", "said"]
