"""Documents read in a child process each, with bounds on time and memory. A hostile one costs itself alone."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

from auditor.child_exit_reasons import exit_reason
from auditor.child_process import WALL_TIME_FACTOR, Limits, start
from auditor.forensics.documents.document_formats import document_format, document_formats
from auditor.forensics.documents.passages import Document

MAX_DOCUMENT_BYTES = 50_000_000
DOCUMENT_SECONDS = 30.0
"""Processor seconds for one document; a hundred pages take five."""
MEMORY_BYTES = 1 << 30
MAX_ANSWER_BYTES = 32_000_000
"""Bytes of a document as it comes back; a book has a million."""
MAX_DOCUMENTS = 100
PROCESS_NAME = "A process that reads documents"


class TimedDocument(NamedTuple):
    """A document, and the processor seconds that reading it took."""

    document: Document
    seconds: float


def read(name: str, content: bytes, *, is_supplied: bool = False) -> Document:
    """The document, or its problem. Never raises on account of the content."""
    return read_timed(name, content, is_supplied=is_supplied).document


def read_timed(
    name: str, content: bytes, *, is_supplied: bool = False, seconds: float = DOCUMENT_SECONDS
) -> TimedDocument:
    """The document, or its problem, read within so many seconds. Never raises on account of the content."""
    if document_format(name) is None:
        problem = f"its format is not supported; {', '.join(sorted(set(document_formats())))} are"
    elif len(content) > MAX_DOCUMENT_BYTES:
        problem = f"larger than {MAX_DOCUMENT_BYTES:,} bytes"
    else:
        problem = "" if content.strip() else "it is empty"
    if problem:
        return TimedDocument(Document(name, problem=problem, given=is_supplied), 0.0)
    answer, spent = run_in_child(_read_by_format, name, content, min(seconds, DOCUMENT_SECONDS))
    if isinstance(answer, str):
        return TimedDocument(Document(name, problem=answer, given=is_supplied), spent)
    document = Document(name, answer.passages, answer.images, answer.pages, answer.problem, answer.partial, is_supplied)
    return TimedDocument(document, spent)


def run_in_child(
    work: Callable[[str, bytes], Document], name: str, content: bytes, seconds: float = DOCUMENT_SECONDS
) -> tuple[Document | str, float]:
    """What the work gives, done by a process of its own, or a sentence when that process failed; and what it took.

    Raises NotStarted.
    """
    allowed = max(1, round(seconds))
    slow = f"reading it took longer than {allowed} seconds"
    began = time.monotonic()
    child = start(_run_child, (work, name, content), Limits(MEMORY_BYTES, allowed), what=PROCESS_NAME, setup=gc.disable)
    try:
        child.wait_ready()
        if not child.pipe.poll(WALL_TIME_FACTOR * allowed):
            return slow, seconds
        spent = float(child.pipe.recv_bytes(100))
        return _parse_answer(child.pipe.recv_bytes(MAX_ANSWER_BYTES)), spent
    except (EOFError, OSError, ValueError):
        child.process.join(timeout=1)
        return exit_reason(child.process.exitcode, slow), min(seconds, time.monotonic() - began)
    finally:
        child.end()


def _parse_answer(answer: bytes) -> Document | str:
    """The child's answer: a sentence, or a document as plain JSON; it has read hostile bytes, so nothing is unpickled."""
    from auditor.forensics.documents.document_json import unpack

    if answer[:1] == b"!":
        return answer[1:].decode("utf-8", errors="replace")
    try:
        return unpack(answer)
    except ValueError:
        return "the process that read it returned an invalid answer"


def _run_child(pipe: Connection, work: Callable[[str, bytes], Document], name: str, content: bytes) -> None:
    from auditor.forensics.documents.document_json import pack

    try:
        answer = pack(work(name, content))
    except MemoryError:
        answer = b"!reading it takes more memory than a document may"
    except Exception as error:  # noqa: BLE001 - whatever hostile bytes raise becomes the reason
        answer = f"!it is broken ({type(error).__name__})".encode()
    if len(answer) > MAX_ANSWER_BYTES:
        answer = b"!it holds more text than is read of a document"
    pipe.send_bytes(f"{time.process_time():.3f}".encode("ascii"))
    pipe.send_bytes(answer)
    os._exit(0)


def _read_by_format(name: str, content: bytes) -> Document:
    from auditor.forensics.documents import docx, pdf, text_documents
    from auditor.forensics.documents.passages import Passage, PassageKind

    what = document_format(name)
    if what == "pdf":
        return pdf.read(name, content)
    if what == "docx":
        return docx.read(name, content)
    text = decode_text(content)
    if what == "mermaid":
        return Document(name, (Passage(PassageKind.CODE, text, line=1, language="mermaid"),))
    readers = {
        "markdown": text_documents.markdown,
        "restructured": text_documents.restructured,
        "plain": text_documents.plain,
    }
    return readers[what or "plain"](name, text)


def decode_text(content: bytes) -> str:
    """Text in UTF-8 or, by its first bytes, UTF-16; other bytes as backslash escapes."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace").replace("\r\n", "\n")
    return content.decode("utf-8-sig", errors="backslashreplace").replace("\r\n", "\n")


__all__ = ["MAX_DOCUMENTS", "MAX_DOCUMENT_BYTES", "read", "read_timed"]
