"""What happens to findings from one record to the next: fingerprints that hold while lines move, and comparisons.

Pure: records come in as values, and nothing is read, written or shown here.
"""
