"""GitHub, seen through PyGithub: the only package that imports it. Values in, values out, one error."""

from auditor.github.api_client import ANNOTATIONS_PER_REQUEST, GitHub, WriteRefusals
from auditor.github.github_error import ErrorKind, GitHubError, clean_text
from auditor.github.request_deadline import Deadline

__all__ = ["ANNOTATIONS_PER_REQUEST", "Deadline", "ErrorKind", "GitHub", "GitHubError", "WriteRefusals", "clean_text"]
