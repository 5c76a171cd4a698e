"""`ffi-cookbook records`: look into a TFRecord file, check it, index it, save what is good."""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table

from bindings.errors import RecordError
from bindings.records import salvaging, sidecar
from bindings.records.index import Progress as Reached
from bindings.records.index import index
from bindings.records.inflate import infer
from bindings.records.recovery import Report
from bindings.records.schema import Schema

_SHOWN = 20  # losses of a report


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the project's command line."""
    parser = commands.add_parser("records", help="inspect, verify, index or salvage TFRecord files")
    actions = parser.add_subparsers(dest="action", required=True)
    for name, words in (
        ("inspect", "the features of the records, as a Schema has them"),
        ("verify", "check every CRC and say which bytes are bad; fails if some are"),
        ("index", "write FILE.idx, for random access"),
        ("salvage", "write the good records to a new file"),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("file", metavar="FILE")
        if name == "salvage":
            action.add_argument("target", metavar="NEW_FILE")


def run(options: argparse.Namespace) -> int:
    """Runs it: 0 when all is well, 1 when something is lost, 2 when the file cannot be read, 130
    when it is interrupted."""
    action = {"inspect": _inspect, "verify": _verify, "index": _index, "salvage": _salvage}
    try:
        return action[options.action](options)
    except KeyboardInterrupt:
        return 130
    except (OSError, EOFError, zlib.error, ValueError, ImportError) as error:
        print(error, file=sys.stderr)
        return 1 if isinstance(error, RecordError) else 2


def _inspect(options: argparse.Namespace) -> int:
    schema = Schema.infer(options.file)
    table = Table()
    for heading in ("feature", "kind", "values"):
        table.add_column(heading, overflow="fold")
    for name, kind, length in schema.fields:
        table.add_row(escape(name), kind, "any number" if length is None else str(length))
    for name, kind, length in schema.sequence:
        values = "any number" if length is None else str(length)
        table.add_row(escape(name), kind, f"{values} in each step")
    print(options.file)
    Console().print(table)
    Console().print(repr(schema), markup=False, soft_wrap=True)
    return 0


def _verify(options: argparse.Namespace) -> int:
    with _bar("verifying", options.file) as progress:
        health = salvaging.verify(options.file, progress=progress)
    return _tell(health)


def _index(options: argparse.Namespace) -> int:
    if os.path.exists(options.file) and not os.path.isfile(options.file):
        raise ValueError(f"{options.file} is no file, and an index is for random access")
    if compression := _compression(options.file):
        raise ValueError(
            f"{options.file} is compressed ({compression}), and an index is for random access: "
            "decompress the file first"
        )
    with _bar("indexing", options.file) as progress:
        spans = index(options.file, compression=None, progress=progress)
    sidecar.save_index(options.file, spans)
    print(f"{options.file}.idx: {len(spans)} records")
    return 0


def _salvage(options: argparse.Namespace) -> int:
    if os.path.exists(options.target):
        raise ValueError(f"{options.target} is there already")
    with _bar("salvaging", options.file) as progress:
        health = salvaging.salvage(options.file, options.target, progress=progress)
    return _tell(health)


def _tell(health: salvaging.Health) -> int:
    report: Report = health.report
    for loss in report.losses[:_SHOWN]:
        print(f"bytes {loss.start} to {loss.end}: {loss.error}")
    if report.count > _SHOWN:
        print(f"... and {report.count - _SHOWN} more")
    if health.damage:
        print(health.damage)
    print(f"{health.records} good records, {health.bytes} bytes; {report}")
    return 1 if report.count or health.damage else 0


@contextmanager
def _bar(what: str, path: str) -> Iterator[Reached]:
    """A progress bar on a terminal. The end of a compressed file is not known, nor that of a pipe,
    of which nothing may be read here."""
    columns = TextColumn(what), BarColumn(), DownloadColumn(), TransferSpeedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        known = os.path.isfile(path) and not _compression(path)
        task = bar.add_task(what, total=os.path.getsize(path) if known else None)
        yield lambda reached: bar.update(task, completed=reached)


def _compression(path: str) -> str | None:
    with open(path, "rb") as file:
        return infer(file.read(12), "infer")
