"""Draw comment, check run, job summary and HTML page as a browser shows them, light and dark, wide and narrow.

    npm install --prefix NODE github-markdown-css puppeteer-core
    python -m tests.pictures NODE FOLDER [--browser /usr/bin/chromium]

GitHub's own style sheet comes from the npm package, the Markdown from a parser that knows GitHub's tables, and the
records from `tests/reports.py` and from audits by a stand-in for a model.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from pathlib import Path

from markdown_it import MarkdownIt

from auditor.domain import AnnotationLevel, AuditReport, CheckOutput, Conclusion, RulingStatus
from auditor.report.check_run_text import check_output
from auditor.report.comment_text import comment
from auditor.report.escaping import for_html
from auditor.report.html_report import html
from auditor.report.job_summary_text import summary
from auditor.report.previous_scores import PastVerdict, VerdictHistory
from tests.pictures import heard
from tests.reports import BEFORE, LINKS, contested, typical

MEMORY = VerdictHistory(
    now=PastVerdict(
        rubric="pull-request",
        digest="5e" * 8,
        bench="embedded",
        head=BEFORE,
        conclusion=Conclusion.FAILED,
        overall=3.4,
        scores={
            "focus": 5.0,
            "tests": 3.1,
            "security": 3.0,
            "error_handling": 2.2,
            "interfaces": 5.0,
            "documentation": RulingStatus.INCONCLUSIVE,
        },
    )
)
_FRAME = """<!doctype html><meta charset="utf-8"><style>{style}
body {{ margin: 0; padding: 16px; background: {canvas}; font-family: -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }}
.box {{ border: 1px solid {line}; border-radius: 6px; overflow: hidden; }}
.head {{ padding: 8px 16px; font-size: 14px; color: {soft}; background: {tint}; border-bottom: 1px solid {line}; }}
.markdown-body {{ padding: 16px; font-size: {size}px; }}
.note {{ border: 1px solid {line}; border-radius: 6px; margin: 0 16px 12px; font-size: 13px; color: {ink}; }}
.note b {{ display: block; }} .note .at {{ padding: 6px 12px; color: {soft}; border-bottom: 1px solid {line}; font-family: monospace; }}
.note .says {{ padding: 8px 12px; white-space: pre-wrap; border-left: 4px solid {warn}; }} .note .failure {{ border-left-color: {fail}; }} .note .notice {{ border-left-color: {soft}; }}
</style><div class="box"><div class="head">{head}</div><article class="markdown-body">{body}</article>{notes}</div>"""
_LIGHT = {
    "canvas": "#fff", "line": "#d1d9e0", "soft": "#59636e", "tint": "#f6f8fa", "ink": "#1f2328", "warn": "#bf8700", "fail": "#cf222e",
}  # fmt: skip
_DARK = {
    "canvas": "#0d1117", "line": "#3d444d", "soft": "#9198a1", "tint": "#151b23", "ink": "#f0f6fc", "warn": "#9e6a03", "fail": "#da3633",
}  # fmt: skip


def _markdown(text: str, *, breaks: bool) -> str:
    """As GitHub does it: tables, strikethrough and HTML; in comments every line end is a break."""
    parser = MarkdownIt("commonmark", {"html": True, "breaks": breaks}).enable(["table", "strikethrough"])
    rendered: str = parser.render(text)
    return rendered


def _notes(output: CheckOutput) -> str:
    levels = {AnnotationLevel.FAILURE: "failure", AnnotationLevel.WARNING: "warning", AnnotationLevel.NOTICE: "notice"}
    return "".join(
        f'<div class="note"><div class="at">{for_html(each.path)}#L{each.start_line}</div>'
        f'<div class="says {levels[each.level]}"><b>{for_html(each.title)}</b>{"<br>".join(map(for_html, each.message.split(chr(10))))}</div></div>'
        for each in output.annotations
    )


def _pages(report: AuditReport, memory: VerdictHistory | None) -> dict[str, tuple[str, str, str]]:
    """Name, and what is over, in and under the box."""
    output = check_output(report, LINKS, memory)
    checked = f"<h2>{for_html(output.title)}</h2>" + _markdown(output.summary + "\n" + output.text, breaks=False)
    return {
        "comment": (
            "<b>github-actions</b> bot commented now",
            _markdown(comment(report, LINKS, memory), breaks=True),
            "",
        ),
        "check": ("<b>Automaton Auditor</b>", checked, _notes(output)),
        "summary": ("audit summary", _markdown(summary(report, LINKS, memory), breaks=False), ""),
    }


def main() -> None:
    """Write the pages, then have the browser take the pictures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("node", type=Path)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--browser", default="/usr/bin/chromium")
    given = arguments.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    styles = given.node.resolve() / "node_modules" / "github-markdown-css"
    shots = []
    drawn = {"typical": (typical(), MEMORY), "contested": (contested(), None)}
    drawn |= {name: (report, None) for name, report in heard.reports().items()}
    for name, (report, memory) in drawn.items():
        for page, (head, body, notes) in _pages(report, memory).items():
            for theme, colours in (("light", _LIGHT), ("dark", _DARK)):
                style = (styles / f"github-markdown-{theme}.css").read_text(encoding="utf-8")
                size = 14 if page != "summary" else 16
                file = given.folder / f"{name}-{page}-{theme}.html"
                text = _FRAME.format(style=style, head=head, body=body, notes=notes, size=size, **colours)
                file.write_text(text, encoding="utf-8")
                shots.append({"file": str(file.resolve()), "theme": theme})
        file = given.folder / f"{name}-page.html"
        file.write_text(html(report, LINKS, memory), encoding="utf-8")
        shots += [{"file": str(file.resolve()), "theme": theme} for theme in ("light", "dark")]
    script = Path(__file__).with_name("shoot.mjs")
    environment = {**os.environ, "BROWSER": given.browser, "MODULES": str(given.node.resolve() / "node_modules")}
    subprocess.run(["node", str(script)], input=json.dumps(shots), text=True, check=True, env=environment)


main()
