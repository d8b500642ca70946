"""Documents of every kind come to passages with their places, and hostile ones to a reason."""

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Callable
from itertools import islice

import pytest

from auditor.domain import CodeLocation, DocumentLocation
from auditor.forensics.documents import reader_child_process
from auditor.forensics.documents.document_json import pack, unpack
from auditor.forensics.documents.embedded_images import image_bytes
from auditor.forensics.documents.passages import Document, PassageKind
from tests.papers import archive, docx, pdf, written
from tests.small_process import in_small_process

read = in_small_process(reader_child_process.read)


def shape(document: Document) -> list[tuple[str, int | None, str]]:
    """Kind, page or line, and text of every passage."""
    return [(each.kind.value, each.page or each.line, each.text) for each in document.passages]


def test_a_pdf_is_read_by_page_without_running_titles_and_page_numbers() -> None:
    pages = [
        f"The Title\n{number}. Section {number}\nThis sentence goes on over\ntwo lines of page {number}.\n{number}"
        for number in (1, 2, 3)
    ]
    document = read("r.pdf", pdf(*pages))
    assert shape(document)[:2] == [
        ("heading", 1, "1. Section 1"),
        ("paragraph", 1, "This sentence goes on over two lines of page 1."),
    ]
    assert document.pages == 3
    place = document.at(document.passages[-1])
    assert isinstance(place, DocumentLocation)
    assert place.page == 3


def test_markdown_keeps_lines_headings_code_and_images() -> None:
    text = "# Top\n\nA word in `code.py` here.\n\n- an item\n\n```mermaid\ngraph TD\nA-->B\n```\n\n![flow](img/flow.png)\n\n| a | b |\n|---|---|\n| c | d |\n"
    document = read("r.md", text.encode())
    assert shape(document)[:4] == [
        ("heading", 1, "Top"), ("paragraph", 3, "A word in code.py here."), ("item", 5, "an item"), ("code", 7, "graph TD\nA-->B\n"),
    ]  # fmt: skip
    assert document.passages[1].marked == ("code.py",)
    assert {each.heading for each in document.passages} == {"Top"}
    assert [(each.name, each.line) for each in document.images] == [("img/flow.png", 12)]
    assert isinstance(document.at(document.passages[1]), CodeLocation)


def test_restructured_text_has_sections_roles_and_directives() -> None:
    text = "Title\n=====\n\nWe use :func:`run_all` and ``state.py``.\n\n.. mermaid::\n\n   graph TD\n   A-->B\n\n.. image:: flow.png\n\nCode::\n\n    x = 1\n"
    document = read("r.rst", text.encode())
    kinds = [each.kind for each in document.passages]
    assert kinds == [
        PassageKind.HEADING,
        PassageKind.PARAGRAPH,
        PassageKind.CODE,
        PassageKind.CODE,
        PassageKind.PARAGRAPH,
    ]
    assert document.passages[1].marked == ("run_all", "state.py")
    assert (document.passages[2].language, document.passages[2].text) == ("mermaid", "graph TD\nA-->B")
    assert [each.name for each in document.images] == ["flow.png"]


def test_a_word_file_has_headings_contents_and_images() -> None:
    content = docx(
        [("Heading1", "Design"), ("TOC1", "Design 1"), ("", "The graph fans out.")],
        extra={"word/media/image1.png": b"\x89PNG\r\n\x1a\nx"},
    )
    document = read("r.docx", content)
    assert [(each.kind, each.text) for each in document.passages] == [
        (PassageKind.HEADING, "Design"), (PassageKind.CONTENTS, "Design 1"), (PassageKind.PARAGRAPH, "The graph fans out."),
    ]  # fmt: skip
    assert [each.name for each in document.images] == ["image1.png"]
    assert [each.content for each in image_bytes("r.docx", content)] == [b"\x89PNG\r\n\x1a\nx"]


def test_lines_of_a_table_of_contents_are_no_text() -> None:
    document = read("r.txt", b"1. Fan-Out ........ 4\n2. Fan-In .......... 7\n\nThe graph fans out to three nodes.\n")
    assert [each.kind for each in document.passages] == [
        PassageKind.CONTENTS,
        PassageKind.CONTENTS,
        PassageKind.PARAGRAPH,
    ]


def test_a_pdf_with_each_word_on_its_line_is_joined_again() -> None:
    words = ("The detectives run at the same time and write to one state. " * 8).replace(" ", "\n")
    [first, *_] = read("r.pdf", pdf(words)).passages
    assert first.text.startswith("The detectives run at the same time and write to one state.")


def test_images_of_a_pdf_are_listed_without_decoding_and_handed_out_one_by_one() -> None:
    content = pdf("Some text on a page.", images=3)
    document = read("r.pdf", content)
    assert [(each.page, each.width, each.height) for each in document.images] == [(1, 300, 300)] * 3
    pictures = list(islice(image_bytes("r.pdf", content), 2))
    assert [(each.page, each.media_type) for each in pictures] == [(1, "image/png")] * 2
    assert pictures[0].content.startswith(b"\x89PNG")


