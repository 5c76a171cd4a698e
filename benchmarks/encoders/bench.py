"""What all parts are given, and whom they found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np
from clock import Timed

from encoders.contenders import Encode, Makers, libraries, ours, tiktoken_of
from encoders.texts import Vocabulary

SHARE = 500_000
"""Characters that the slow libraries are timed on."""
YARDSTICK = "yardstick"


@dataclass
class Bench:
    """Bindings, vocabularies and texts; the first binding is compared with the libraries."""

    backends: dict[str, ModuleType]
    vocabularies: list[Vocabulary]
    texts: dict[str, str]
    without: frozenset[str] = frozenset()
    full: bool = False
    rounds: int = 1
    wrong: dict[str, str] = field(default_factory=dict)
    """By contender, what was wrong."""

    def makers(self, vocabulary: Vocabulary) -> Makers:
        """Everyone but those that are left out."""
        found = ours(self.backends, vocabulary) | libraries(vocabulary)
        return {name: make for name, make in found.items() if self.takes_part(name)}

    def takes_part(self, name: str) -> bool:
        """Whether nobody asked to leave it out, and it was never wrong."""
        return name not in self.without and name not in self.wrong

    def right(self, name: str, got: Any, wanted: Any, where: str) -> bool:
        """Whether an answer is what is wanted; who gives another is from now on left out."""
        if not np.array_equal(got, wanted):
            self.wrong.setdefault(name, f"it gave other ids than tiktoken: {where}")
        return name not in self.wrong

    @cached_property
    def yardstick(self) -> Yardstick:
        """The same for all parts."""
        text = next(iter(self.texts.values()))[:SHARE]
        return Yardstick(tiktoken_of(self.vocabularies[0]).encode_to_numpy, text)


@dataclass(frozen=True)
class Yardstick:
    """The yardstick: tiktoken on the first text with the first vocabulary.

    It is timed in the same rounds as everything else, so that speeds on different machines can be
    compared.
    """

    encode: Encode
    text: str

    @property
    def timed(self) -> Timed:
        """To be timed beside others."""
        return Timed("f(text)", {"f": self.encode, "text": self.text})

    def speeds(self, seconds: Sequence[float]) -> list[float]:
        """MB/s."""
        return [megabytes(self.text) / one for one in seconds]


def megabytes(text: str) -> float:
    """In UTF-8."""
    return len(text.encode()) / 1e6
