"""Predictions from the ledger: the cost of calls that were not timed, and the break-even size."""
