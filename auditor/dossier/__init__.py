"""The change as exhibits for judges: its hunks with their definitions, and the callers, callees and tests around them.

Reads both sides through the read-only view of the repository and never runs or checks anything out. The same base and head
give the same dossier, byte for byte. Others use `builder`.
"""
