"""The options of a run."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection, Sequence
from pathlib import Path

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.outside import admit
from benchmarks.ledger.rows import ALL

KERNELS = ("patterns", *BASELINES, "beyond")
NOT_QUICK = ("beyond",)
"""What `--quick` measures only if it is asked for."""
DESCRIPTION = "Is every binding right, and what does each cost?"


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the options."""
    parser = argparse.ArgumentParser(prog="benchmarks run", description=DESCRIPTION)
    choices = {"only": ffi_cookbook.names(), "kernel": KERNELS, "row": tuple(ALL)}
    for name, known in choices.items():
        parser.add_argument(
            f"--{name}",
            action="extend",
            type=lambda text, known=known: _known(text, known),
            metavar="A,B",
            help=f"only these of {', '.join(known)}",
        )
    parser.add_argument(
        "--binding",
        action="append",
        metavar="PATH",
        default=[],
        help="check and time a module of your own too, with functions of the protocol",
    )
    effort = parser.add_mutually_exclusive_group()
    efforts = {
        "quick": "fewer and shorter samples, no variants, only the time of calls and kernels",
        "full": "more and longer samples",
    }
    for name, what in efforts.items():
        effort.add_argument(f"--{name}", dest="effort", action="store_const", const=name, help=what)
    parser.set_defaults(effort="usual")
    parser.add_argument("--check", action="store_true", help="check everything, time nothing")
    parser.add_argument("--save", type=_name, metavar="NAME", default="bench", help="name the run")
    parser.add_argument("--compare", metavar="NAME", help="with a run saved before, or a file")
    parser.add_argument("--all", action="store_true", help="print every table, not one screen")
    parser.add_argument("--publish", action="store_true", help="take the run into README and docs")
    parser.add_argument("--folder", type=Path, default=ROOT, help="where to save")
    options = parser.parse_args(arguments)
    parts = options.only or options.kernel or options.row or options.binding
    if options.publish and (parts or options.effort == "quick" or options.check):
        parser.error("--publish needs a whole run, without --only, --kernel, --row, --quick")
    options.all |= bool(options.kernel or options.row)
    if options.effort == "quick" and not options.kernel:
        options.kernel = [kernel for kernel in KERNELS if kernel not in NOT_QUICK]
    for name, known in choices.items():
        chosen = getattr(options, name) or known
        setattr(options, name, [one for one in known if one in chosen])
    options.only += map(admit, options.binding)
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
