"""Through a PyTorch operator: tensors in and out, then Python groups."""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np
import torch

from benchmarks.studies.application.grouping import WRONG, grouped, outputs

torch.ops.load_library(Path(__file__).with_name("_log_torch.so"))
_split = torch.ops.log_torch.split_lines


def parse(lines: list[str], weights: dict[str, float]) -> dict[str, array[float]]:
    """Return the weighted durations of each service."""
    text = "\n".join(lines).encode()
    spans, durations = outputs(len(lines))
    bytes_in = torch.from_numpy(np.frombuffer(text + b"\0", np.uint8).copy())
    wrong, code = _split(bytes_in, torch.from_numpy(spans), torch.from_numpy(durations))
    if wrong:
        grouped(text, spans[: wrong - 1], durations[: wrong - 1], weights)  # a level before it
        raise ValueError(f"line {wrong}: {WRONG[code]}")
    return grouped(text, spans, durations, weights)
