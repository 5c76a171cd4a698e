"""A cluster of several nodes, which are processes of this machine, and a node that is killed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]
import pytest
import ray  # type: ignore[import-not-found, import-untyped, unused-ignore]
from ray.cluster_utils import Cluster  # type: ignore[import-not-found, unused-ignore]

import ffi_cookbook
from ffi_cookbook import records
from ffi_cookbook.data import spans
from ffi_cookbook.data.ray import Encode, read_tfrecords
from ffi_cookbook.tokenizer import Model, sample_texts, train

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray's own

SCHEMA = records.Schema({"n": ("int64", ()), "text": ("bytes", ())})
N = 6000


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Three nodes with a processor each."""
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for _ in range(2):
        nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, logging_level="error")
    try:
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.fixture
def paths(tmp_path: Path) -> Path:
    for file in range(3):
        rows = ({"n": n, "text": b"text %d" % n} for n in range(file, N, 3))
        records.write(tmp_path / f"{file}.tfrecord", rows)
    return tmp_path / "*.tfrecord"


def test_columns_and_rows(cluster: Any, paths: Path) -> None:
    data = read_tfrecords(paths, SCHEMA, span_bytes=10_000)
    assert data.count() == N
    assert data.materialize().num_blocks() == len(spans(paths, span_bytes=10_000))
    assert sorted(data.select_columns(["n"]).to_pandas()["n"]) == list(range(N))
    assert data.limit(7).count() == 7


def test_a_node_that_is_killed_loses_and_repeats_nothing(
    cluster: Any, paths: Path, tmp_path: Path
) -> None:
    texts = sample_texts(20_000)
    model = Model.from_ranks(train(texts, 300, "gpt2"), pattern="gpt2")
    out = tmp_path / "out"

    def slowly(table: Any) -> Any:
        time.sleep(0.3)
        return table

    def kill() -> None:
        while not list(out.glob("*.parquet")):
            time.sleep(0.05)
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    data = read_tfrecords(paths, SCHEMA, span_bytes=2_000).map_batches(
        Encode, fn_constructor_args=(model,), batch_format="pyarrow", concurrency=1
    )
    killer = threading.Thread(target=kill)
    killer.start()
    data.map_batches(slowly, batch_format="pyarrow").write_parquet(str(out))
    killer.join(60)
    assert len(cluster.worker_nodes) == 1
    table = parquet.read_table(out)
    assert sorted(table["n"].to_pylist()) == list(range(N))
    ids = dict(zip(table["n"].to_pylist(), table["ids"].to_pylist(), strict=True))
    tokenizer = ffi_cookbook.load("python").Tokenizer(model)
    for n in (0, 1234, N - 1):
        assert ids[n] == tokenizer.encode(f"text {n}").tolist()
