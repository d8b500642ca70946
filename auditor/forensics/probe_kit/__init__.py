"""What a probe is written with: the decorators, the inputs it may ask for, outcomes, places, aggregation.

Knows no language and no topic of its own.
"""
