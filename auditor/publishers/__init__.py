"""One module per destination on GitHub, and the ladder that tries them in turn. Texts come ready from the reports."""

from auditor.publishers.about import About
from auditor.publishers.ladder import Desk, Publication, publish

__all__ = ["About", "Desk", "Publication", "publish"]
