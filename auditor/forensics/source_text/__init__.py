"""Files as text, whatever the language: roles, decoding, comments, generated and embedded code, outlines, syntax trees.

Knows no question and no finding.
"""