def test_a_document_packed_and_unpacked_is_the_same() -> None:
    document = read(
        "r.md",
        "# T\n\nText `a` \ud83d\ude00\n\n![x](y.png)\n".encode("utf-16", "surrogatepass").decode("utf-16").encode(),
    )
    assert unpack(pack(document)) == document
    with pytest.raises(ValueError, match="unpack"):
        unpack(b"[1]")


ENCRYPTED = b"<< /Filter /Standard /V 1 /R 2 /O (%s) /U (%s) /P -1 >>" % (b"o" * 32, b"u" * 32)


def encrypted() -> bytes:
    """A PDF that asks for a password."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(PdfReader(io.BytesIO(pdf("secret"))))
    writer.encrypt("open sesame", algorithm="RC4-128")
    held = io.BytesIO()
    writer.write(held)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.pdf", b"", "empty"),
        ("a.pdf", b"not a pdf at all", "broken"),
        ("a.pdf", pdf("", images=1), "images and no text"),
        ("a.pdf", pdf(""), "no text"),
        ("a.docx", b"PK not", "broken"),
        ("a.docx", archive({"x": b"y"}), "not a Word document"),
        ("a.docx", docx([]), "no text"),
        ("a.md", b"\n \n", "empty"),
        ("a.xlsx", b"x", "not supported"),
    ],
)
def test_a_document_without_text_says_why(name: str, content: bytes, reason: str) -> None:
    assert reason in read(name, content).problem


def test_an_encrypted_pdf_says_so() -> None:
    assert "encrypted" in read("a.pdf", encrypted()).problem


def flate(content: bytes, times: int = 1) -> bytes:
    """A stream object compressed so many times."""
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b" ".join([b"/FlateDecode"] * times)
    return b"<< /Filter [%s] /Length %d >>\nstream\n" % (filters, len(content)) + content + b"\nendstream"


PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
BILLION = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(12)
) + b"]><l>&m;</l>"  # fmt: skip
HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "flate bomb": ("a.pdf", lambda: pdf("x", objects={4: flate(b"\0" * 80_000_000)})),
    "bomb in a bomb": ("a.pdf", lambda: pdf("x", objects={4: flate(b"\0" * 80_000_000, 2)})),
    "page tree that holds itself": ("a.pdf", lambda: pdf("x", objects={2: b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>"})),
    "two hundred thousand pages": ("a.pdf", lambda: pdf("x", objects={2: b"<< /Type /Pages /Count 200000 /Kids [" + b"5 0 R " * 200_000 + b"] >>"})),
    "deep arrays": ("a.pdf", lambda: pdf("x", objects={2: b"[" * 100_000})),
    "many operators": ("a.pdf", lambda: pdf("x", objects={4: flate(b"BT /F1 1 Tf " + b"(a) Tj " * 60_000 + b" ET")})),
    "form that draws itself": ("a.pdf", lambda: written({1: b"<< /Type /Catalog /Pages 2 0 R >>", 2: b"<< /Type /Pages /Count 1 /Kids [5 0 R] >>", 3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", 4: flate(b"/X Do"), 5: PAGE.replace(b"/Font", b"/XObject << /X 6 0 R >> /Font"), 6: b"<< /Subtype /Form /Resources << /XObject << /X 6 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream"})),
    "cross-reference loop": ("a.pdf", lambda: b"%PDF-1.4\nxref\n0 0\ntrailer << /Prev 9 /Root 1 0 R >>\nstartxref\n9\n%%EOF"),
    "zip bomb": ("a.docx", lambda: archive({"word/document.xml": b"<a>" + b" " * 60_000_000 + b"</a>"})),
    "entity bomb": ("a.docx", lambda: archive({"word/document.xml": BILLION})),
    "external entity": ("a.docx", lambda: archive({"word/document.xml": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'})),
    "deep tags": ("a.docx", lambda: archive({"word/document.xml": b"<a>" * 300_000})),
    "many parts": ("a.docx", lambda: archive({f"p{n}": b"" for n in range(6_000)})),
    "brackets": ("a.md", lambda: b"[" * 1_000_000),
    "quotes in quotes": ("a.md", lambda: b">" * 100_000 + b" x"),
    "one long line": ("a.md", lambda: b"a " * 20_000_000),
    "backquotes": ("a.md", lambda: b"`" * 200_001),
    "dots": ("a.txt", lambda: b"." * 3_000_000),
    "underlines": ("a.rst", lambda: b"a\n=\n" * 20_000),
    "nested lists": ("a.md", lambda: b"".join(b" " * n + b"- x\n" for n in range(3_000))),
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_a_hostile_document_ends_in_time_with_text_or_a_reason(kind: str) -> None:
    name, draw = HOSTILE[kind]
    content = draw()
    started = time.monotonic()
    document = read(name, content)
    assert time.monotonic() - started < 25
    assert document.problem or document.passages
    assert "hostname" not in "".join(each.text for each in document.passages)
