"""Hashes that are broken, and password hashes that are too fast: rows of `weak_hash.yaml`."""

from __future__ import annotations

from auditor.domain.frozen_model import Frozen
from auditor.forensics.library_models.python_rows import python_reader
from auditor.row_tables import ArgumentRows, NameRows


class WeakHash(Frozen):
    """Digests and password hashes by how their method is named."""

    crypt_calls: NameRows
    crypt_weak_methods: NameRows
    digest_functions: NameRows
    digest_name_arguments: ArgumentRows
    digests: NameRows
    keyed_calls: ArgumentRows
    keyed_words: NameRows
    password_contexts: NameRows
    password_hashers: ArgumentRows
    password_hashes: NameRows
    weak_digests: NameRows


weak_hash = python_reader("weak_hash", WeakHash)
