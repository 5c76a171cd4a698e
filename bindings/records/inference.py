"""The schema of a file, from its own records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from bindings.opening import open_door
from bindings.records.fields import Feature, Kind
from bindings.records.index import walk
from bindings.records.inflate import Compression
from bindings.records.messages import feature_lists, features
from bindings.records.schema import Schema
from bindings.records.source import CHUNK, Source, open_source


def infer(source: Source, records: int, compression: Compression) -> Schema:
    """See `Schema.infer`."""
    context, lists = _Found(), _Found()
    n = 0
    for data in islice(_records(source, compression), records):
        n += 1
        for name, found in features(data).items():
            context.add(name, *found)
        for name, steps in feature_lists(data).items():
            for step in steps:
                lists.add(name, *step)
    if n == 0:
        raise ValueError("a file without records has no schema")
    return Schema(
        {name: context.feature(name, context.seen[name] == n) for name in sorted(context.kinds)},
        sequence={name: lists.feature(name, True) for name in sorted(lists.kinds)},
    )


class _Found:
    """What there is of each name: its kind, how many values it has, and how often it is there."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.lengths: dict[str, set[int]] = {}
        self.seen: dict[str, int] = {}

    def add(self, name: str, kind: Kind | None, length: int) -> None:
        """Notes a Feature."""
        if kind and self.kinds.setdefault(name, kind) != kind:
            raise ValueError(f"feature {name!r} is {self.kinds[name]} here and {kind} there")
        self.lengths.setdefault(name, set()).add(length)
        self.seen[name] = self.seen.get(name, 0) + 1

    def feature(self, name: str, always: bool) -> Feature:
        """Its entry in a schema: dense if it is always there, with as many values."""
        kind, (length, *others) = self.kinds[name], self.lengths[name]
        return (kind, length) if always and not others and length else kind


def _records(source: Source, compression: Compression) -> Iterator[bytes]:
    cursor = np.zeros(4, np.int64)
    with open_source(source, compression, CHUNK) as window:
        for spans in walk(open_door(None), window, cursor, True, "raise", None):
            for start, size in (spans - [cursor[0], 0]).tolist():
                yield bytes(window.data[start : start + size])
