"""One module per destination on GitHub, and the ladder that tries them in turn. Texts come ready from the reports."""

from auditor.publishers.fallback import Desk, Publication, publish
from auditor.publishers.publication_subject import About

__all__ = ["About", "Desk", "Publication", "publish"]
