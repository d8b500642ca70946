"""DOCX without a word processor: the text part of the archive, within sizes that the archive cannot lie about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from auditor.forensics.documents.document_formats import picture_endings
from auditor.forensics.documents.passages import Document, Image, Passage, PassageKind, assign_headings

MAX_PART_BYTES = 20_000_000
"""Bytes of one part, unpacked."""
MAX_PARTS = 5_000
MAX_PASSAGES = 50_000
_WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read(name: str, content: bytes) -> Document:
    """Paragraphs and tables in their order, and the names of images."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MAX_PARTS:
                return Document(name, problem=f"it holds more than {MAX_PARTS:,} parts")
            text = read_part(archive, "word/document.xml")
            images = tuple(
                Image(each.filename.rpartition("/")[2]) for each in entries
                if each.filename.startswith("word/media/") and each.filename.lower().endswith(picture_endings())
            )  # fmt: skip
    except KeyError:
        return Document(name, problem="it is not a Word document")
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError) as error:
        return Document(name, problem=f"its archive is broken or encrypted ({type(error).__name__})")
    except ValueError as error:
        return Document(name, problem=str(error))
    passages = tuple(assign_headings(_passages(text)))
    problem = "" if passages else "it has images and no text" if images else "it has no text"
    return Document(name, passages, images, problem=problem)


def read_part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One part, unpacked. Raises ValueError when it is larger than it may be, whatever its header says."""
    with archive.open(name) as stream:
        content = stream.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise ValueError(f"a part of it unpacks to more than {MAX_PART_BYTES:,} bytes")
    return content


def _passages(content: bytes) -> Iterator[Passage]:
    """Paragraphs as they end; the tree is dropped as it is read."""
    from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]
    from defusedxml.ElementTree import ParseError, iterparse  # type: ignore[import-untyped]

    number = 0
    try:
        for _, element in iterparse(io.BytesIO(content), events=("end",), forbid_dtd=True):
            if element.tag != f"{_WORD_NAMESPACE}p":
                continue
            text = _text(element)
            if text.strip():
                number += 1
                yield Passage(_kind(element), " ".join(text.split()), line=number)
            element.clear()
            if number >= MAX_PASSAGES:
                return
    except (ParseError, DefusedXmlException):
        return


def _text(paragraph: Any) -> str:
    pieces: list[str] = []
    for each in paragraph.iter():
        if each.tag == f"{_WORD_NAMESPACE}t" and each.text:
            pieces.append(each.text)
        elif each.tag in (f"{_WORD_NAMESPACE}tab", f"{_WORD_NAMESPACE}br"):
            pieces.append(" ")
    return "".join(pieces)


def _kind(paragraph: Any) -> PassageKind:
    style = paragraph.find(f"{_WORD_NAMESPACE}pPr/{_WORD_NAMESPACE}pStyle")
    name = (style.get(f"{_WORD_NAMESPACE}val") or "").lower() if style is not None else ""
    if name.startswith(("heading", "title", "subtitle")):
        return PassageKind.HEADING
    if name.startswith("toc"):
        return PassageKind.CONTENTS
    return (
        PassageKind.ITEM
        if paragraph.find(f"{_WORD_NAMESPACE}pPr/{_WORD_NAMESPACE}numPr") is not None
        else PassageKind.PARAGRAPH
    )
