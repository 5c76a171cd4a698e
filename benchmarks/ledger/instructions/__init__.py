"""The second instrument: how many instructions a call takes, exactly, by callgrind.

Nanoseconds are for people; instructions are for the gate, since a busy machine does not change
them. They are not time: some instructions take longer than others.
"""

from benchmarks.ledger.instructions.counting import available, count, unshuffled
from benchmarks.ledger.instructions.gate import lone, matches, verdicts, versions

__all__ = ["available", "count", "lone", "matches", "unshuffled", "verdicts", "versions"]
