"""Train a classifier of images from TFRecord files, and test it on a tenth of them.

    python examples/digits.py                   # on digits that this program draws
    python examples/digits.py mnist.tfrecord    # on files with the features of SCHEMA

The threads of the stream read ahead, decode and make tensors, so there are no worker processes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset, RecordStream, to_torch

SCHEMA = records.Schema({"image_class": ("int64", ()), "image_floats": ("float32", (28, 28))})
GLYPHS = """
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### ### ### ### ### .#. ### ###
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
### ### ### ### ..# ### ### .#. ### ###
"""


def draw(n: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield n digits at random places, with noise, as Examples."""
    rng = np.random.default_rng(seed)
    rows = [line.split() for line in GLYPHS.split("\n")[1:-1]]
    for digit in rng.integers(0, 10, n).tolist():
        glyph = [[mark == "#" for mark in row[digit]] for row in rows]
        image = rng.uniform(0, 0.6, (28, 28)).astype(np.float32)
        top, left = rng.integers(2, 6), rng.integers(6, 10)
        image[top : top + 20, left : left + 12] += np.kron(glyph, np.ones((4, 4)))
        yield {"image_class": digit, "image_floats": image.ravel()}


def share_right(model: nn.Module, test: RecordDataset) -> float:
    """Return the share of the images that the model classifies correctly."""
    right = 0
    with torch.no_grad():
        for batch in RecordStream(test, batch_size=500, collate=to_torch):
            found = model(batch["image_floats"]).argmax(1)
            right += int((found == batch["image_class"]).sum())
    return right / len(test)


def train(paths: list[str], epochs: int) -> float:
    """Train a model on the files, and return the share of the test images that it gets right."""
    torch.manual_seed(0)
    dataset = RecordDataset(paths, SCHEMA)
    test, rest = dataset.take(len(dataset) // 10), dataset.skip(len(dataset) // 10)
    stream = RecordStream(rest, batch_size=32, shuffle=True, threads=2, collate=to_torch)
    model = nn.Sequential(nn.Flatten(), nn.Linear(28 * 28, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    for epoch in range(epochs):
        stream.set_epoch(epoch)
        for batch in stream:
            loss = nn.functional.cross_entropy(model(batch["image_floats"]), batch["image_class"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        share = share_right(model, test)
        print(f"epoch {epoch}: {share:.1%} of {len(test)} are right")
    print(stream.metrics)
    return share


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", help="TFRecord files")
    parser.add_argument("--epochs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not options.paths:
            for shard in range(4):
                records.write(Path(folder, f"{shard}.tfrecord"), draw(500, shard))
        share = train(options.paths or [f"{folder}/*.tfrecord"], options.epochs)
