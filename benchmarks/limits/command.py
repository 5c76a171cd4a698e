"""`nox -s limits`: matmul beside the peak, beside other libraries, and beside itself.

What is compared is measured in turn, in a new order each round, so that what stands at one place in
two lists was measured within the same seconds. The answers of the first round are checked.
With `--keep` the figures are kept as docs/limits.json, and as what docs/ladder.md makes of it.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import machine
import numpy as np
from clock import Timed, interleaved
from ladder import pages as ladder

import bindings
from limits import alone, pages, threads
from limits.checked import checker
from limits.rival import CORE_TYPES, Rival
from limits.timing import TYPES, Rate, operands, peak, product, rate

LARGE = {1000: 9, 1024: 9, 2048: 5, 3000: 3, 4096: 3}
"""Size to rounds: the last take seconds for each contestant."""
ALONE_ROUNDS, CALL_ROUNDS, THREADS_ROUNDS = 25, 25, 5
C, AGAIN, RUST, NUMPY, BEST, TORCH = pages.C, pages.AGAIN, "Rust", "NumPy", "NumPy †", "torch.mm"
Measured = Callable[[int, str], float]
"""GFLOP/s of a product of a size and an element type."""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="limits", description="How near does matmul get?")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: a trial")
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    absent: dict[str, str] = {}
    doors = {C: bindings.load("capi").matmul, **_rust(absent)}
    libraries = {**doors, NUMPY: np.matmul, **_torch(absent)}
    rivals = {name: Rival(name) for name in CORE_TYPES.get(platform.machine(), ())}
    quiet = machine.Quiet()
    with TemporaryDirectory(prefix="limits-") as temporary:
        folder = Path(temporary)
        try:
            best = {dtype: _best(rivals, dtype) for dtype in TYPES if rivals}
            for name in rivals.keys() - best.values():
                rivals.pop(name).end()
            fastest = {dtype: rivals[name] for dtype, name in best.items()}
            rounds = dict.fromkeys((256, 512), 2) if options.quick else LARGE
            of_core = peak(folder)
            large, wrong = _large(rounds, libraries, fastest, of_core, folder)
        finally:
            for rival in rivals.values():
                rival.end()
        if wrong:
            print("\n".join([*wrong, "What is wrong is not compared."]))
            return 2
        figures: dict[str, Any] = {"large": large}
        figures["alone"] = _alone(folder, of_core, absent, 5 if options.quick else ALONE_ROUNDS)
        figures["call"] = _call(doors[C], 5 if options.quick else CALL_ROUNDS)
        if machine.cores() > 1:
            figures["threads"] = _threads(doors, 2 if options.quick else THREADS_ROUNDS)
        else:
            absent["two threads"] = "there is one core"
    figures |= {"best": best, "absent": absent, "machine": machine.facts()}
    figures |= {"numpy": np.__version__, "noise": quiet.report()}
    figures = json.loads(json.dumps(figures), parse_float=lambda text: float(f"{float(text):.4g}"))
    print(pages.summary(figures))
    if options.keep:
        pages.DATA.write_text(json.dumps(figures) + "\n", "utf-8")
        for path, text in ladder.written().items():
            path.write_text(text, "utf-8")
    return 0


def _rust(absent: dict[str, str]) -> dict[str, Any]:
    try:
        return {RUST: bindings.load("pyo3").matmul}
    except bindings.BackendUnavailable as shut:
        absent[RUST] = f"{shut.reason}; to mend it: {shut.remedy}"
        return {}


def _torch(absent: dict[str, str]) -> dict[str, Any]:
    try:
        import torch
    except ImportError as error:
        absent[TORCH] = str(error)
        return {}
    torch.set_num_threads(1)

    def matmul(a: Any, b: Any, *, out: Any) -> None:
        torch.mm(torch.from_numpy(a), torch.from_numpy(b), out=torch.from_numpy(out))

    return {TORCH: matmul}


def _best(rivals: Mapping[str, Rival], dtype: str) -> str:
    """The core type with which NumPy is fastest here."""
    found = {name: max(one.rate(1024, dtype) for _ in "123") for name, one in rivals.items()}
    return max(found, key=lambda name: found[name])


def _large(
    rounds: Mapping[int, int],
    libraries: Mapping[str, Any],
    best: Mapping[str, Rival],
    of_core: Callable[[str], float],
    folder: Path,
) -> tuple[dict[str, dict[str, dict[str, list[Rate]]]], list[str]]:
    """By type, size and contestant, ours twice, which shows what such figures say; and who is wrong
    in the first round."""
    found: dict[str, dict[str, dict[str, list[Rate]]]] = {}
    wrong = []
    for dtype in TYPES:
        for n, times in rounds.items():
            a, b, out = operands(n, dtype)
            right = checker(a, b)
            works = {name: product(matmul, a, b, out) for name, matmul in libraries.items()}
            works[AGAIN] = works[C]
            names = [*works, BEST] if dtype in best else [*works]
            samples: dict[str, list[Rate]] = {name: [] for name in names}
            for turn in range(times):
                for name in random.sample(names, len(names)):
                    if turn == 0:
                        out[:] = np.nan
                    most = of_core(dtype)
                    known = rate(works[name]) if name in works else best[dtype].rate(n, dtype)
                    samples[name].append((known, most))
                    if turn == 0:
                        got = out if name in works else best[dtype].save(n, dtype, folder / "r.npy")
                        wrong += [] if right(got) else [f"wrong: {name}, N = {n}, {dtype}"]
            found.setdefault(dtype, {})[str(n)] = samples
    return found, wrong


def _alone(
    folder: Path, of_core: Callable[[str], float], absent: dict[str, str], rounds: int
) -> dict[str, dict[str, dict[str, list[Rate]]]]:
    """By type, size and language, without a door."""
    built = {C: alone.c(folder)}
    try:
        built[RUST] = alone.rust(folder)
    except ImportError as error:
        absent[f"{RUST}, alone"] = str(error)
    found: dict[str, dict[str, dict[str, list[Rate]]]] = {}
    for dtype in TYPES:
        timed = {name: alone.timed(library, dtype) for name, library in built.items()}
        for n in alone.SIZES:
            matrices = operands(n, dtype)
            samples: dict[str, list[Rate]] = {name: [] for name in timed}
            for _ in range(rounds):
                for name in random.sample(list(timed), len(timed)):
                    most = of_core(dtype)
                    samples[name].append((2 * n**3 / timed[name](*matrices) / 1e9, most))
            found.setdefault(dtype, {})[str(n)] = samples
    return found


def _call(matmul: Any, rounds: int) -> dict[str, list[float]]:
    """Seconds of a call for 8x8, ours and NumPy's."""
    a, b, out = operands(8, "float32")
    timed = {
        name: Timed("f(a, b, out=out)", {"f": function, "a": a, "b": b, "out": out})
        for name, function in ((C, matmul), (NUMPY, np.matmul))
    }
    return interleaved(timed, rounds, 2e-3, random.Random())


def _threads(doors: Mapping[str, Any], rounds: int) -> dict[str, dict[str, dict[str, list[float]]]]:
    """By type, size and contestant how many times one thread's rate two have."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for dtype in TYPES:
        for n in threads.SIZES:
            a, b, out = operands(n, dtype)
            outs = out, np.empty_like(out)
            ratios: dict[str, list[float]] = {name: [] for name in (*doors, pages.AT_ONCE)}
            for _ in range(rounds):
                for name in random.sample(list(ratios), len(ratios)):
                    matmul = doors.get(name, doors[C])
                    one = threads.alone(matmul, a, b, out)
                    if name == pages.AT_ONCE:
                        two = threads.at_once(matmul, a, b, outs)
                    else:
                        two = threads.alone(matmul, a, b, out, 2)
                    ratios[name].append(two / one)
            found.setdefault(dtype, {})[str(n)] = ratios
    return found
