"""Random tf.train.Examples on the wire, in every legal encoding and not only the usual one."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from functools import partial

KINDS = {"i": "int64", "f": "float32", "b": "bytes", "missing": "int64"}


def varint(value: int, rng: random.Random | None = None) -> bytes:
    """Return a varint, sometimes longer than it has to be."""
    value &= 2**64 - 1
    groups = []
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    if rng and rng.random() < 0.05:
        padding = rng.randrange(11 - len(groups))
        if padding:
            groups[-1] |= 0x80
            groups += [0x80] * (padding - 1) + [0]
    return bytes(groups)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the value and the offset after it, which is len(data) + 1 if the varint is cut off."""
    value = 0
    for i, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value & (2**64 - 1), at + i + 1
    return 0, len(data) + 1


def split(data: bytes) -> list[tuple[int, bytes, bytes | None]]:
    """Return the fields of a message.

    A field with a length is its tag, the tag as bytes, and the content; any other is the tag, the
    whole field, and None. The start and end of a group are such fields, and so are trailing bytes
    that are not a field.
    """
    found: list[tuple[int, bytes, bytes | None]] = []
    at = 0
    while at < len(data):
        tag, value = read_varint(data, at)
        start = end = value + {1: 8, 5: 4}.get(tag & 7, 0)
        if tag & 7 == 0:
            start = end = read_varint(data, value)[1]
        elif tag & 7 == 2:
            size, start = read_varint(data, value)
            end = start + size
        if end > len(data):
            return [*found, (0, data[at:], None)]
        if tag & 7 == 2:
            found.append((tag, data[at:value], data[start:end]))
        else:
            found.append((tag, data[at:end], None))
        at = end
    return found


def message(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def unknown(rng: random.Random) -> bytes:
    """Return an unknown field of any wire type, groups included."""
    number = rng.choice([4, 7, 15, 16, 1000, 536870911])
    writers: list[Callable[[], bytes]] = [
        lambda: varint(number << 3) + varint(rng.getrandbits(64), rng),
        lambda: varint(number << 3 | 1) + rng.randbytes(8),
        lambda: message(number, rng.randbytes(rng.randrange(20))),
        lambda: varint(number << 3 | 5) + rng.randbytes(4),
        lambda: varint(number << 3 | 3) + unknown(rng) * rng.randrange(2) + varint(number << 3 | 4),
    ]
    return rng.choice(writers)()


def runs(rng: random.Random, n: int, tag: int, one: Callable[[], bytes]) -> bytes:
    """Return n values as packed runs and single fields with this tag, in any mixture."""
    out = b""
    while n > 0:
        take = rng.randrange(n + 1)
        if rng.random() < 0.7:
            out += message(1, b"".join(one() for _ in range(take)))
            n -= take
        else:
            out += varint(tag) + one()
            n -= 1
        if rng.random() < 0.05:
            out += unknown(rng)
    return out


def feature(rng: random.Random, kind: str) -> bytes:
    """Return a Feature of that kind ("" for none), encoded in one of the many ways."""
    n = rng.choice([0, 1, 1, 1, 2, 3, 9, 40])

    def integer() -> bytes:
        return varint(
            rng.choice([rng.randrange(128), rng.getrandbits(64), -1, rng.getrandbits(20)]), rng
        )

    def real() -> bytes:
        return rng.choice([rng.randbytes(4), struct.pack("<f", rng.random())])

    def text() -> bytes:
        return rng.randbytes(rng.choice([0, 1, 5, 200]))

    if kind == "int64":
        return message(3, runs(rng, n, 8, integer))
    if kind == "float32":
        return message(2, runs(rng, n, 13, real))
    if kind == "bytes":
        return message(1, b"".join(message(1, text()) for _ in range(n)))
    return b""


def entry(rng: random.Random, name: str, kind: str) -> bytes:
    """Return a map entry of a Feature."""
    value = feature(rng, kind)
    if kind and rng.random() < 0.1:
        value = feature(rng, rng.choice(["int64", "float32", "bytes"])) + feature(rng, kind)
    if not kind and rng.random() < 0.5:
        value = b""
    return map_entry(rng, name, value, lambda: feature(rng, kind))


def map_entry(rng: random.Random, name: str, value: bytes, more: Callable[[], bytes]) -> bytes:
    """Return a map entry, its parts in any order and sometimes repeated.

    `more` makes another value, which merges. The parts include no unknown field: unlike other
    protobufs, upb would then drop the whole entry.
    """
    parts = [message(1, name.encode()), message(2, value)]
    if rng.random() < 0.1:
        parts.append(message(2, more()))
    if rng.random() < 0.1:
        parts.insert(0, message(1, b"another"))
    elif rng.random() < 0.2:
        parts.reverse()
    return message(1, b"".join(parts))


def in_maps(rng: random.Random, number: int, entries: list[bytes]) -> list[bytes]:
    """Return the maps at this field number that together have these entries: one or two."""
    cut = rng.randrange(len(entries) + 1) if rng.random() < 0.1 else len(entries)
    halves = [b"".join(entries[:cut]), b"".join(entries[cut:])]
    return [message(number, half) for half in halves if half or rng.random() < 0.5]


def example(rng: random.Random) -> bytes:
    """Return an Example with the features of KINDS: some missing, some twice, in any order."""
    names = [name for name in KINDS if name != "missing" and rng.random() < 0.9]
    if rng.random() < 0.2:
        names.append(rng.choice("ifb"))
    if rng.random() < 0.3:
        names.append("nobody asked")
    rng.shuffle(names)
    entries = [
        entry(rng, name, "" if rng.random() < 0.05 else KINDS.get(name, "float32"))
        for name in names
    ]
    body = b"".join(in_maps(rng, 1, entries))
    return body + (unknown(rng) if rng.random() < 0.05 else b"")


# ---- SequenceExample --------------------------------------------------------------------------

LISTS = {"li": "int64", "lf": "float32", "lb": "bytes", "missing list": "int64"}


def feature_list(rng: random.Random, kind: str) -> bytes:
    """Return some steps, each a Feature of that kind or of none."""
    steps = []
    for _ in range(rng.choice([0, 1, 2, 3, 7])):
        step = feature(rng, "" if rng.random() < 0.1 else kind)
        if step and rng.random() < 0.1:
            step = feature(rng, rng.choice(["int64", "float32", "bytes"])) + step
        steps.append(message(1, step))
        if rng.random() < 0.05:
            steps.append(unknown(rng))
    return b"".join(steps)


def sequence_example(rng: random.Random) -> bytes:
    """Return a SequenceExample with the features of KINDS and the lists of LISTS."""
    names = [name for name in LISTS if name != "missing list" and rng.random() < 0.8]
    if rng.random() < 0.2:
        names.append(rng.choice(["li", "lf", "lb", "i", "nobody asked"]))
    rng.shuffle(names)
    entries = []
    for name in names:
        kind = LISTS.get(name, "float32")
        steps = partial(feature_list, rng, kind)
        entries.append(map_entry(rng, name, steps(), steps))
    parts = [example(rng), *in_maps(rng, 2, entries)]
    rng.shuffle(parts)
    return b"".join(parts)
