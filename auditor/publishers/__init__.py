"""One module per destination on GitHub, and the ladder that tries them in turn. Texts come ready from the reports."""

from auditor.publishers.fallback_order import Desk, Publication, publish
from auditor.publishers.head_freshness import About

__all__ = ["About", "Desk", "Publication", "publish"]
