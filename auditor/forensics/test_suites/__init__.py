"""What a change takes from the tests: some are gone, switched off, left out by settings, or check less than before.

Python tests are told with the lines that they stand in (`python`, `gone`, `joined`, `switched_off`, `weakened`), those
of other languages by what a parser says of each (`other_languages`). Both come out as one `Lost`.
"""
