"""The inputs of all parts, and the contenders that gave wrong ids."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from studies.study import Setting
from studies.tokenizer import texts
from studies.tokenizer.contenders import TIKTOKEN, Makers, installed, libraries, missing, ours
from studies.tokenizer.texts import Vocabulary

SHARE = 500_000
"""Characters that the slow libraries are timed on."""


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


def opened(setting: Setting) -> Bench:
    """Return the setting with texts and vocabularies."""
    if not installed(TIKTOKEN):
        raise ImportError("tiktoken provides the right ids: install it")
    absent = setting.absent | texts.missing() | missing()
    made = texts.vocabularies(setting.folder)
    backends, folder = setting.backends, setting.folder
    return Bench(backends, folder, absent=absent, vocabularies=made, texts=texts.texts())


def megabytes(text: str) -> float:
    """Return the size of a text in UTF-8, in MB."""
    return len(text.encode()) / 1e6
