"""What other code calls, and whether a change breaks it: exports, signatures, types, reachability.

Never decides how bad a break is.
"""
