"""Features that no record has, most often because a name is misspelt."""

from __future__ import annotations

import warnings
from contextlib import suppress
from difflib import get_close_matches
from typing import Literal, TypeAlias

from ffi_cookbook.bindings._glue.sharing import turn
from ffi_cookbook.records.columns.arena import LENGTHS, Arena
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.writing.headers import message
from ffi_cookbook.records.writing.messages import contents

Missing: TypeAlias = Literal["error", "warn", "allow"]

EARLY = 1000  # records after which a feature that none of them has is worth a warning
_LOOKED_AT = 100  # records whose features are listed


class Presence:
    """The features of a schema that no record has had so far.

    A dense feature without a default is never among them, because a record without it is an error
    in itself. Once `absent` is empty, the search is over.
    """

    def __init__(self, schema: Schema) -> None:
        optional = {field.name for field, form in schema.columns if form != "dense"}
        self.absent = {name: message(1, name.encode()) for name in schema.names if name in optional}
        self._columns, self._known = schema.columns, set[str]()
        self._n_looked_at = self.records = 0
        self._warned = False

    @turn
    def look(self, arena: Arena, data: memoryview, n_records: int) -> None:
        """Note the features of `n_records` more records in `data`, decoded in `arena`."""
        self.records += n_records
        for (field, _), n_values in zip(self._columns, arena.table[:, LENGTHS[0]], strict=True):
            if n_values:
                self.absent.pop(field.name, None)
        if self.absent and n_records:  # a feature that is present may still have no values
            whole = bytes(data)
            self.absent = {name: key for name, key in self.absent.items() if key not in whole}
            self._list(whole)

    @turn
    def warn(self, least: int = EARLY) -> bool:
        """Warn, once, when `least` records have been read and none of them has a feature.

        Return True if there has been a warning.
        """
        if self.absent and self.records >= least and not self._warned:
            self._warned = True
            message = f"none of the first {self.records} records read has {self._what()}"
            warnings.warn(message, UserWarning, stacklevel=5)
        return self._warned

    def check(self) -> None:
        """Raise ValueError if there were records and none of them has a feature."""
        if self.absent and self.records:
            raise ValueError(f"no record has {self._what()}")

    def _list(self, data: bytes) -> None:
        at = 0
        while at < len(data) and self._n_looked_at < _LOOKED_AT:
            size = int.from_bytes(data[at : at + 8], "little")
            with suppress(ValueError):  # a bad record is reported elsewhere
                self._known.update(*contents(data[at + 12 : at + 12 + size]))
            at += 16 + size
            self._n_looked_at += 1

    def _what(self) -> str:
        hints = []
        for name in self.absent:
            near = get_close_matches(name, self._known, 3, 0.6)
            hints.append(
                f"{name!r}" + f" (did you mean {' or '.join(map(repr, near))}?)" * bool(near)
            )
        known = ", ".join(map(repr, sorted(self._known)[:20])) or "none"
        return (
            f"the feature {', '.join(hints)}; the features there are: {known}. "
            "With missing='allow' a feature that no record has is an empty column"
        )
