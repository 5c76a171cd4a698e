"""The inputs of the kernels: real files if COOKBOOK_DATA names some, else generated ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ffi_cookbook.records import Schema, encode_example, frame
from ffi_cookbook.tokenizer import sample_texts, save_tiktoken, train

SAMPLE = 300  # records, for slow contenders and for checking answers
SAMPLE_CHARS = 20_000
PATTERN = "gpt2"
SCHEMA = Schema(
    {"label": ("int64", 1), "dense": ("float32", 13), "ids": ("int64", 26), "history": "int64"}
)


@dataclass(frozen=True)
class Inputs:
    """The contents of the files that `prepare` wrote."""

    folder: Path
    records: bytes
    sample: bytes  # its first SAMPLE records
    text: str
    schema = SCHEMA

    @property
    def ranks(self) -> Path:
        """The vocabulary."""
        return self.folder / "ranks.tiktoken"


def prepare(folder: Path, full: bool) -> dict[str, str]:
    """Write the inputs into a folder and describe them."""
    framed = clicks(8000 if full else 2000)
    megabytes = 16 if full else 8
    whole = framed * max(1, round(megabytes * 1e6 / sum(map(len, framed))))
    (folder / "records").write_bytes(b"".join(whole))
    (folder / "sample").write_bytes(b"".join(whole[:SAMPLE]))
    if data := os.environ.get("COOKBOOK_DATA"):
        text = Path(data, "tinyshakespeare.txt").read_text("utf-8")
        shutil.copy(Path(data, "gpt2.tiktoken"), folder / "ranks.tiktoken")
        source = "Tiny Shakespeare, GPT-2's vocabulary"
    else:
        text = "".join(sample_texts())
        training = sample_texts(500_000 if full else 100_000)
        save_tiktoken(train(training, 8192, PATTERN), folder / "ranks.tiktoken")
        source = "Python's help and library sources, a vocabulary trained on them"
    (folder / "text").write_text(text[: 200_000 if full else 100_000], "utf-8")
    return {
        "records": f"click Examples of {sum(map(len, framed)) / len(framed):.0f} bytes each",
        "tokenizer": source,
    }


def load(folder: Path) -> Inputs:
    """Load the files that `prepare` wrote."""
    records, sample, text = ((folder / name).read_bytes() for name in ("records", "sample", "text"))
    return Inputs(folder, records, sample, text.decode())


def frames(data: bytes) -> Iterator[bytes]:
    """Yield each record of a file, with its header and footer."""
    at = 0
    while at < len(data):
        end = at + 16 + int.from_bytes(data[at : at + 8], "little")
        yield data[at:end]
        at = end


def clicks(count: int) -> list[bytes]:
    """Return Examples as in advertising: a label, 13 floats, 26 ids, 0 to 39 ids of history."""
    random, framed = np.random.default_rng(1), []
    for i in range(count):
        row = {"label": i % 2, "dense": random.random(13, np.float32)}
        row["ids"] = random.integers(0, 1 << 20, 26)
        row["history"] = random.integers(0, 1 << 20, random.integers(0, 40))
        framed.append(frame(encode_example(row)))
    return framed
