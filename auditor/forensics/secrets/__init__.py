"""Secrets in trees, commits and messages: detection, placeholders, and masking of what was found.

No value of a secret leaves the detector's process; only places and fingerprints do.

Other rooms import only the modules named in `__all__`.
"""

__all__ = ["history_scan", "placeholder_secrets", "redacted_facts", "secret_detector", "secret_places"]
