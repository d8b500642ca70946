"""Runs the forensics of one audit: which files are read, by which processes and caches, and which probe is asked when.

Never decides what a finding is: that is for the probes. It is the top of forensics, so nothing below imports it.

Other rooms import only the modules named in `__all__`.
"""

from __future__ import annotations

from auditor.forensics.engine.evidence_gathering import gather, questions
from auditor.forensics.engine.options import Gathered, Options

__all__ = ["Gathered", "Options", "discovery", "gather", "questions"]
