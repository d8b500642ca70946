"""Tests of lines that do something sensitive, by their words."""
