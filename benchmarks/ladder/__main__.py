"""`python benchmarks/ladder`: times every step and the doors, and writes docs/matmul.json.

All figures are shares of what one core can do, which is measured right before each: the machine
may slow down, but then it slows down both. Rounds are interleaved. What one thread takes is the
time that the processor gave it; what several take is the time that went by, and is left out where
others used more than a tenth of the machine. `splice.py` makes the page of all this.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

for pool in ("OPENBLAS", "MKL", "OMP"):  # before anyone imports them
    os.environ[f"{pool}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))

import machine  # noqa: E402 - a script beside the folder, like this one

SIZE, ROUNDS, LONG = 960, 5, 0.05
SIZES = {"float32": (64, 256, 1000, 1024, 2048), "float64": (64, 256, 1000, 1024)}
FLAGS = ("-O3", "-march=native", "-Wall", "-Wextra")


def steps(folder: Path) -> dict[str, list[float]]:
    """By step, the share of the peak in each round; on all cores too where a step has threads."""
    compiler = shutil.which("cc") or shutil.which("gcc") or "clang"
    kernels = [str(ROOT / "c_src" / f"{name}.c") for name in ("matmul", "pool", "cpu")]
    runs = {}
    for source in sorted(HERE.glob("[1-9]_*.c")):
        program = folder / source.stem
        build = [compiler, *FLAGS, str(source), *kernels, "-o", str(program), "-lm", "-lpthread"]
        subprocess.run(build, check=True)
        runs[source.stem] = [str(program), str(SIZE), "1", "1"]
        if source.stem in ("7_threads", "8_kernel") and machine.cores() > 1:
            cores = machine.cores()
            runs[f"{source.stem} x{cores}"] = [str(program), str(SIZE), "1", str(cores)]
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, command in runs.items():
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            found[name].append(float(answer))
    return found


def contestants() -> dict[str, Callable[..., Any]]:
    """What multiplies two arrays into a third, on one thread."""
    import torch

    import bindings

    torch.set_num_threads(1)

    def product(a: Any, b: Any, out: Any) -> None:
        torch.mm(torch.from_numpy(a), torch.from_numpy(b), out=torch.from_numpy(out))

    def through(name: str) -> Callable[..., Any]:
        matmul = bindings.load(name).matmul
        return lambda a, b, out: matmul(a, b, out=out)

    doors = {name: through(name) for name in ("capi", "pyo3", "cython")}
    return {**doors, "NumPy": lambda a, b, out: np.matmul(a, b, out=out), "torch.mm": product}


def doors(folder: Path) -> dict[str, dict[str, list[float]]]:
    """By type and size, and by contestant, the share of the peak in each round."""
    library = folder / "peak.so"
    source = str(HERE.parent / "peak.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", str(library)], check=True)
    peak, sink = ctypes.CDLL(str(library)).peak, ctypes.c_float()
    peak.argtypes, peak.restype = (ctypes.c_size_t, ctypes.c_void_p), ctypes.c_size_t

    def best() -> float:
        start = process_time()
        operations = peak(200_000, ctypes.addressof(sink))
        return float(operations / (process_time() - start))

    functions = contestants()
    found: dict[str, dict[str, list[float]]] = {}
    for dtype, sizes in SIZES.items():
        for n in sizes:
            random = np.random.default_rng(n)
            a, b, out = (random.standard_normal((n, n)).astype(dtype) for _ in range(3))
            rows = found.setdefault(f"{dtype} {n}", {name: [] for name in functions})
            for _ in range(ROUNDS):
                for name, function in functions.items():
                    limit = best() * (4 / a.itemsize)
                    rows[name].append(2 * n**3 / seconds(function, a, b, out) / limit)
    return found


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Of a call, once it is warm."""
    function(*arguments)
    times, start = 0, process_time()
    while process_time() - start < LONG:
        function(*arguments)
        times += 1
    return (process_time() - start) / times


def main() -> None:
    """Measures, then keeps what was measured."""
    from bindings import load

    quiet = machine.Quiet()
    with tempfile.TemporaryDirectory() as name:
        found = {"steps": steps(Path(name)), "doors": doors(Path(name))}
    facts = machine.facts()
    kept = {
        "machine": {name: facts[name] for name in ("processor", "cores", "machine")},
        "isa": load("capi").about()["isa"],
        "noise": quiet.report(),
        **found,
    }
    if (kept["noise"]["others"] or 0) > machine.NOISY:
        for name in [name for name in found["steps"] if " x" in name]:
            del found["steps"][name]
    path = ROOT / "docs" / "matmul.json"
    rounded = json.loads(json.dumps(kept), parse_float=lambda text: round(float(text), 4))
    path.write_text(json.dumps(rounded, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
