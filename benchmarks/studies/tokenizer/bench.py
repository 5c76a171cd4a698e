"""The inputs of all parts, and the contenders that gave wrong ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from benchmarks.core.clock import Timed
from benchmarks.studies.tokenizer import texts
from benchmarks.studies.tokenizer.contenders import (
    TIKTOKEN,
    Encode,
    Makers,
    installed,
    libraries,
    missing,
    ours,
    tiktoken_of,
)
from benchmarks.studies.tokenizer.texts import Vocabulary
from benchmarks.study import Setting

SHARE = 500_000
"""Characters that the slow libraries are timed on."""
YARDSTICK = "yardstick"


@dataclass
class Bench(Setting):
    """Bindings, vocabularies and texts; the first binding is compared with the libraries."""

    vocabularies: list[Vocabulary] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def makers(self, vocabulary: Vocabulary) -> Makers:
        """Return all contenders except those that were wrong."""
        found = ours(self.backends, vocabulary) | libraries(vocabulary)
        return {name: make for name, make in found.items() if name not in self.wrong}

    def same(self, name: str, got: Any, wanted: Any, where: str) -> bool:
        """Return True if ids are right; a contender with wrong ids is left out from now on."""
        complaint = f"it gave other ids than tiktoken: {where}"
        return self.right(name, np.array_equal(got, wanted), complaint)

    @cached_property
    def yardstick(self) -> Yardstick:
        """The yardstick, which is the same in all parts."""
        text = next(iter(self.texts.values()))[:SHARE]
        return Yardstick(tiktoken_of(self.vocabularies[0]).encode_to_numpy, text)


def opened(setting: Setting) -> Bench:
    """Return the setting with texts and vocabularies."""
    if not installed(TIKTOKEN):
        raise ImportError("tiktoken provides the right ids: install it")
    absent = setting.absent | texts.missing() | missing()
    found = texts.vocabularies(setting.folder), texts.texts()
    return Bench(
        setting.backends,
        setting.folder,
        full=setting.full,
        absent=absent,
        vocabularies=found[0],
        texts=found[1],
    )


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
        """The yardstick as a contender, to be timed beside the others."""
        return Timed("f(text)", {"f": self.encode, "text": self.text})

    def speeds(self, seconds: Sequence[float]) -> list[float]:
        """Return the yardstick's speed in MB/s."""
        return [megabytes(self.text) / one for one in seconds]


def megabytes(text: str) -> float:
    """Return the size of a text in UTF-8, in MB."""
    return len(text.encode()) / 1e6
