"""Labelled lines of other projects as a second opinion on our rules."""
