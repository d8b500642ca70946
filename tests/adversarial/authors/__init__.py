"""Pull requests by authors who hide what they do, each beside an honest one that looks like it."""
