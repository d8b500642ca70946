"""Manifests, lock files and package registries of every ecosystem: what is asked for, and what is locked.

Never runs a build or a package manager, and never asks a registry.

Other rooms import only the modules named in `__all__`.
"""

__all__ = [
    "dependency_types",
    "facts_for_each_package",
    "lock_differences",
    "lock_hosts",
    "manifest_formats",
    "manifest_inputs",
    "manifest_pairs",
    "maven_gradle",
    "popular_packages",
    "registry_hosts",
]
