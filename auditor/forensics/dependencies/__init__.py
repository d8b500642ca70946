"""Manifests, lock files and package registries of every ecosystem: what is asked for, and what is locked.

Never runs a build or a package manager, and never asks a registry.
"""
