"""Command lines that decode text and have it run: the same in every language that passes commands to a shell."""

from __future__ import annotations

from auditor.forensics.library_models.shell_programs import UNIX_SHELL

DECODE_COMMAND = r"(?:\bbase(?:64|32)\s+(?:-\w+\s+){0,3}(?:-d\w*|-D\w*|-\wd|--decode)\b|\bopenssl\s[^|;\n]{0,100}?-d\b|\bxxd\s+(?:-\w+\s+){0,3}-r|\buudecode\b)"
_INTERPRETER = rf"(?:sudo\s+)?(?:env\s+)?(?:/usr)?(?:/bin/)?(?:busybox\s+)?(?:{UNIX_SHELL}|python[\d.]*|perl|node|ruby|php)\b(?!\s+-m\s+json)"
DECODE_AND_RUN_COMMAND = rf"{DECODE_COMMAND}[^|]{{0,300}}\|\s*(?:(?:gunzip|zcat|tr|rev|tee)\b[^|]{{0,100}}\|\s*)?{_INTERPRETER}|(?:\beval|\bsource|\b{UNIX_SHELL}|(?:^|[;&|\s])\.)\s[^;\n]{{0,100}}?(?:\$\(|<\(|`)[^)(`]{{0,300}}?{DECODE_COMMAND}"
"""A command line that decodes text and runs the result."""
DECODE_AND_RUN_STATEMENT = "Command decodes encoded text and runs it"
NOT_DECODED_REASON = "the text was not decoded"
