"""Compare every native binding with protobuf on millions of Examples, half of them damaged.

python tests/fuzz/examples.py [--examples N] [--seed S] [--start N]

A binding must accept and decode what protobuf accepts, and must refuse what protobuf refuses as a
fault of the wire format. If the values themselves are wrong, such as a kind or a length other than
the schema's, the error must follow from protobuf's values. All bindings must give the same error,
field by field; the python binding takes part in some of the batches.
"""

from __future__ import annotations

import argparse
import random
import time
from types import ModuleType
from typing import Any

import ffi_cookbook
from ffi_cookbook.records import Schema
from support import wire
from support.backends import NATIVE
from support.decoder_outcomes import columns_of, decode_all, outcome
from support.lazy_proto import Refused
from support.record_kernels import NARROW, OTHERS, RANDOM, SEQUENCE, SEQUENCE_OTHERS, assert_same

BATCH, POOL, SEQUENCES = 2000, 200, 100
EXAMPLES = [RANDOM, NARROW, OTHERS]
PYTHON_EVERY = 50  # batches


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=int, default=0, help="the first example")
    options = parser.parse_args()
    backends = {name: ffi_cookbook.load(name) for name in NATIVE}
    python = {"python": ffi_cookbook.load("python")}
    began = time.monotonic()
    for done in range(options.start // BATCH * BATCH, options.examples, BATCH):
        rng = random.Random(f"{options.seed} {done}")
        some = backends | python if done // BATCH % PYTHON_EVERY == 0 else backends
        try:
            fuzz(some, rng)
        except AssertionError as error:
            error.add_note(f"--seed {options.seed} --start {done}")
            raise
        rate = (done + BATCH - options.start) / (time.monotonic() - began)
        print(f"\r{done + BATCH:,} examples, {rate:.0f} a second", end="", flush=True)
    print()


def fuzz(backends: dict[str, ModuleType], rng: random.Random) -> None:
    """Check a batch of examples."""
    pool = entries(rng)
    legal = [example(rng, pool) for _ in range(BATCH)]
    records = [damage(rng, it, legal) if i % 2 else it for i, it in enumerate(legal)]
    check(backends, records, RANDOM)
    check(backends, records[: BATCH // 10], rng.choice([NARROW, OTHERS]))
    lists = [wire.sequence_example(rng) for _ in range(SEQUENCES)]
    lists = [damage(rng, it, lists) if i % 2 else it for i, it in enumerate(lists)]
    check(backends, lists, SEQUENCE)
    check(backends, lists[: SEQUENCES // 2], rng.choice(SEQUENCE_OTHERS))


# ---- records ----------------------------------------------------------------------------------


def entries(rng: random.Random) -> list[bytes]:
    """Return the entries of Features, each encoded in one of the many legal ways."""
    names = [name for name in wire.KINDS if name != "missing"] * 3 + ["nobody asked"]
    made = []
    for _ in range(POOL):
        name = rng.choice(names)
        kind = "" if rng.random() < 0.05 else wire.KINDS.get(name, "float32")
        made.append(wire.entry(rng, name, kind))
    return made


def example(rng: random.Random, pool: list[bytes]) -> bytes:
    """Return entries together in one Features message or in several."""
    some = rng.choices(pool, k=int(rng.random() * 7))
    if rng.random() < 0.8:
        body = b"".join(some)
        return b"\x0a" + wire.varint(len(body)) + body
    record = b"".join(wire.in_maps(rng, 1, some))
    return record + wire.unknown(rng) if rng.random() < 0.3 else record


def damage(rng: random.Random, message: bytes, others: list[bytes]) -> bytes:
    """Return a message with a fault at any depth; the lengths around it are mostly right."""
    fields = wire.split(message)
    inner = [i for i, (_, _, content) in enumerate(fields) if content is not None]
    if inner and rng.random() < 0.75:
        at = rng.choice(inner)
        tag, head, content = fields[at]
        fields[at] = tag, head, damage(rng, content, others)
        return join(rng, fields)
    if rng.random() < 0.5:
        return damage_bytes(rng, message, others)
    at, field = rng.randrange(len(fields) + 1), rng.choice(fields or [(0, b"", None)])
    if rng.random() < 0.5:
        field = 0, group(rng), None
    fields[at : at + rng.randrange(2)] = [field]
    return join(rng, fields)


def join(rng: random.Random, fields: list[tuple[int, bytes, bytes | None]]) -> bytes:
    """Return the message of these fields; some lengths take extra bytes, some are wrong."""
    out = b""
    for _, head, content in fields:
        out += head
        if content is not None:
            wrong = rng.choice((-1, 1)) if rng.random() < 0.02 else 0
            out += wire.varint(len(content) + wrong, rng) + content
    return out


def group(rng: random.Random) -> bytes:
    """Return nested groups, mostly valid, sometimes at the limit of nesting."""
    depth = rng.choice((1, 1, 2, 3, *[1, 2, 3] * 5, 64, 65))
    numbers = [rng.choice((1, 2, 3, 9, 100)) for _ in range(depth)]
    inside = rng.choice((b"", b"\x08\x01", b"\0\x01", b"\x0a\x80\0", wire.unknown(rng)))
    starts = [wire.varint(number << 3 | 3) for number in numbers]
    ends = [wire.varint(number << 3 | 4) for number in reversed(numbers)]
    if rng.random() < 0.1:
        del rng.choice((starts, ends))[0]
    return b"".join([*starts, inside, *ends])


def damage_bytes(rng: random.Random, message: bytes, others: list[bytes]) -> bytes:
    """Replace, remove, insert, change or cut some bytes, or splice in another message."""
    damaged = bytearray(message)
    for _ in range(rng.randrange(1, 3)):
        at, how = rng.randrange(len(damaged) + 1), rng.random()
        if how < 0.5 or at == len(damaged):
            damaged[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        elif how < 0.7:
            damaged[at] ^= 1 << rng.randrange(8)
        elif how < 0.9:
            damaged[at] = (damaged[at] + rng.choice((-1, 1))) % 256
        elif how < 0.95:
            del damaged[at:]
        else:
            other = rng.choice(others)
            damaged[at:] = other[rng.randrange(len(other) + 1) :]
    return bytes(damaged)


# ---- comparison with protobuf -----------------------------------------------------------------


def check(backends: dict[str, ModuleType], records: list[bytes], schema: Schema) -> None:
    """Check all bindings on the records; every other record is damaged."""
    wanted = [outcome(record, schema) for record in records]
    if schema in (RANDOM, SEQUENCE):
        assert not any(isinstance(it, Refused) for it in wanted[::2]), "a legal record is refused"
    columns = columns_of([it for it in wanted if not isinstance(it, Refused)], schema)
    refused = {i: it for i, it in enumerate(wanted) if isinstance(it, Refused)}
    first: Any = None
    for name, binding in backends.items():
        errors, found = decode_all(binding, records, schema)
        first = errors if first is None else first
        for i in sorted(errors.keys() | refused.keys(), key=lambda i: len(records[i])):
            case = f"{name}: {errors.get(i)}, {schema}, {records[i].hex()}"
            assert i in errors, f"{case}: protobuf says {refused[i]}"
            assert i in refused, f"{case}: protobuf accepts it"
            assert refused[i].allows(errors[i]), f"{case}: protobuf says {refused[i]}"
            assert errors[i] == first.get(i), f"{case}: another binding says {first.get(i)}"
        assert_same(found, columns)


if __name__ == "__main__":
    main()
