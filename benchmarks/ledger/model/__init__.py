"""Predictions from the ledger: the cost of calls that were not timed, and the break-even size."""

ALLOWED_NS, ALLOWED = 5.0, 0.1
"""The tolerance of a predicted cost: these nanoseconds or this part of it, the larger one."""
LEVELS = {"5%": 0.05, "1%": 0.01}
"""The parts of a call below which a binding's own time stops mattering."""
