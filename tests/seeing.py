"""Ask one probe about one piece of source, without a repository around it."""

from textwrap import dedent

from auditor.forensics.look import look_at_python, look_at_text
from auditor.forensics.probe import SiteProbe, TextProbe, discovered
from auditor.forensics.sites import Site, Text


def sites(probe_id: str, source: str, language: str = "python") -> list[Site]:
    """The places that the probe reports in this source."""
    probe = discovered()[probe_id]
    if isinstance(probe, SiteProbe):
        return look_at_python(dedent(source), [probe])[probe_id]
    assert isinstance(probe, TextProbe), f"{probe_id} does not look at single places"
    return look_at_text(Text(dedent(source), language), [probe])[probe_id]


def lines(probe_id: str, source: str, language: str = "python") -> list[int]:
    """The lines on which the probe reports something, counted from 1 after the source is dedented."""
    return [site.line for site in sites(probe_id, source, language)]
