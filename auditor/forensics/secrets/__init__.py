"""Secrets in trees, commits and messages: detection, placeholders, and masking of what was found.

No value of a secret leaves the detector's process; only places and fingerprints do.
"""
