"""Small files that every test of this folder may read, and a check for threads that are left."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset
from ffi_cookbook.tokenizer import Model
from support.small_corpus import END, TEXTS

SCHEMA = records.Schema(
    {"number": ("int64", ()), "pixels": ("float32", (2, 3)), "ids": "uint16", "text": "bytes"}
)
SIZES = 17, 0, 25, 9


class Files(NamedTuple):
    """The files, what they hold, and how many records that is."""

    paths: list[Path]
    schema: records.Schema
    n: int


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Files whose record i has number i, everywhere in another file or at another place."""
    folder, n = tmp_path_factory.mktemp("shards"), 0
    paths = [folder / f"{shard}.tfrecord" for shard in range(len(SIZES))]
    for path, size in zip(paths, SIZES, strict=True):
        rows = [{"number": i, **values(i)} for i in range(n, n + size)]
        records.write(path, rows)
        n += size
    return Files(paths, SCHEMA, n)


@pytest.fixture(scope="module")
def dataset(files: Files) -> RecordDataset:
    """Return the data set of these files."""
    return RecordDataset(files.paths, files.schema)


def prefetch_threads() -> int:
    """Return the number of prefetching threads of this process."""
    return sum(thread.name.startswith("prefetch-") for thread in threading.enumerate())


@pytest.fixture(autouse=True)
def threads_ahead() -> Iterator[Callable[[], int]]:
    """Return what counts the prefetching threads; a test must leave none."""
    yield prefetch_threads
    if prefetch_threads():
        gc.collect()  # maybe the traceback of an exception holds an iterator
    assert prefetch_threads() == 0


def values(i: int) -> dict[str, object]:
    """Return the other features of record i."""
    pixels = np.arange(i, i + 6, dtype=np.float32)
    return {"pixels": pixels, "ids": list(range(i % 4)), "text": [b"x" * (i % 3)]}


@pytest.fixture(scope="module")
def model() -> Model:
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257, b"an": 258}
    return Model.from_ranks(ranks, pattern="gpt2", special_tokens={END: 300})


@pytest.fixture
def corpus(tmp_path: Path) -> list[Path]:
    """Two files of JSON lines with the texts, and one of plain text."""
    paths = [tmp_path / "0.jsonl", tmp_path / "1.jsonl", tmp_path / "2.txt"]
    for path, texts in zip(paths, (TEXTS[:3], TEXTS[3:4]), strict=False):
        path.write_text("\n".join(json.dumps({"text": text}) for text in texts) + "\n\n")
    paths[2].write_text(TEXTS[4])
    return paths
