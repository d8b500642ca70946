"""Manifests, lock files and package registries of every ecosystem: what is asked for, and what is locked.

Never runs a build or a package manager, and never asks a registry.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "lock_differences",
    "manifest_pairs",
    "manifest_readers",
    "manifest_texts",
    "maven_gradle",
    "popular",
    "requested_packages",
    "requirements_model",
]
