"""Examples and SequenceExamples by the million: every native door against protobuf and python's.

python tests/fuzz/examples.py [--examples N] [--seed S]

What is legal must decode as protobuf reads it: as what protobuf writes of it, which is plain. That
plain records decode to their values is held against protobuf's own values for some of them, and in
the tests for many. What is damaged must end as it does in the python door: the same columns, or the
same error, field by field.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import wire
from doors import NATIVE
from example_proto import Example, SequenceExample, has_nan
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

BATCH, POOL = 20_000, 4000
FRAME_END = bytes(4)

Make = Callable[[], bytes]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    doors = {name: bindings.load(name) for name in NATIVE}
    pool: list[bytes] = []
    for done in range(0, options.examples, BATCH):
        rng = random.Random(f"{options.seed} {done}")
        where = f"seed {options.seed}, examples from {done}"
        if done % (50 * BATCH) == 0:
            pool = entries(rng)
        check(doors, rng, where, partial(example, rng, pool), BATCH, [RANDOM, NARROW, OTHERS])
        make = partial(wire.sequence_example, rng)
        of_lists = [SEQUENCE, *SEQUENCE_OTHERS]
        check(doors, rng, where, make, BATCH // 200, of_lists)
        print(f"\r{done + BATCH:,} examples", end="", flush=True)
    print()


def entries(rng: random.Random) -> list[bytes]:
    """Entries of Features, each written in one of the many ways."""
    names = [name for name in wire.KINDS if name != "missing"] * 3 + ["nobody asked"]
    made = []
    for _ in range(POOL):
        name = rng.choice(names)
        kind = "" if rng.random() < 0.05 else wire.KINDS.get(name, "float32")
        made.append(wire.entry(rng, name, kind))
    return made


def example(rng: random.Random, pool: list[bytes]) -> bytes:
    """Some entries together, in one Features or in more."""
    some = rng.choices(pool, k=int(rng.random() * 7))
    if rng.random() < 0.8:
        body = b"".join(some)
        return b"\x0a" + wire.varint(len(body)) + body
    record = b"".join(wire.in_maps(rng, 1, some))
    return record + wire.unknown(rng) if rng.random() < 0.3 else record


def check(
    doors: dict[str, ModuleType],
    rng: random.Random,
    where: str,
    make: Make,
    n: int,
    schemas: list[Schema],
) -> None:
    """Some records, and then some of them damaged."""
    legal, schema = [make() for _ in range(n)], schemas[0]
    message = SequenceExample if schema.sequence else Example
    plain = [message.FromString(it).SerializeToString(deterministic=True) for it in legal]
    room = (80 * n, 3000 * n)
    wanted = decoded(bindings.load("capi"), plain, schema, room, where)
    some = [record for record in plain[: n // 100] if not has_nan(record)]
    assert_same(decoded(doors["capi"], some, schema, room, where), expected_columns(some, schema))
    for door in doors.values():
        assert_same(decoded(door, legal, schema, room, where), wanted)
    for record in rng.sample(legal, n // 200):
        damaged = frame(damage(rng, record))
        for schema in schemas:
            reference = decode(bindings.load("python"), damaged, schema)
            for name, door in doors.items():
                error, cursor, found = decode(door, damaged, schema)
                assert (error, cursor) == reference[:2], f"{name}: {damaged!r}"
                assert_same(found, reference[2])


def decoded(
    door: ModuleType, records: list[bytes], schema: Schema, room: tuple[int, int], where: str
) -> Any:
    """The columns of records that all are good; their sums, which nobody checks, are zeros."""
    framed = [it for data in records for it in (len(data).to_bytes(12, "little"), data, FRAME_END)]
    file = b"".join(framed)
    error, cursor, found = decode(door, file, schema, rows=len(records), room=room, verify=False)
    assert error is None, f"{door.__name__}: {error}, {where}"
    assert cursor[1] == len(file)
    return found


def damage(rng: random.Random, record: bytes) -> bytes:
    """A record with some bytes replaced, taken out or put in."""
    damaged = bytearray(record)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(damaged) + 1)
        damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    return bytes(damaged)


if __name__ == "__main__":
    main()
