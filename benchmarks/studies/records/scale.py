"""The costs of a stream: beside a training step, in files larger than memory, for 10^9 records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.core import figures
from benchmarks.study import Setting
from ffi_cookbook import records
from ffi_cookbook.data import EpochPlan, RecordStream

STEP = 0.01  # seconds
STEPS = 500
WAITED = 7  # loops of so many steps
SHARDS, SHARD_RECORDS, SHARD_FLOATS = 40, 32768, 4096
BILLION, DRAWS, DRAWN = 10**9, 200, 8192

STREAMED = """
import json, sys
from pathlib import Path
from ffi_cookbook import records
from ffi_cookbook.data import RecordStream

schema = records.Schema({"x": ("float32", int(sys.argv[2]))})
stream = RecordStream(sys.argv[1], schema, shuffle=True, threads=2)
for _ in stream:
    pass
status = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
peak = 1024 * int(status["VmHWM"].split()[0])
print(json.dumps([stream.metrics.records, stream.metrics.bytes, peak]))
"""
"""The program whose peak memory is measured: ru_maxrss would begin with that of its parent."""


class Wanted(NamedTuple):
    """A figure, its upper bound, and its unit."""

    what: str
    below: float
    unit: str


WANTED = {
    "waited": Wanted("a training step of 10 ms: time spent waiting for a batch of 256", 1, " %"),
    "resident": Wanted("20 GB in 40 files, shuffled, 2 threads: peak memory", 1000, " MB"),
    "drawn": Wanted("10⁹ records, shuffled: processor time a record", 100, " ns"),
    "plan": Wanted("10⁹ records, shuffled: peak memory of the plan", 2, " MB"),
}


def measure(setting: Setting) -> dict[str, list[float]]:
    """Return the samples of each figure: several of the time that is spent waiting."""
    drawn, plan = _drawn()
    waited = [_waited(setting.folder) for _ in range(WAITED)]
    return {
        "waited": waited,
        "resident": [_resident(setting.folder)],
        "drawn": [drawn],
        "plan": [plan],
    }


def show(found: dict[str, list[float]], _: list[str]) -> str:
    """Return the table of the figures."""
    rows = [
        [one.what, f"< {one.below:,}{one.unit}", figures.interval(found[name], one.unit)]
        for name, one in WANTED.items()
    ]
    return figures.table(["", "wanted", "measured"], rows)


def _waited(folder: Path) -> float:
    """Return the share of a training loop's time, in percent, that it waits."""
    path, x = folder / "steps", np.random.default_rng(1).random((256 * STEPS, 64), np.float32)
    records.write(path, ({"number": i, "x": row} for i, row in enumerate(x)))
    schema = records.Schema({"number": ("int64", ()), "x": ("float32", 64)})
    stream = RecordStream(path, schema, shuffle=True, threads=2)
    for _ in stream:
        time.sleep(STEP)
    return 100 * stream.metrics.share_waited


def _resident(folder: Path) -> float:
    """Return the peak memory, in MB, of a process that reads 20 GB from 40 paths.

    The paths are links to one file, whose pages count again for each path that maps it.
    """
    first, rows = folder / "shard-0", np.random.default_rng(1).random((64, SHARD_FLOATS))
    records.write(first, ({"x": rows[i % 64].astype("f4")} for i in range(SHARD_RECORDS)))
    records.save_index(first, records.index(first))
    for number in range(1, SHARDS):
        for suffix in ("", ".idx"):
            os.link(f"{first}{suffix}", folder / f"shard-{number}{suffix}")
    command = [sys.executable, "-c", STREAMED, str(folder / "shard-*[0-9]"), str(SHARD_FLOATS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    n_records, n_bytes, peak = json.loads(done.stdout)
    assert n_records == SHARDS * SHARD_RECORDS, n_records
    assert n_bytes == 4 * SHARD_FLOATS * n_records, n_bytes
    return float(peak) / 1e6


def _drawn() -> tuple[float, float]:
    """Return the nanoseconds per record, and the peak memory in MB, of an epoch's order."""
    tracemalloc.start()
    plan = EpochPlan(BILLION, seed=1)
    plan.draw(DRAWN)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    start = time.process_time()
    for _ in range(DRAWS):
        plan.draw(DRAWN)
    return (time.process_time() - start) * 1e9 / (DRAWS * DRAWN), peak / 1e6
