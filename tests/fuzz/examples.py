"""Examples and SequenceExamples by the million: every native door against protobuf and python's.

python tests/fuzz/examples.py [--examples N] [--seed S]

What is legal must decode as protobuf reads it. What is damaged must end as it does in the python
door: the same columns, or the same error, field by field.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parents[1]))

import wire
from doors import NATIVE
from example_proto import has_nan
from record_kernels import (
    NARROW,
    OTHERS,
    RANDOM,
    SEQUENCE,
    SEQUENCE_OTHERS,
    assert_same,
    decode,
    expected_columns,
)

import bindings
from bindings.records import Schema, frame

_BATCH = 5000


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    doors = {name: bindings.load(name) for name in NATIVE}
    for done in range(0, options.examples, _BATCH):
        rng = random.Random(f"{options.seed} {done}")
        where = f"seed {options.seed}, examples from {done}"
        check(doors, rng, where, wire.example, _BATCH, [RANDOM, NARROW, OTHERS])
        of_lists = [SEQUENCE, *SEQUENCE_OTHERS]
        check(doors, rng, where, wire.sequence_example, _BATCH // 10, of_lists)
        print(f"\r{done + _BATCH:,} examples", end="", flush=True)
    print()


def check(
    doors: dict[str, ModuleType],
    rng: random.Random,
    where: str,
    make: Callable[[random.Random], bytes],
    n: int,
    schemas: list[Schema],
) -> None:
    """Some records, and then some of them damaged."""
    legal = [record for record in (make(rng) for _ in range(n)) if not has_nan(record)]
    file, expected = b"".join(map(frame, legal)), expected_columns(legal, schemas[0])
    room = (60 * n, 2000 * n)
    for name, door in doors.items():
        error, cursor, found = decode(door, file, schemas[0], rows=len(legal), room=room)
        assert error is None, f"{name}: {error}, {where}"
        assert cursor[1] == len(file)
        assert_same(found, expected)
    for record in rng.sample(legal, n // 16):
        damaged = frame(damage(rng, record))
        for schema in schemas:
            wanted = decode(bindings.load("python"), damaged, schema)
            for name, door in doors.items():
                error, cursor, found = decode(door, damaged, schema)
                assert (error, cursor) == wanted[:2], f"{name}: {damaged!r}"
                assert_same(found, wanted[2])


def damage(rng: random.Random, record: bytes) -> bytes:
    """A record with some bytes replaced, taken out or put in."""
    damaged = bytearray(record)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(damaged) + 1)
        damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    return bytes(damaged)


if __name__ == "__main__":
    main()
