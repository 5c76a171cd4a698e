"""`python benchmarks/splice.py`: takes the latest run into the README and docs/patterns.

No number there is typed by hand: bench/latest.{md,json} become docs/results.{md,json}, and of these
the marked parts of README.md and the gallery are made. `--check` only fails when they say anything
else; so too of the pages that have kept runs of their own (docs/ladder.md, docs/tokenizer-speed.md,
docs/records-speed.md), and of the source shown in docs/bind-an-existing-library.md.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import geometric_mean, median

import gallery
from encoders import pages as encoders
from ladder import pages as ladder
from marked import spliced
from readers import pages as readers

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE, DATA = ROOT / "docs" / "results.md", ROOT / "docs" / "results.json"
BINDING, BLAS = ROOT / "docs" / "bind-an-existing-library.md", ROOT / "benchmarks" / "blas.py"
SHOWN = ("Cost of a call", "matmul", "records", "tokenizer")
ASKED = {"|", "×", "noop", "noop_nogil", "add_int", "six_scalars", "keywords", "str_in", "bytes_in"}
ASKED |= {"array_in", "array_out", "list_in", "dict_in", "object_new", "method", "callback"}
ASKED |= {"error"}
DOORS = ("capi", "cython", "pyo3", "nanobind", "pybind11", "cffi", "ctypes", "torch")
Samples = dict[str, dict[str, list[float]]]


def take() -> None:
    """Keeps the latest run: the page as it is, of the data what the other pages are made of."""
    from model import costs  # needs what only a run needs

    latest = ROOT / "bench" / "latest"
    document = json.loads(latest.with_suffix(".json").read_text("utf-8"))
    samples: Samples = {}
    for row in document["benchmarks"]:
        found = [float(f"{one:.4g}") for one in row["stats"]["data"]]
        samples.setdefault(row["group"], {})[row["param"]] = found
    kept = {name: document[name] for name in ("instructions", "beyond", "model", "floor")}
    DATA.write_text(json.dumps({"samples": samples, **kept}, sort_keys=True) + "\n", "utf-8")
    costs.keep(document)
    PAGE.write_text(latest.with_suffix(".md").read_text("utf-8"), "utf-8")


def written() -> dict[Path, str]:
    """Everything that is made of the kept run, by path."""
    figures = json.loads(DATA.read_text("utf-8"))
    parts = {"results": results(), "guidance": guidance(figures["samples"])}
    source = {"blas.py": f"```python\n{BLAS.read_text('utf-8')}```"}
    return {
        README: spliced(README.read_text("utf-8"), parts),
        BINDING: spliced(BINDING.read_text("utf-8"), source),
        **gallery.pages(figures),
        **ladder.written(),
        **encoders.written(),
        **readers.written(),
    }


def results() -> str:
    """The page's head, and of its tables those of the README."""
    title, _, page = PAGE.read_text("utf-8").partition("\n")
    assert title.startswith("# ")
    head, *tables = page.split("\n## ")
    kept = [_shortened(table) for table in tables if table.startswith(SHOWN)]
    return "\n### ".join([head.strip() + "\n", *kept]).strip()


def _shortened(table: str) -> str:
    """Of the ledger the rows that most people ask for."""
    lines = table.split("\n")
    rows = [line for line in lines if not line.startswith("| ") or line.split()[1] in ASKED]
    return "\n".join(rows if table.startswith(SHOWN[0]) else lines)


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


def main() -> int:
    """The command line."""
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in written().items() if not _says(path, text)]
        print(*(f"{path} is not what the kept run says" for path in stale), sep="\n")
        return int(bool(stale))
    take()
    for path, text in written().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return 0


def _says(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
