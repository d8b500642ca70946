"""One module per destination on GitHub, and the ladder that tries them in turn. Texts come ready from the reports."""

from auditor.publishers.fallback_order import Publication, PublishContext, publish
from auditor.publishers.head_freshness import PublicationSubject

__all__ = ["Publication", "PublicationSubject", "PublishContext", "publish"]
