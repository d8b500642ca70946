"""PDF by pypdf: text by page, and the images that its pages name. Runs in a child process only.

pypdf's own limits are lowered to what honest reports need; whatever still costs too much ends the child.
"""

from __future__ import annotations

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from auditor.forensics.documents.passages import (
    DRAWING_PREFIX,
    Document,
    Image,
    ParagraphJoiner,
    Passage,
    assign_headings,
)
from auditor.forensics.documents.vector_diagrams import MAX_OPERATORS, dereference, find_diagram

MAX_PAGES = 400
MAX_TEXT_LENGTH = 4_000_000
MAX_IMAGES = 2_000
_PYPDF_LIMITS = {
    "maximum_declared_stream_length": 30_000_000, "zlib_maximum_output_length": 10_000_000, "lzw_maximum_output_length": 10_000_000,
    "run_length_maximum_output_length": 10_000_000, "array_based_stream_maximum_output_length": 10_000_000, "jbig2_maximum_output_length": 10_000_000,
    "brotli_maximum_output_length": 10_000_000, "image_maximum_buffer_size": 30_000_000, "stream_decoding_work_maximum_length": 30_000_000,
    "stream_parsing_work_maximum_count": 300_000, "page_tree_maximum_entries": 5_000, "page_tree_maximum_depth": 50, "jbig2dec_binary": None,
    "xform_maximum_invocations_per_extraction": 500, "array_maximum_element_count": 100_000, "outline_maximum_entries": 1_000,
}  # fmt: skip


def read(name: str, content: bytes) -> Document:
    """Every page's text and images. Encrypted, broken and empty documents come back with their problem."""
    reader = open_reader(content)
    if reader is None:
        return Document(name, problem="it is encrypted")
    count = len(reader.pages)
    texts: dict[int, str] = {}
    images: list[Image] = []
    budget = [MAX_OPERATORS]
    dark: list[int] = []
    cut = ""
    for number in range(1, min(count, MAX_PAGES) + 1):
        try:
            page = reader.pages[number - 1]
            texts[number] = page.extract_text() or ""
            images += _images(page, number, MAX_IMAGES - len(images), budget)
        except Exception:  # noqa: BLE001 - whatever hostile bytes raise, that page is dark and the others are not
            dark.append(number)
        if sum(map(len, texts.values())) > MAX_TEXT_LENGTH:
            cut = f"only the first {number} pages were read"
            break
    repeated = _running_titles(texts)
    passages = [passage for number, text in texts.items() for passage in page_passages(text, number, repeated)]
    return _document(name, passages, images, count, "; ".join(filter(None, (_describe_unread_pages(dark, count), cut))))


def _running_titles(texts: dict[int, str]) -> frozenset[str]:
    """First and last lines that are on many pages: running titles."""
    edges: Counter[str] = Counter()
    for text in texts.values():
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        edges.update(set(lines[:2] + lines[-2:]))
    return frozenset(line for line, count in edges.items() if count >= 3 and count * 2 >= len(texts))


def _describe_unread_pages(dark: list[int], count: int) -> str:
    said = [f"pages {', '.join(map(str, dark[:10]))} could not be read"] if dark else []
    if count > MAX_PAGES:
        said.append(f"only the first {MAX_PAGES} pages were read")
    return "; ".join(said)


def _document(name: str, passages: list[Passage], images: list[Image], count: int, partial: str) -> Document:
    problem = ""
    if not passages:
        holds = f"its {count} pages hold images and no text" if images else "it holds no text"
        problem = partial or holds
    return Document(name, tuple(assign_headings(passages)), tuple(images), count, problem, partial)


def page_passages(text: str, page: int, repeated: frozenset[str] = frozenset()) -> list[Passage]:
    """The passages of a page. Running titles and page numbers are none."""
    lines = [line[:5000] for line in text.split("\n") if line.strip() not in repeated and not line.strip().isdigit()]
    if _has_one_word_per_line(lines):
        lines = _FOUR_SENTENCES.sub(r"\1\n\n", " ".join(line.strip() for line in lines)).split("\n")
    joined = ParagraphJoiner(page=page)
    for number, line in enumerate(lines, start=1):
        joined.add(number, line)
    joined.close()
    return joined.found


_FOUR_SENTENCES = re.compile(r"((?:[^.!?]{1,400}[.!?]\s+){4})(?=[A-Z0-9])")


def _has_one_word_per_line(lines: list[str]) -> bool:
    """Some writers of PDF place each word for itself; the lines then mean nothing."""
    full = [line for line in lines if line.strip()]
    return len(full) >= 30 and sum(len(line.split()) for line in full) < 2 * len(full)


def open_reader(content: bytes) -> Any:
    """A reader with our limits, or None for a document that needs a password."""
    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pypdf.apply_configuration(pypdf.Configuration(**_PYPDF_LIMITS))  # type: ignore[arg-type]
    reader = pypdf.PdfReader(io.BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        return None
    return reader


def _images(page: Any, number: int, room: int, budget: list[int]) -> list[Image]:
    """Images that a page names, and that the forms on it name, none decoded; and a diagram that it draws with lines."""
    found: list[Image] = []
    for name, each in named_images(page):
        if len(found) >= room:
            break
        found.append(
            Image(name, page=number, width=_dimension(each.get("/Width")), height=_dimension(each.get("/Height")))
        )
    drawn = find_diagram(page, budget) if len(found) < room else None
    if drawn is not None:
        found.append(Image(f"{DRAWING_PREFIX}{drawn[0]} boxes and {drawn[1]} lines between them", page=number))
    return found


def named_images(page: Any) -> Iterator[tuple[str, Any]]:
    """Name and dictionary of every image of a page, those of its forms included."""
    waiting = [page.get("/Resources")]
    for _ in range(200):
        if not waiting:
            return
        resources = dereference(waiting.pop())
        things: Any = dereference(resources.get("/XObject")) if hasattr(resources, "get") else None
        for name, thing in things.items() if hasattr(things, "items") else ():
            each = dereference(thing)
            if not hasattr(each, "get"):
                continue
            if each.get("/Subtype") == "/Image":
                yield str(name).lstrip("/"), each
            elif each.get("/Subtype") == "/Form":
                waiting.append(each.get("/Resources"))


def _dimension(value: Any) -> int:
    return int(value) if isinstance(value, int) and 0 <= value < 1_000_000 else 0
