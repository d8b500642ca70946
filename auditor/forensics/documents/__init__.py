"""Architecture reports and other documents: bytes in, passages with their pages out.

`kinds` tells the reader of a file by its name, `reading` runs readers in a child process with limits, `passages` is
what they all come to. Nothing of a document is ever opened by the program that shows it.
"""
