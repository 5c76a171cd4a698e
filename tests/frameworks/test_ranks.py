"""Streams with Accelerate on two ranks: every record once, or a refusal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ffi_cookbook import records
from support.processes import run_python

N = 100
CHILD = Path(__file__).parent / "accelerated_ranks.py"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what each way of giving a stream to Accelerate gives on both ranks."""
    path = tmp_path_factory.mktemp("ranks") / "a.tfrecord"
    records.write(path, ({"number": i} for i in range(N)))
    command = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", 2, CHILD, path)
    answer: dict[str, Any] = json.loads(run_python(*command, seconds=900).splitlines()[-1])
    return answer


@pytest.mark.parametrize(
    "options", ["{}", "{'dispatch_batches': False}", "{'use_stateful_dataloader': True}"]
)
def test_a_prepared_loader_is_refused(found: dict[str, Any], options: str) -> None:
    assert "must not be given the DataLoader of this stream" in found[f"prepared {options}"]


@pytest.mark.parametrize("name", ["stream", "loader"])
def test_two_epochs_have_every_record_in_two_orders(found: dict[str, Any], name: str) -> None:
    first, second = found[f"{name} 0"], found[f"{name} 1"]
    assert sorted(first) == sorted(second) == list(range(N))
    assert first != second


def test_a_stream_of_one_rank_is_dealt_out(found: dict[str, Any]) -> None:
    assert sorted(found["dealt out 0"]) == list(range(N))


def test_skipping_and_resuming_give_the_rest(found: dict[str, Any]) -> None:
    whole = found["stream 0"]
    rest = [i for rank in (whole[:50], whole[50:]) for i in rank[20:]]
    assert found["skipped 0"] == found["resumed 0"] == rest
    assert found["resumed 1"] == found["stream 1"]
