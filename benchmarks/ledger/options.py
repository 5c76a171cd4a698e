"""The command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence
from pathlib import Path

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.compare import Gate, needs_counts
from benchmarks.ledger.rows import ALL

KERNELS = ("patterns", *BASELINES, "even", "beyond")
NOT_QUICK = ("beyond",)
"""What `--quick` measures only if it is asked for."""
UNNAMED = "bench"
"""The name of a run that `--save` gives no name."""
DESCRIPTION = "Is every binding right, and what does each cost?"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(prog="bench", description=DESCRIPTION)
    choices = (
        ("--only", ffi_cookbook.names(), "backends"),
        ("--kernel", KERNELS, "parts"),
        ("--row", ALL, "rows of the ledger"),
    )
    for option, known, what in choices:
        parser.add_argument(
            option,
            action="extend",
            type=lambda text, known=known: _known(text, known),
            metavar="A,B",
            help=f"only these {what}, of {', '.join(known)}",
        )
    effort = parser.add_mutually_exclusive_group()
    efforts = (
        ("quick", "fewer and shorter samples, no variants, only the time of calls and kernels"),
        ("full", "more and longer samples, and the time of builds"),
    )
    for name, what in efforts:
        effort.add_argument(f"--{name}", dest="effort", action="store_const", const=name, help=what)
    parser.set_defaults(effort="usual")
    parser.add_argument("--check", action="store_true", help="check everything, time nothing")
    parser.add_argument(
        "--save", type=_name, metavar="NAME", default=UNNAMED, help="keep the run by a name"
    )
    parser.add_argument("--compare", metavar="NAME", help="with a run saved before, or a file")
    parser.add_argument(
        "--gate",
        action="append",
        type=Gate.parse,
        default=[],
        metavar="instr:1%",
        help="exit code 1 where a cell is worse by more than that, against --compare",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="print every table, as where only parts are measured, instead of one screen",
    )
    parser.add_argument(
        "--publish", action="store_true", help="take the run into README.md and docs"
    )
    parser.add_argument(
        "--flame", metavar="ROW:NAME", help="draw where the last run's instructions of a call are"
    )
    parser.add_argument("--folder", type=Path, default=ROOT, help="where to save")
    options = parser.parse_args(arguments)
    if options.gate and not options.compare:
        parser.error("--gate needs --compare, which names the run to compare with")
    if options.check and (options.gate or options.publish):
        parser.error("--check times nothing, and --gate and --publish need figures")
    parts = options.only or options.kernel or options.row
    if options.publish and (parts or options.effort == "quick"):
        parser.error("--publish needs a whole run, without --only, --kernel, --row and --quick")
    if needs_counts(options) and options.kernel and "patterns" not in options.kernel:
        parser.error("--gate instr needs --kernel patterns: only those are counted")
    options.all |= bool(options.kernel or options.row)
    if options.effort == "quick" and not options.kernel:
        options.kernel = [kernel for kernel in KERNELS if kernel not in NOT_QUICK]
    for name, known in (("only", ffi_cookbook.names()), ("row", ALL), ("kernel", KERNELS)):
        chosen = getattr(options, name) or known
        setattr(options, name, [one for one in known if one in chosen])
    return options


def _known(text: str, known: Collection[str]) -> list[str]:
    names = text.split(",")
    if unknown := set(names).difference(known):
        raise argparse.ArgumentTypeError(f"{', '.join(unknown)}: choose from {', '.join(known)}")
    return names


def _name(text: str) -> str:
    if not re.fullmatch(r"[\w.-]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text}: use letters, digits, -, _ and .")
    return text
