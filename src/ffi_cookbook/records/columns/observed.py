"""The features that were found in records, one by one, and the schema that follows."""

from __future__ import annotations

from ffi_cookbook.records.columns.fields import Feature, Kind
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.writing.messages import feature_lists, features


class Examined:
    """The features of the records that were examined.

    Attributes:
        ragged: the names of the features that are known not to be dense.
    """

    def __init__(self, dense: bool) -> None:
        self._dense, self._records, self._bytes = dense, 0, 0
        self._context, self._lists = dict[str, _Name](), dict[str, _Name]()
        self.ragged = set[str]()

    def add(self, data: bytes, path: str, record: int) -> None:
        """Add the features of a record."""
        where = f"record {record} of {path}"
        for name, (kind, n) in features(data).items():
            self._context.setdefault(name, _Name(name)).add(kind, n, where)
        for name, steps in feature_lists(data).items():
            entry = self._lists.setdefault(name, _Name(name))
            for kind, n in steps:
                entry.add(kind, n, where)
        self._records += 1
        self._bytes += len(data)

    @property
    def untyped(self) -> list[str]:
        """The names without a value, and those that are not valid UTF-8, as a schema's must be."""
        names = {**self._context, **self._lists}
        return sorted(name for name, entry in names.items() if entry.usable_kind is None)

    def candidate(self) -> Schema:
        """Return the schema of the records so far."""
        return Schema(
            self._features(self._context, self._records),
            sequence=self._features(self._lists, None),
        )

    def schema(self, where: str) -> Schema:
        """Return the schema, or raise ValueError if there is none."""
        if self._records == 0:
            raise ValueError(f"{where}: a file without records has no schema")
        schema = self.candidate()
        if not schema.names and self._bytes:
            raise ValueError(
                f"{where}: no feature has a value in the {self._records} records examined, "
                "so these are not tf.train.Examples; records.raw reads any records"
            )
        return schema.as_found()

    def _features(self, names: dict[str, _Name], always: int | None) -> dict[str, Feature]:
        """Return the features in order of their names; a dense one is in `always` records."""
        found: dict[str, Feature] = {}
        for name, entry in sorted(names.items()):
            (length, *others) = entry.lengths or {0}
            steady = length and not others and always in (None, entry.seen)
            if entry.usable_kind is not None:
                dense = self._dense and steady and name not in self.ragged
                found[name] = (entry.usable_kind, length) if dense else entry.usable_kind
        return found


class _Name:
    """A feature's kind, its numbers of values, and the number of records that have it."""

    def __init__(self, name: str) -> None:
        self._name, self._where, self.seen = name, "", 0
        self.kind: Kind | None = None
        self.lengths = set[int]()

    @property
    def usable_kind(self) -> Kind | None:
        """The kind, if there is one and a schema can have the name."""
        return self.kind if _is_utf8(self._name) else None

    def add(self, kind: Kind | None, length: int, where: str) -> None:
        """Add a Feature of this name."""
        if kind and self.kind and kind != self.kind:
            raise ValueError(
                f"feature {self._name!r} is {kind} here and {self.kind} in {self._where}"
            )
        if kind and not self.kind:
            self.kind, self._where = kind, where
        self.lengths.add(length)
        self.seen += 1


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
