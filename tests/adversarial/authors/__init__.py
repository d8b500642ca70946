"""Pull requests by authors who hide what they do: each case beside one that looks like it and is harmless."""
