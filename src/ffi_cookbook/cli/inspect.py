"""`ffi-cookbook records inspect`: the contents of a TFRecord file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ffi_cookbook.records.columns.batch import Batch
from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.reading.reader import read
from ffi_cookbook.records.recovery.losses import Report, counted
from ffi_cookbook.terminal import printable

_SHOWN = 20  # losses that are printed
_VALUES, _BYTES = 8, 40  # values of a row, and bytes of a string, that are printed


def inspect(path: str, head: int) -> int:
    """Print the contents of a file, and return the exit code."""
    print(printable(path))
    source: Any = path
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        with open(path, "rb") as pipe:  # it can be read only once
            source = pipe.read()
    report = Report()
    spans = index(source, on_error="resync", report=report)
    print(_sizes(spans[:, 1]))
    print_losses(report)
    damaged = 1 if report.count else 0
    if not len(spans):
        return damaged
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            schema = Schema.infer(source, on_error="resync")
        except ValueError as error:
            print(printable(error))
            return 1
    console = Console()
    console.print(_table(schema))
    console.print(printable(repr(schema)), markup=False, highlight=False, soft_wrap=True)
    for warning in caught:
        print(printable(warning.message))
    if head > 0:
        _show(read(source, schema, batch_size=head, on_error="resync"))
    return damaged


def _sizes(sizes: Any) -> str:
    if not len(sizes):
        return "0 records"
    records = counted(len(sizes), "records")
    smallest, largest = int(sizes.min()), int(sizes.max())
    return (
        f"{records}, {int(sizes.sum())} bytes of data: {smallest} to {largest} a record, "
        f"{sizes.mean():.1f} on average"
    )


def _table(schema: Schema) -> Table:
    table = Table()
    for heading in ("feature", "kind", "values"):
        table.add_column(heading, overflow="fold")
    for name, kind, length in schema.fields:
        table.add_row(_cell(name), kind, "any number" if length is None else str(length))
    for name, kind, length in schema.sequence:
        values = "any number" if length is None else str(length)
        table.add_row(_cell(name), kind, f"{values} in each step")
    return table


def _cell(name: str) -> str:
    return escape(printable(name))


def _show(batches: Iterator[Batch]) -> None:
    """Print the records of the first batch."""
    for batch in islice(batches, 1):
        for row in range(len(batch)):
            print(f"record {row}")
            for name, column in batch.items():
                print(f"  {printable(name)}: {_shortened(column[row])}")


def _shortened(value: Any) -> str:
    """Return the first values of a row as text."""
    if isinstance(value, bytes):
        more = f"... ({len(value)} bytes)" if len(value) > _BYTES else ""
        return f"{value[:_BYTES]!r}{more}"
    if isinstance(value, np.generic):
        return str(value.item())
    more = f", ... ({len(value)})" if len(value) > _VALUES else ""
    return f"[{', '.join(_shortened(value[i]) for i in range(min(len(value), _VALUES)))}{more}]"


def print_losses(report: Report) -> None:
    """Print the losses of a report."""
    for loss in report.losses[:_SHOWN]:
        print(f"bytes {loss.start} to {loss.end}: {printable(loss.error)}")
    if report.count > _SHOWN:
        print(f"... and {report.count - _SHOWN} more")
