"""Performance measured by hand, as ratios against floors taken in the same run. Nothing here runs in the suite."""
