"""Runs the forensics of one audit: which files are read, by which processes and caches, and which probe is asked when.

Never decides what a finding is: that is for the probes. It is the top of forensics, so nothing below imports it.

Other packages import only the modules named in `__all__`; `evidence_gathering` is the way in.
"""

__all__ = ["evidence_gathering", "probe_discovery", "rule_texts", "team_row_files"]
