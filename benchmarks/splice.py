"""`python benchmarks/splice.py`: takes the latest run into the README.

No number there is typed by hand: bench/latest.{md,json} become docs/results.{md,json}, and from
these the marked parts of README.md are written. `--check` only fails when they say anything else.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from statistics import geometric_mean, median

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE, DATA = ROOT / "docs" / "results.md", ROOT / "docs" / "results.json"
DOORS = ("capi", "cython", "pyo3", "nanobind", "pybind11", "cffi", "ctypes", "torch")
Samples = dict[str, dict[str, list[float]]]


def take() -> None:
    """Keeps the latest run: the page as it is, of the data the samples in seconds."""
    latest = ROOT / "bench" / "latest"
    document = json.loads(latest.with_suffix(".json").read_text("utf-8"))
    samples: Samples = {}
    for row in document["benchmarks"]:
        samples.setdefault(row["group"], {})[row["param"]] = row["stats"]["data"]
    DATA.write_text(json.dumps(samples, sort_keys=True) + "\n", "utf-8")
    PAGE.write_text(latest.with_suffix(".md").read_text("utf-8"), "utf-8")


def results() -> str:
    """The page, as a part of the README."""
    title, _, page = PAGE.read_text("utf-8").partition("\n")
    assert title.startswith("# ")
    return page.replace("\n## ", "\n### ").strip()


def guidance(samples: Samples) -> str:
    """What a call costs through each door, and where that is lost in the work."""
    probes = [group for group in samples if group.startswith("probe ")]

    def cost(door: str) -> float:
        """Against the C API, as the geometric mean over the probes."""
        return geometric_mean(
            median(samples[group][door]) / median(samples[group]["capi"]) for group in probes
        )

    costs = ", ".join(f"`{door}` {cost(door):.1f}×" for door in sorted(DOORS, key=cost))
    return (
        "What a call costs, against the same call through the C API (geometric mean over the\n"
        f"probes): {costs}.\n\n{break_even(samples)}"
    )


def break_even(samples: Samples) -> str:
    """From which size of product on a door that shares the C kernel is within 5 % of the C API."""
    sizes = sorted(
        int(size) for size in (group.removeprefix("matmul ") for group in samples) if size.isdigit()
    )
    found = []
    for door in ("nanobind", "pybind11", "cffi", "ctypes", "torch"):
        near = None
        for size in reversed(sizes):
            times = samples[f"matmul {size}"]
            if median(times[door]) > 1.05 * median(times["capi"]):
                break
            near = size
        found.append(f"`{door}` " + (f"from N = {near}" if near else f"beyond N = {sizes[-1]}"))
    return (
        "Where the work outweighs the call, the choice stops mattering. The product of two N×N\n"
        f"float32 matrices takes within 5 % of what it takes through the C API: {', '.join(found)}."
    )


def spliced(readme: str) -> str:
    """The README with its marked parts written anew."""
    parts = {"results": results(), "guidance": guidance(json.loads(DATA.read_text("utf-8")))}
    for name, text in parts.items():
        pattern = rf"(<!-- {name}: begin [^\n]*-->\n).*?(<!-- {name}: end -->)"
        readme, n = re.subn(
            pattern, lambda m, text=text: f"{m[1]}{text}\n{m[2]}", readme, flags=re.DOTALL
        )
        assert n == 1, f"README.md has no part marked {name}"
    return readme


def main() -> int:
    """The command line."""
    before = README.read_text("utf-8")
    if "--check" in sys.argv[1:]:
        return 0 if spliced(before) == before else 1
    take()
    README.write_text(spliced(before), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
