"""Code that hides what it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from auditor.forensics.obfuscation.hidden_code import obfuscations
from auditor.forensics.probe_kit.probe_decorators import text_probe
from auditor.forensics.source_text.site_probe_types import FILE_NAME, Site, Text

_MAX_SITES = 300
"""Places of one file that are reported; more say nothing new of it."""


@text_probe("code.obfuscated", none_statement="No code hides what it does.")
def obfuscated(text: Text) -> Iterator[Site]:
    r"""Does code hide what it does?

    Names that are built at run time (`getattr(os, "sys" + "tem")`), encoded text that is decoded and run, names
    written with escapes (`\u0065val`), shell commands in pieces, and JavaScript that an obfuscator made. Names of the
    program's own that are built from a variable do not count.

    Write names and commands as they are, and keep code in source files where reviewers and search tools see it.
    """
    if text.language != FILE_NAME:
        yield from islice(obfuscations(text), _MAX_SITES)
