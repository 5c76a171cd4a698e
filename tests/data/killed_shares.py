"""Shares of an epoch as processes that are killed at random points, and others that go on.

    killed_shares.py KIND FIRST END NUMBERS.tfrecord TOKENS.bin TOKENS.bin

Each case from FIRST to END - 1 has ranks and workers of its own. It is run four times: twice with
the same ones, then with others, then with others again and to the end. Forks are used, which need a
process without threads. The number of processes that were killed is printed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from ffi_cookbook.data import Mixture, RecordDataset, RecordStream, TokenStream
from ffi_cookbook.data.order import job
from ffi_cookbook.records import Schema

LAYOUTS = [(ranks, workers) for ranks in (1, 2, 3, 4, 8) for workers in (1, 2)]


def stream(kind: str, paths: list[str], case: int, rank: int = 0, world: int = 1) -> Any:
    """Return the stream of a rank; its batches are lists of record numbers or of tokens."""
    how: Any = {"shuffle": case % 4 > 0, "seed": case, "threads": case % 3, "batch_size": 2}
    how |= {"rank": rank, "world": world, "collate": lambda batch: batch.tokens.tolist()}
    if kind == "tokens":
        return TokenStream(paths[1:], 3, **how)
    if kind == "mixed tokens":
        return TokenStream(paths[1:], 3, weights=[1, 2], repeat=True, **how)
    how["collate"] = lambda batch: batch["number"].tolist()
    dataset = RecordDataset(paths[0], Schema({"number": ("int64", ())}), backend="python")
    parts = [dataset.take(30), dataset.skip(30)]
    return RecordStream(
        dataset if kind == "records" else Mixture(parts, [2, 1], repeat=True), **how
    )


def hand_out(one: Any, states: Any, killed_at: int | None, log: int) -> None:
    """Log every batch with the state behind it, until the process is killed at one of them."""
    if states:
        one.load_state_dict(states)
    os.write(log, json.dumps([[], one.state_dict()]).encode() + b"\n")
    for number, batch in enumerate(one):
        if number == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        os.write(log, json.dumps([batch, one.state_dict()]).encode() + b"\n")


def run(
    source: tuple[str, list[str], int],
    layout: tuple[int, int],
    states: Any = None,
    rng: random.Random | None = None,
    most: int = 0,
) -> tuple[list[list[str]], list[Any], int]:
    """Run all shares; return what each has handed out, the states behind that, and the kills.

    Args:
        source: what the streams are made of.
        layout: the numbers of ranks and of workers.
        states: the states to go on behind.
        rng: draws after which batch, up to `most`, each share is killed; None for no kill.
    """
    world, workers = layout
    children = []
    for number in range(world * workers):
        killed_at = rng.randrange(most) if rng else None
        log = os.open(f"{number}.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        child = os.fork()
        if not child:
            try:
                job.worker_and_workers = lambda: (number // world, workers)  # noqa: B023
                hand_out(stream(*source, number % world, world), states, killed_at, log)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
        os.close(log)
    found, behind, killed = [], [], 0
    for number, child in enumerate(children):
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in ((0, -signal.SIGKILL) if rng else (0,)), status
        killed += status != 0
        lines = [json.loads(line) for line in Path(f"{number}.log").read_text().splitlines()]
        found.append([str(item) for batch, _ in lines for item in batch])
        behind.append(lines[-1][1])
    return found, behind, killed


def check(source: tuple[str, list[str], int]) -> int:
    """Check that a case has the whole epoch, and the same order where the shares are the same.

    Return the number of processes that were killed.
    """
    rng = random.Random(source[2])
    expected = Counter(str(item) for batch in stream(*source) for item in batch)
    layout = rng.choice(LAYOUTS)
    orders, _, kills = run(source, layout)
    before, states = [list[str]() for _ in orders], None
    seen = Counter[str]()
    for stage in range(4):
        here = layout if stage < 2 else rng.choice(LAYOUTS)
        most = expected.total() // (6 * here[0] * here[1]) + 2
        parts, states, killed = run(source, here, states, rng if stage < 3 else None, most)
        kills += killed
        if stage < 2:
            before = [a + b for a, b in zip(before, parts, strict=True)]
            for part, order in zip(before, orders, strict=True):
                assert part == order[: len(part)], (source, stage)
        seen.update(item for part in parts for item in part)
        if seen.total() == expected.total():  # what follows is the next epoch
            break
    assert seen == expected, (source, layout)
    return kills


if __name__ == "__main__":
    kind, first, end, *paths = sys.argv[1:]
    print(sum(check((kind, paths, case)) for case in range(int(first), int(end))))
