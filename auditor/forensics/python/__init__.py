"""What Python code means: bindings, imports, aliases, constants, call sites, strings that are built, callers.

Never imports or runs the code that it reads.
"""
