"""A log to read, and what is wrong with a line."""

import random

_random = random.Random(1)
WEIGHTS = {"DEBUG": 0.0, "INFO": 1.0, "WARNING": 2.0, "ERROR": 10.0}
_SERVICES = ("api", "auth", "search", "größe", "billing")
LINES = [
    f"2026-01-02T03:04:{i % 60:02} {_random.choice(list(WEIGHTS))} {_random.choice(_SERVICES)} "
    f"{_random.uniform(0, 900):.3f} request {i} done"
    for i in range(200)
]
WRONG = {
    "line 3: 4 fields expected": "2026-01-02T03:04:05 INFO api",
    "line 3: not a duration": "2026-01-02T03:04:05 INFO api 1.2.3 done",
    "line 3: unknown level TRACE": "2026-01-02T03:04:05 TRACE api 1.5 done",
}
"""The message and the line, which is the third of a log."""
BAD = [*LINES[:-1], "2026-01-02T03:04:05 INFO api soon done"]
