"""The limits: what matmul is held against, measured beside it."""
