"""Ask one probe about one piece of source, without a repository around it."""

from textwrap import dedent

from auditor.forensics.engine.probe_discovery import discover_probes
from auditor.forensics.engine.probe_subscriptions import Interest
from auditor.forensics.engine.single_file_scan import scan_file
from auditor.forensics.source_text.site_probe_types import Site


def sites(probe_id: str, source: str, language: str = "python") -> list[Site]:
    """The places that the probe reports in this source. Fails when the source could not be read in full."""
    record = scan_file(dedent(source).encode(), language, Interest((discover_probes()[probe_id],)))
    assert record.reading == "full", record.reason
    assert not record.failed, record.failed
    return [seen.site for seen in record.sites.get(probe_id, ())]


def lines(probe_id: str, source: str, language: str = "python") -> list[int]:
    """The lines on which the probe reports something, counted from 1 after the source is dedented."""
    return [site.line for site in sites(probe_id, source, language)]
