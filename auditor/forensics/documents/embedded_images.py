"""The bytes of a document's images, one after the other and only as many as are asked for.

For whoever can look at pictures. Each document is opened in a child process with limits, which hands over one image
at a time; decoding happens there, and what comes out is PNG or JPEG of bounded size.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from auditor.child_process import Limits, start
from auditor.forensics.documents.document_formats import document_format
from auditor.forensics.documents.reader_child_process import (
    DOCUMENT_SECONDS,
    MAX_DOCUMENT_BYTES,
    MEMORY_BYTES,
    PROCESS_NAME,
)

MAX_IMAGE_BYTES = 4_000_000
MAX_IMAGES = 20
MAX_PIXELS = 10_000_000
_MEDIA_TYPES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


@dataclass(frozen=True)
class ImageBytes:
    """An encoded image, its media type, and the page (from 1) it is on; None where there are no pages."""

    content: bytes
    media_type: str
    name: str
    page: int | None


def image_bytes(name: str, content: bytes) -> Iterator[ImageBytes]:
    """The images of a PDF or DOCX, lazily, at most so many. One that is broken or huge is passed over. Raises NotStarted."""
    if document_format(name) not in {"pdf", "docx"} or len(content) > MAX_DOCUMENT_BYTES:
        return
    child = start(_run_child, (name, content), Limits(MEMORY_BYTES, int(DOCUMENT_SECONDS)), what=PROCESS_NAME)
    ours = child.pipe
    try:
        child.wait_ready()
        for _ in range(MAX_IMAGES):
            ours.send_bytes(b"next")
            if not ours.poll(DOCUMENT_SECONDS):
                return
            label = ours.recv_bytes(2_000).decode("utf-8", errors="replace")
            if not label:
                return
            picture = ours.recv_bytes(MAX_IMAGE_BYTES)
            media = media_type(picture)
            if media is not None:
                page, _, image = label.partition(" ")
                yield ImageBytes(picture, media, image, int(page) if page.isdigit() and page != "0" else None)
    except (EOFError, OSError):
        return  # the document ended the process: there is no more to be had of it
    finally:
        child.end()


def media_type(content: bytes) -> str | None:
    """The type by the first bytes; None for what a model is not shown."""
    return next((media for start, media in _MEDIA_TYPES.items() if content.startswith(start)), None)


def _run_child(pipe: Connection, name: str, content: bytes) -> None:
    found = _pdf_images(content) if document_format(name) == "pdf" else _docx_images(content)
    while pipe.recv_bytes():
        try:
            page, image, picture = next(found)
        except StopIteration:
            pipe.send_bytes(b"")
            return
        pipe.send_bytes(f"{page} {image}"[:1000].encode("utf-8", errors="replace"))
        pipe.send_bytes(picture)


def _pdf_images(content: bytes) -> Iterator[tuple[int, str, bytes]]:
    from auditor.forensics.documents.pdf import MAX_PAGES, named_images, open_reader

    reader = open_reader(content)
    if reader is None:
        return
    for number, page in enumerate(reader.pages, start=1):
        if number > MAX_PAGES:
            return
        for name, image in named_images(page):
            try:
                picture = _encode_image(image)
            except Exception:  # noqa: BLE001, S112 - an image that cannot be decoded is passed over, as is said above
                continue
            if 0 < len(picture) <= MAX_IMAGE_BYTES and media_type(picture):
                yield number, name, picture


def _encode_image(image: Any) -> bytes:
    """A JPEG as it is, plain pixels as PNG; nothing for other encodings."""
    filters = image.get("/Filter")
    last = filters[-1] if isinstance(filters, list) and filters else filters
    if last == "/DCTDecode":
        return bytes(image._data) if not isinstance(filters, list) or len(filters) == 1 else b""
    width, height = int(image["/Width"]), int(image["/Height"])
    if last != "/FlateDecode" or image.get("/BitsPerComponent") != 8 or not 0 < width * height <= MAX_PIXELS:
        return b""
    pixels = image.get_data()
    channels = len(pixels) // (width * height)
    if channels not in (1, 3) or len(pixels) != channels * width * height:
        return b""
    return _encode_png(width, height, channels, pixels, _palette(image.get("/ColorSpace")))


def _palette(space: Any) -> bytes:
    """The colours of an indexed image of RGB; empty for others."""
    space = space.get_object() if hasattr(space, "get_object") else space
    if not isinstance(space, list) or len(space) != 4 or space[0] != "/Indexed":
        return b""
    table = space[3].get_object()
    return bytes(table.get_data() if hasattr(table, "get_data") else table.original_bytes)[: 3 * 256]


def _encode_png(width: int, height: int, channels: int, pixels: bytes, palette: bytes) -> bytes:
    row = width * channels
    raw = b"".join(b"\0" + pixels[start : start + row] for start in range(0, row * height, row))
    kind = 3 if palette and channels == 1 else 2 if channels == 3 else 0
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))]
    chunks += [(b"PLTE", palette[: len(palette) // 3 * 3])] if kind == 3 else []
    chunks += [(b"IDAT", zlib.compress(raw, 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def _docx_images(content: bytes) -> Iterator[tuple[int, str, bytes]]:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for entry in archive.infolist()[:5_000]:
            if not entry.filename.startswith("word/media/"):
                continue
            with archive.open(entry) as stream:
                picture = stream.read(MAX_IMAGE_BYTES + 1)
            if 0 < len(picture) <= MAX_IMAGE_BYTES and media_type(picture):
                yield 0, entry.filename.rpartition("/")[2], picture
