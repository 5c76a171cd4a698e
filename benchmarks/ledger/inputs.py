"""The inputs of the kernels: real files if COOKBOOK_DATA names some, else generated ones."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ffi_cookbook.records import FixedLayout, Schema, encode_example, frame
from ffi_cookbook.tokenizer import sample_texts, save_tiktoken, train

SAMPLE = 300  # records, for slow contenders and for checking answers
SAMPLE_CHARS = 20_000
LINE = "The quick brown fox jumps over the lazy dog, and doesn't look back at all."
PATTERN = "gpt2"

TICK = np.dtype(
    {
        "names": ["time", "order", "price", "size", "side", "levels"],
        "formats": [">u8", ">u8", ">i8", ">u4", "u1", (">f4", 8)],
    }
)  # 61 bytes, big-endian, packed
TICK_STRUCT = ">QQqIB8f"


@dataclass(frozen=True)
class Inputs:
    """The contents of the files that `prepare` wrote."""

    folder: Path
    records: bytes
    sample: bytes  # its first SAMPLE records
    schema: Schema
    ticks: bytes
    text: str

    @property
    def ranks(self) -> Path:
        """The vocabulary."""
        return self.folder / "ranks.tiktoken"


def prepare(folder: Path, quick: bool) -> dict[str, str]:
    """Write the inputs into a folder and describe them."""
    data = os.environ.get("COOKBOOK_DATA")
    real = Path(data) if data else None
    schema, framed, kind = clicks(2000 if quick else 8000)
    megabytes = 8 if quick else 16
    whole = framed * max(1, round(megabytes * 1e6 / sum(map(len, framed))))
    (folder / "records").write_bytes(b"".join(whole))
    (folder / "sample").write_bytes(b"".join(whole[:SAMPLE]))
    (folder / "schema.json").write_text(json.dumps(schema))
    (folder / "ticks").write_bytes(_ticks(20_000 if quick else 200_000))
    if real:
        text = (real / "tinyshakespeare.txt").read_text("utf-8")
        (folder / "ranks.tiktoken").write_bytes((real / "gpt2.tiktoken").read_bytes())
        source = "Tiny Shakespeare, GPT-2's vocabulary"
    else:
        text = "".join(sample_texts())
        training = sample_texts(100_000 if quick else 500_000)
        save_tiktoken(train(training, 8192, PATTERN), folder / "ranks.tiktoken")
        source = "Python's help and library sources, a vocabulary trained on them"
    (folder / "text").write_text(text[: 100_000 if quick else 200_000], "utf-8")
    return {
        "records": f"{kind}, {sum(map(len, framed)) / len(framed):.0f} bytes each",
        "tokenizer": source,
    }


def load(folder: Path) -> Inputs:
    """Load the files that `prepare` wrote."""
    schema = json.loads((folder / "schema.json").read_text())
    features = {
        name: kind if isinstance(kind, str) else (kind[0], kind[1]) for name, kind in schema.items()
    }
    return Inputs(
        folder,
        (folder / "records").read_bytes(),
        (folder / "sample").read_bytes(),
        Schema(features),
        (folder / "ticks").read_bytes(),
        (folder / "text").read_text("utf-8"),
    )


def tick_layout() -> FixedLayout:
    """Return the layout of a tick."""
    return FixedLayout(TICK)


def clicks(count: int) -> tuple[dict[str, object], list[bytes], str]:
    """Return Examples as in advertising: a label, 13 floats, 26 ids, 0 to 39 ids of history."""
    random = np.random.default_rng(1)
    framed = [
        frame(
            encode_example(
                {
                    "label": i % 2,
                    "dense": random.random(13, np.float32),
                    "ids": random.integers(0, 1 << 20, 26),
                    "history": random.integers(0, 1 << 20, random.integers(0, 40)),
                }
            )
        )
        for i in range(count)
    ]
    schema: dict[str, object] = {
        "label": ("int64", 1),
        "dense": ("float32", 13),
        "ids": ("int64", 26),
        "history": "int64",
    }
    return schema, framed, "click Examples of our own writer"


def _ticks(count: int) -> bytes:
    random = np.random.default_rng(2)
    ticks = np.zeros(count, TICK)
    for name in ("time", "order", "price", "size", "side"):
        ticks[name] = random.integers(0, 200, count)
    ticks["levels"] = random.random((count, 8), np.float32)
    return ticks.tobytes()
