"""The second instrument: how many instructions a call takes, exactly, by callgrind.

Nanoseconds are for people; instructions are for the gate, since a busy machine does not change
them. They are not time: a machine does some faster than others.
"""

from instructions.counting import available, count, unshuffled
from instructions.gate import lone, matches, verdicts, versions

__all__ = ["available", "count", "lone", "matches", "unshuffled", "verdicts", "versions"]
