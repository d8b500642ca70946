"""Tests of protections that a change switches off or takes away."""
