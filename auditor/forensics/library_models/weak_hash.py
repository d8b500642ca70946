"""Hashes that are broken, and password hashes that are too fast: rows of `weak_hash.yaml`."""

from __future__ import annotations

from typing import NamedTuple

from auditor.forensics.library_models.model_table import Arguments, Names, read_python


class WeakHash(NamedTuple):
    """Digests and password hashes by how their method is named."""

    crypt_calls: Names
    crypt_weak_methods: Names
    digest_functions: Names
    digest_name_arguments: Arguments
    digests: Names
    keyed_calls: Arguments
    keyed_words: Names
    password_contexts: Names
    password_hashers: Arguments
    password_hashes: Names
    weak_digests: Names


def weak_hash() -> WeakHash:
    """The rows, read once."""
    return read_python("weak_hash", WeakHash)
