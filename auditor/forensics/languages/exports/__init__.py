"""What a file offers to others, read from its top level: names, and what must be passed to what can be called.

Whether others can reach the file at all is not asked here. A description names the module of this folder that reads its language.
"""
