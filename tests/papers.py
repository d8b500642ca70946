"""Draw small documents byte for byte: PDF pages with text and images, Word files."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(*pages: str, images: int = 0, objects: Mapping[int, bytes] | None = None) -> bytes:
    """A PDF with a page for each text; `images` puts so many grey squares of 300 pixels on the first."""
    found: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    kids: list[int] = []
    number = 4
    pictures: list[int] = []
    for _ in range(images):
        pixels = zlib.compress(b"\x80" * 300 * 300)
        head = b"<< /Type /XObject /Subtype /Image /Width 300 /Height 300 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode /Length %d >>"
        found[number] = (head % len(pixels)) + b"\nstream\n" + pixels + b"\nendstream"
        pictures.append(number)
        number += 1
    for place, text in enumerate(pages):
        lines = b"".join(b"(%s) Tj 0 -14 Td\n" % _escaped(line) for line in text.split("\n"))
        content = b"BT /F1 12 Tf 50 750 Td\n" + lines + b"ET"
        named = b" ".join(b"/Im%d %d 0 R" % (each, each) for each in pictures) if place == 0 else b""
        found[number] = b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream"
        found[number + 1] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> /XObject << %s >> >> >>" % (number, named)
        )
        kids.append(number + 1)
        number += 2
    found[2] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % each for each in kids))
    found.update(objects or {})
    return written(found)


def written(objects: Mapping[int, bytes]) -> bytes:
    """A PDF file of those objects; number 1 is its root."""
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, start)
    return bytes(out)


def _escaped(line: str) -> bytes:
    return line.encode("latin-1", errors="replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def docx(paragraphs: Sequence[tuple[str, str]], *, extra: Mapping[str, bytes] | None = None) -> bytes:
    """A Word file; each paragraph is a style (or nothing) and a text."""
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    return archive(
        {
            "word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>'.encode(),
            **(extra or {}),
        }
    )


def archive(parts: Mapping[str, bytes]) -> bytes:
    """A zip file of those parts."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in parts.items():
            zipped.writestr(name, content)
    return held.getvalue()
