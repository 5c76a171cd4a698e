"""`ffi-cookbook records`: look into TFRecord files, check them, index them, save what is good."""

from __future__ import annotations

import argparse
import os
import sys
import zlib
from collections.abc import Callable
from functools import partial

from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.cli.inspect import inspect, print_losses
from ffi_cookbook.records.picking import sidecar
from ffi_cookbook.records.picking.frames import refuse_compressed
from ffi_cookbook.records.picking.index import index
from ffi_cookbook.records.reading.sources import find, is_index
from ffi_cookbook.records.recovery import salvaging
from ffi_cookbook.records.recovery.losses import Report, counted
from ffi_cookbook.terminal import printable

_INTERRUPTED = 130


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the project's command line."""
    parser = commands.add_parser("records", help="inspect, verify, index or salvage TFRecord files")
    actions = parser.add_subparsers(dest="action", required=True)
    for name, words in (
        ("inspect", "the number of records, their sizes and their features, as a Schema has them"),
        ("verify", "check every CRC and say which bytes are bad; fails if some are"),
        ("index", "write FILE.idx, for random access"),
        ("salvage", "write the good records to a new file"),
    ):
        action = actions.add_parser(name, help=words)
        many = None if name == "salvage" else "+"
        help_ = "a path, a URL, or a pattern such as 'data/**/*.tfrecord'"
        action.add_argument("file", metavar="FILE", nargs=many, help=help_)
        if name == "salvage":
            action.add_argument("target", metavar="NEW_FILE")
        if name == "inspect":
            action.add_argument(
                "--head", metavar="N", type=_natural, default=0, help="show N records"
            )


def run(options: argparse.Namespace) -> int:
    """Run the action and return its exit code, the worst one of several files.

    It is 0 if all is well, 1 if something is lost or wrong, 2 if a file cannot be read, 130 if the
    action is interrupted.
    """
    if options.action == "salvage":
        return _guarded(partial(_salvage, options.file, options.target))
    look: Callable[..., int] = partial(inspect, head=getattr(options, "head", 0))
    action = {"inspect": look, "verify": _verify, "index": _index}[options.action]
    worst = 0
    many = len(options.file) > 1  # perhaps those that a shell has found
    for argument in options.file:
        if many and is_index(argument):
            continue
        files: list[str] = []
        worst = max(worst, _guarded(partial(_find, argument, files)))
        for path in files:
            code = _guarded(partial(action, path))
            if code == _INTERRUPTED:
                return code
            worst = max(worst, code)
    return worst


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"it must be a whole number, 0 or more, not {text!r}")
    return int(text)


def _find(argument: str, files: list[str]) -> int:
    files += find([argument]).sources
    return 0


def _guarded(action: Callable[[], int]) -> int:
    """Run an action and return its exit code; print any errors."""
    try:
        return action()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # the output was closed
        raise
    except (OSError, EOFError, zlib.error, ValueError, ImportError) as error:
        print(printable(error), file=sys.stderr)
        return 1 if isinstance(error, RecordError) else 2


# ---- verify, index, salvage -------------------------------------------------------------------


def _verify(path: str) -> int:
    return _tell(path, salvaging.verify(path))


def _index(path: str) -> int:
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"{path} is not a file, and an index is for random access")
    refuse_compressed(path)
    spans = index(path, compression=None)
    sidecar.save_index(path, spans)
    print(f"{printable(path)}.idx: {counted(len(spans), 'records')}")
    return 0


def _salvage(path: str, target: str) -> int:
    if os.path.exists(target):
        raise ValueError(f"{target} exists already")
    return _tell(path, salvaging.salvage(path, target))


def _tell(path: str, health: salvaging.Health) -> int:
    report: Report = health.report
    print_losses(report)
    if health.damage:
        print(printable(health.damage))
    good = f"{counted(health.records, 'good records')}, {health.bytes} bytes"
    print(f"{printable(path)}: {good}; {report}")
    return 1 if report.count or health.damage else 0
