"""The texts that are encoded, and their vocabularies.

They are real files if COOKBOOK_DATA names their folder, else Python's help and source, and
vocabularies trained on them.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import NamedTuple

from ffi_cookbook.tokenizer import Model, sample_texts, save_tiktoken, train

EOT = "<|endoftext|>"
RANKS = {"gpt2": ("gpt2.tiktoken", 50256), "o200k": ("o200k_base.tiktoken", 199999)}
"""By pattern: the file, and the id of the special token."""
REAL = {
    "gsm8k": "gsm8k_train.jsonl",
    "Shakespeare": "tinyshakespeare.txt",
    "18 languages": "wikipedia_mars_18lang.txt",
}
PYTHON = 10_000_000  # characters of the standard library's source
TRAINED, TRAINING = 8192, 500_000  # tokens, characters


class Vocabulary(NamedTuple):
    """Ranks, and the pattern that splits text before they are looked up."""

    pattern: str
    path: Path
    eot: int

    @property
    def special(self) -> dict[str, int]:
        """Return the special token and its id."""
        return {EOT: self.eot}

    def load(self) -> Model:
        """Load the models that our tokenizers open."""
        return Model.load(self.path, pattern=self.pattern, special_tokens=self.special)


def vocabularies(folder: Path) -> list[Vocabulary]:
    """Return a vocabulary for each pattern; trained ones are written to the folder."""
    return [_real(pattern) if _data() else _trained(pattern, folder) for pattern in RANKS]


def texts() -> dict[str, str]:
    """Return the texts by name."""
    found = {}
    if data := _data():
        found = {name: (data / file).read_text("utf-8") for name, file in REAL.items()}
    else:
        found = {"Python help": "".join(sample_texts())}
    return found | {"Python source": _source()}


def missing() -> dict[str, str]:
    """Return the missing texts, and the reasons."""
    if _data():
        return {}
    why = "COOKBOOK_DATA names no folder"
    return dict.fromkeys(REAL, why) | {
        file: f"{why}; {TRAINED} tokens were trained on Python's help" for file, _ in RANKS.values()
    }


def _data() -> Path | None:
    named = os.environ.get("COOKBOOK_DATA")
    return Path(named) if named else None


def _real(pattern: str) -> Vocabulary:
    file, eot = RANKS[pattern]
    return Vocabulary(pattern, (_data() or Path()) / file, eot)


def _trained(pattern: str, folder: Path) -> Vocabulary:
    path = folder / f"{pattern}.tiktoken"
    ranks = train(sample_texts(TRAINING), TRAINED, pattern)
    save_tiktoken(ranks, path)
    return Vocabulary(pattern, path, len(ranks))


def _source() -> str:
    source = ""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py")):
        source += path.read_text(encoding="utf-8", errors="replace")
        if len(source) > PYTHON:
            break
    return source
