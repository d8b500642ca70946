"""A document as plain JSON, to pass from the process that read it to the one that asks."""

from __future__ import annotations

import json
from typing import Any

from auditor.forensics.documents.passages import Document, Image, Passage, PassageKind


def pack(document: Document) -> bytes:
    """The document as JSON; lone surrogates are escaped."""
    return json.dumps(
        [
            document.name,
            [
                [p.kind.value, p.text, p.page, p.line, p.heading, p.language, list(p.marked), list(p.line_starts)]
                for p in document.passages
            ],
            [[i.name, i.page, i.line, i.width, i.height] for i in document.images],
            document.pages,
            document.problem,
            document.partial,
        ]
    ).encode("ascii")


def unpack(packed: bytes) -> Document:
    """The document again. Raises ValueError when the bytes are something else."""
    try:
        name, passages, images, pages, problem, partial = json.loads(packed)
        return Document(
            str(name),
            tuple(_passage(*each) for each in passages),
            tuple(Image(str(n), _number(p), _number(li), int(w), int(h)) for n, p, li, w, h in images),
            int(pages),
            str(problem),
            str(partial),
        )
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError("not a document") from error


def _passage(*fields: Any) -> Passage:
    kind, text, page, line, heading, language, marked, breaks = fields
    return Passage(
        PassageKind(kind),
        str(text),
        _number(page),
        _number(line),
        str(heading),
        str(language),
        tuple(map(str, marked)),
        tuple(int(each) for each in breaks),
    )


def _number(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or value < 1:
        raise ValueError("not a number of a page or line")
    return value
