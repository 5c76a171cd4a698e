"""`ffi-cookbook inspect`: what a TFRecord file holds, and what of it is damaged."""

from __future__ import annotations

import argparse
import sys
import warnings
import zlib

from ffi_cookbook.records.columns.schema import Schema
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.reading.sources import find, is_index
from ffi_cookbook.records.recovery.losses import Report, counted
from ffi_cookbook.terminal import printable


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    command.description = (
        "the records of TFRecord files, their features as a Schema has them, and any damage"
    )
    command.add_argument("file", metavar="FILE", nargs="+", help="a path, a URL, or a pattern")


def run(options: argparse.Namespace) -> int:
    """Print every file, and return the worst exit code: 1 for damage, 2 for one not readable."""
    worst = 0
    for argument in options.file:
        if len(options.file) > 1 and is_index(argument):  # a shell has found it beside its file
            continue
        try:
            for path in find([argument]).sources:
                worst = max(worst, _inspect(path))
        except BrokenPipeError:  # the output was closed
            raise
        except (OSError, EOFError, zlib.error, ValueError, ImportError) as error:
            print(printable(error), file=sys.stderr)
            worst = 2
    return worst


def _inspect(path: str) -> int:
    print(printable(path))
    report = Report(limit=20)
    sizes = index(path, on_error="resync", report=report)[:, 1]
    print(f"{counted(len(sizes), 'records')}, {counted(int(sizes.sum()), 'bytes')} of data")
    for loss in report.losses:
        print(f"bytes {loss.start} to {loss.end}: {printable(loss.error)}")
    if report.count:
        print(f"damaged: {report}")
    if len(sizes):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                print(printable(repr(Schema.infer(path, on_error="resync"))))
            except ValueError as error:  # other messages than Examples
                print(printable(error))
                return 1
        for warning in caught:
            print(printable(warning.message))
    return 1 if report.count else 0
