"""The search for special tokens in a str; their number does not change the work at a place.

Every name that a text starts with is the last name that does not sort after the text, or a prefix
of that one: "<|a|>" <= "<|a|>b" <= "<|a|>bx..." < "<|a|>c".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import takewhile
from typing import Any, TypeVar

PLAIN, ALLOWED, REFUSED = range(3)
"""The ways to treat a special token in a text: as plain text, as its id, or as an error."""


class Flag:
    """What else the section `defined` of a model says of a token."""

    LSTRIP, RSTRIP = 4, 8  # it takes the white space on a side
    NORMALIZED = 16  # it is found in normalized text
    OF_A_BYTE = 32  # it stands for a byte, and need not be special
    ORDINARY = 64  # it is found in every text, like other words of the vocabulary
    SINGLE_WORD = 128  # it is not found beside a letter or a digit
    INEXACT = LSTRIP | RSTRIP | SINGLE_WORD  # a kernel finds more of it, or less, than there is


LONGEST = 1024  # most bytes of a special token, which bounds the work at a place of a text

Name = TypeVar("Name", str, bytes)


def prefixes(names: Sequence[Name]) -> list[int]:
    """Return, for each of sorted names, the number of the longest other name that it starts with.

    Where there is none, the number is -1.
    """
    found: list[int] = []
    for number, name in enumerate(names):
        prefix = number - 1
        while prefix >= 0 and not name.startswith(names[prefix]):
            prefix = found[prefix]
        found.append(prefix)
    return found


def overlapping(late: Set[str], early: Set[str]) -> tuple[str, str] | None:
    """Return a name of each kind such that searching for `early` first can lose the one of `late`.

    That is so if the early one is inside the other, or begins with its end.
    """
    starts = {name[:end]: name for name in early for end in range(1, len(name) + 1)}
    lengths = {len(name) for name in early}
    for name in late:
        for at in range(len(name)):
            inside = (name[at : at + length] for length in lengths)
            begun = starts.get(name[at:]) if at else None
            if found := next((part for part in inside if part in early), begun):
                return name, found
    return None


def ordinary_policy(policy: Any) -> bytes:
    """Return the policy by which special tokens are plain text, or b"" if that is true of all.

    Those that a model's default policy allows are found in every text.
    """
    if not isinstance(policy, bytes) or not bytes.count(policy, ALLOWED):
        return b""
    return bytes.replace(policy, bytes([REFUSED]), bytes([PLAIN]))


def control_ids(sections: Mapping[str, Any]) -> Any:
    """Return the ids of a model's special tokens, without those that are ORDINARY."""
    ids = sections["special_ids"]
    return ids[sections["defined"][ids] & Flag.ORDINARY == 0]


class Finder:
    """A search for names: the leftmost, and of those at one place the longest."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(names)
        self._prefixes = prefixes(self._names)
        self._longest = max(map(len, self._names), default=0)
        ends = zip(self._names[0], self._names[-1], strict=False) if self._names else ()
        common = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
        first = "".join({re.escape(name[:1]) for name in self._names})
        everywhere = common or not first or "" in self._names
        self._start = re.compile(re.escape(common) if everywhere else f"[{first}]")

    def find_all(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield where each name begins, and the name; they do not overlap."""
        at = 0
        while self._names and (candidate := self._start.search(text, at)):
            at = candidate.start()
            name = self._name_at(text[at : at + self._longest])
            if name is not None:
                yield at, name
            if at == len(text):
                break
            at += len(name or " ")

    def _name_at(self, text: str) -> str | None:
        number = bisect_right(self._names, text) - 1
        while number >= 0 and not text.startswith(self._names[number]):
            number = self._prefixes[number]
        return self._names[number] if number >= 0 else None
