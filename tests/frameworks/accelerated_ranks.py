"""Run by torchrun: each way of giving a stream to Accelerate, on one of several ranks.

    accelerated_ranks.py FILE N

Rank 0 prints a JSON object that has, for each way, the records of all ranks or the error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from accelerate import Accelerator, skip_first_batches
from accelerate.utils import DataLoaderConfiguration, gather_object
from torch.utils.data import DataLoader

from ffi_cookbook.data import RecordStream, to_torch
from ffi_cookbook.records import Schema

PATH = sys.argv[1]
found: dict[str, Any] = {}


def stream(**share: int) -> RecordStream:
    options: Any = {"batch_size": 10, "shuffle": True, "collate": to_torch, **share}
    return RecordStream(PATH, Schema({"number": ("int64", ())}), **options)


def loader(**share: int) -> Any:
    return DataLoader(stream(**share), batch_size=None)


def passes(name: str, made: Callable[[], Any], n: int = 1) -> None:
    """Note what n passes over a loader give on all ranks."""
    try:
        ready = made()
        for epoch in range(n):
            numbers = [i for batch in ready for i in batch["number"].tolist()]
            found[f"{name} {epoch}"] = gather_object(numbers)
    except RuntimeError as error:
        found[name] = str(error)


for options in ({}, {"dispatch_batches": False}, {"use_stateful_dataloader": True}):
    accelerator = Accelerator(cpu=True, dataloader_config=DataLoaderConfiguration(**options))
    passes(f"prepared {options}", lambda one=accelerator: one.prepare(loader()))
passes("stream", lambda: accelerator.prepare(stream()), 2)
passes("loader", loader, 2)
passes("dealt out", lambda: accelerator.prepare(loader(rank=0, world=1)))
passes("skipped", lambda: skip_first_batches(loader(), 2))
first = stream()
assert len([*zip(range(2), first, strict=False)]) == 2
states, again = gather_object([first.state_dict()]), stream()
again.load_state_dict(states)
passes("resumed", lambda: again, 2)
if accelerator.is_main_process:
    print(json.dumps(found))
accelerator.end_training()  # else a rank may abort when the other has left
