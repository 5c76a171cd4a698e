"""The states of torchdata's StatefulDataLoader: in the middle and at the end of an epoch."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from torchdata.stateful_dataloader import (
    StatefulDataLoader,
)

from ffi_cookbook import records
from ffi_cookbook.data import RecordStream, StreamBatch

BATCHES = 4


def numbers(batch: StreamBatch) -> Any:
    return batch["number"].tolist()


@pytest.mark.filterwarnings("ignore:'set_vital' is deprecated")
@pytest.mark.parametrize("workers", [0, 2])
def test_every_state_continues_exactly(tmp_path: Path, workers: int) -> None:
    path, schema = tmp_path / "a.tfrecord", records.Schema({"number": ("int64", ())})
    records.write(path, ({"number": i} for i in range(51)))

    def loader() -> Any:
        stream = RecordStream(path, schema, batch_size=15, shuffle=True, collate=numbers)
        return StatefulDataLoader(stream, batch_size=None, num_workers=workers, collate_fn=list)

    one, states, passes = loader(), list[Any](), list[Any]()
    for _ in range(4):
        passes.append([])
        for batch in one:
            passes[-1].append(batch)
            states.append(copy.deepcopy(one.state_dict()))
        states[-1] = copy.deepcopy(one.state_dict())  # at the end
    assert [len(found) for found in passes] == [len(one)] * 4 == [BATCHES] * 4
    assert all(passes[i] != passes[i + 1] for i in range(3))
    for steps in (1, BATCHES, BATCHES + 2, 2 * BATCHES):
        again = loader()
        again.load_state_dict(states[steps - 1])
        epoch, begun = divmod(steps, BATCHES)
        assert list(again) == passes[epoch][begun:]
        assert list(again) == passes[epoch + 1]
