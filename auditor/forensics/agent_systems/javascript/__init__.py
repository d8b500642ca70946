"""JavaScript and TypeScript, translated into the form in which Python is followed.

A script becomes the tree of a Python module that means the same as far as an agent system goes: imports, functions,
classes, lists and the calls on a graph's builder, each at its own lines. From there on one interpreter follows both
languages, and every question is asked once. What has no counterpart becomes a name that stands for nothing known.
Nothing of the tree is ever run.
"""
