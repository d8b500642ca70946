"""The pictures behind evidence that nobody looked at: images of reports, and image files that documents show."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from auditor.domain import CodeLocation, DocumentLocation, Evidence, Outcome
from auditor.forensics.documents.embedded_images import MAX_IMAGE_BYTES, ImageBytes, image_bytes, media_type

ReadFile = Callable[[str], bytes | None]
"""The bytes of a report that was handed over or of a file of the repository; None when there is none of that name."""


def pictures(evidence: Evidence, probe: str, read: ReadFile) -> Iterator[tuple[str, ImageBytes]]:
    """Where each picture is and what it holds, when this is the named probe's word that nobody looked at some.

    Paths come from documents, so they are looked up among the repository's files and never on disk.
    """
    if evidence.probe != probe or evidence.outcome is not Outcome.UNAVAILABLE:
        return
    wanted: dict[str, set[int | None]] = {}
    for place in evidence.locations:
        if isinstance(place, DocumentLocation):
            wanted.setdefault(place.path, set()).add(place.page)
        elif isinstance(place, CodeLocation):
            found = _image_file(place, read)
            if found is not None:
                yield found
            else:
                wanted.setdefault(place.path, set()).add(None)
    for name, pages in wanted.items():
        content = read(name)
        for each in image_bytes(name, content) if content is not None else ():
            if each.page is None or each.page in pages:
                yield f"{name}:{each.page}" if each.page else f"{name}:{each.name}", each


def _image_file(place: CodeLocation, read: ReadFile) -> tuple[str, ImageBytes] | None:
    """The image file that a document of the repository shows by a relative path."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(place.path), place.quote.partition("?")[0].strip()))
    if not place.quote or "://" in place.quote or path.startswith(("../", "/")):
        return None
    content = read(path)
    media = None if content is None or len(content) > MAX_IMAGE_BYTES else media_type(content)
    return None if content is None or media is None else (path, ImageBytes(content, media, path, None))
