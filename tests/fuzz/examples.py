"""Examples by the million: every native door against protobuf, and against the python door.

python tests/fuzz/examples.py [--examples N] [--seed S]

What is legal must decode as protobuf reads it. What is damaged must end as it does in the python
door: the same columns, or the same error, field by field.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import wire
from doors import NATIVE
from example_proto import features
from record_kernels import NARROW, OTHERS, RANDOM, assert_same, decode, expected_columns

import bindings
from bindings.records import frame

_BATCH, _DAMAGED = 5000, 300


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    doors = {name: bindings.load(name) for name in NATIVE}
    reference = bindings.load("python")
    for done in range(0, options.examples, _BATCH):
        rng = random.Random(f"{options.seed} {done}")
        legal = [record for record in (wire.example(rng) for _ in range(_BATCH)) if no_nan(record)]
        file, expected = b"".join(map(frame, legal)), expected_columns(legal, RANDOM)
        room = (20 * _BATCH, 500 * _BATCH)
        for name, door in doors.items():
            error, cursor, found = decode(door, file, RANDOM, rows=len(legal), room=room)
            assert error is None, f"{name}: {error}, seed {options.seed}, examples from {done}"
            assert cursor[1] == len(file)
            assert_same(found, expected)
        for record in rng.sample(legal, _DAMAGED):
            damaged = frame(damage(rng, record))
            for schema in (RANDOM, NARROW, OTHERS):
                wanted = decode(reference, damaged, schema)
                for name, door in doors.items():
                    error, cursor, found = decode(door, damaged, schema)
                    assert (error, cursor) == wanted[:2], f"{name}: {damaged!r}"
                    assert_same(found, wanted[2])
        print(f"\r{done + _BATCH:,} examples", end="", flush=True)
    print()


def no_nan(record: bytes) -> bool:
    """Whether protobuf's way through Python's floats keeps every bit."""
    return not any(v != v for _, values in features(record).values() for v in values)


def damage(rng: random.Random, record: bytes) -> bytes:
    """A record with some bytes replaced, taken out or put in."""
    damaged = bytearray(record)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(damaged) + 1)
        damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    return bytes(damaged)


if __name__ == "__main__":
    main()
