"""`nox -s limits`: matmul beside the peak, beside other libraries, and beside itself.

What is compared is measured in turn, in a new order each round, so that what stands at one place in
two lists was measured within the same seconds. With `--keep` the figures are kept as
docs/limits.json, and as what docs/ladder.md makes of it. With `--only` there is but a part of them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import machine
import numpy as np
from clock import Timed, interleaved
from ladder import pages as ladder
from rates import keyword, operands, peak, torch_mm

import bindings
from limits import large, pages, threads, warm

PARTS = ("large", "alone", "call", "threads")
WARM_ROUNDS, CALL_ROUNDS, THREADS_ROUNDS = 25, 25, 5
C, RUST, NUMPY, TORCH = pages.C, "Rust", "NumPy", "torch.mm"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="limits", description="How near does matmul get?")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: a trial")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="not all of it")
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    if options.keep and len(options.only) < len(PARTS):
        parser.error("a part of the figures is not kept")
    absent: dict[str, str] = {}
    backends = {C: bindings.load("capi").matmul}
    backends |= _tried(RUST, lambda: bindings.load("pyo3").matmul, absent)
    libraries = {
        **{name: keyword(backend) for name, backend in backends.items()},
        NUMPY: keyword(np.matmul),
    }
    libraries |= _tried(TORCH, torch_mm, absent)
    figures: dict[str, Any] = {"best": {}, "absent": absent, "machine": machine.facts()}
    quiet, quick = machine.Quiet(), options.quick
    with TemporaryDirectory(prefix="limits-") as temporary:
        folder = Path(temporary)
        of_core = peak(folder)
        if "large" in options.only:
            sizes = dict.fromkeys((256, 512), 2) if quick else large.SIZES
            try:
                found = large.measured(sizes, libraries, of_core, folder)
            except large.Wrong as wrong:
                print(wrong, "What is wrong is not compared.", sep="\n")
                return 2
            figures["large"], figures["best"] = found
        if "alone" in options.only:
            figures["alone"] = warm.measured(folder, of_core, absent, 5 if quick else WARM_ROUNDS)
    if "call" in options.only:
        figures["call"] = _call(backends[C], 5 if quick else CALL_ROUNDS)
    if "threads" in options.only and machine.cores() > 1:
        figures["threads"] = threads.measured(backends, 2 if quick else THREADS_ROUNDS)
    elif "threads" in options.only:
        absent["two threads"] = "there is one core"
    figures |= {"numpy": np.__version__, "noise": quiet.report()}
    ladder.publish(figures, pages.summary, pages.DATA if options.keep else None)
    return 0


def _tried(name: str, make: Callable[[], Any], absent: dict[str, str]) -> dict[str, Any]:
    """Return a contender, or the reason why there is none."""
    try:
        return {name: make()}
    except ImportError as error:
        absent[name] = str(error)
        return {}


def _call(matmul: Any, rounds: int) -> dict[str, list[float]]:
    """Seconds of a call for 8x8, ours and NumPy's."""
    a, b, out = operands(8, "float32")
    timed = {
        name: Timed("f(a, b, out=out)", {"f": function, "a": a, "b": b, "out": out})
        for name, function in ((C, matmul), (NUMPY, np.matmul))
    }
    return interleaved(timed, rounds, 2e-3, random.Random())
