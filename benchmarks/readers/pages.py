"""What docs/records-speed.md says, made of the figures in docs/readers.json alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import findings
import spread
from marked import spliced

from readers import goals, scale
from readers.jobs import IN_C, MEMORY
from readers.libraries import PACKAGE, PROTOBUF
from readers.loaders import STREAM
from readers.on_ray import OF_RAY

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE, DATA = DOCS / "records-speed.md", DOCS / "readers.json"


class Shape(NamedTuple):
    """How a job is shown: its unit, and what it is compared with."""

    unit: str
    scale: float
    beside: tuple[str, ...]


SHAPES = {
    "examples": Shape("million Examples/s", 1e-6, (IN_C,)),
    "package": Shape("million Examples/s", 1e-6, (PACKAGE, PROTOBUF)),
    "tokens": Shape("million tokens/s", 1e-6, (IN_C,)),
    "sequences": Shape("million SequenceExamples/s", 1e-6, (IN_C,)),
    "scan": Shape("GB/s", 1e-9, (MEMORY,)),
    "gathers": Shape("million records/s", 1e-6, (IN_C,)),
    "loading": Shape("thousand samples/s", 1e-3, (STREAM, PACKAGE)),
    "ray": Shape("thousand records/s", 1e-3, (OF_RAY,)),
}
THREADS, SCALE = "threads", "scale"


def written() -> dict[Path, str]:
    """Return the page with its marked parts written anew."""
    parts = findings.read(DATA)
    texts = {name: shown(parts, name) for name in (*SHAPES, THREADS, SCALE)}
    texts |= {"goals": goals.reached(parts), "about": "  \n".join(findings.about(parts))}
    return {PAGE: spliced(PAGE.read_text("utf-8"), texts)}


def shown(parts: Mapping[str, findings.Part], name: str) -> str:
    """Return a part's table, or a line that it was not measured."""
    if name not in parts or parts[name]["found"] is None:
        return findings.UNKNOWN
    if name == SCALE:
        return scale.shown(parts[name]["found"])
    speeds = parts[name]["found"]["speeds"]
    return _pairs(speeds) if name == THREADS else _speeds(speeds, SHAPES[name])


def _speeds(speeds: Mapping[str, Any], shape: Shape) -> str:
    """Everyone's speed, and as a multiple of some."""
    rows = [
        [
            name,
            spread.interval(samples, scale=shape.scale),
            *(spread.interval(spread.against(speeds, name, other), " ×") for other in shape.beside),
        ]
        for name, samples in speeds.items()
    ]
    return spread.table(["", shape.unit, *(f"of {other}" for other in shape.beside)], rows)


def _pairs(speeds: Mapping[str, Any]) -> str:
    """Two threads as a multiple of one."""
    names = [name.removesuffix(", one") for name in speeds if name.endswith(", one")]
    rows = [
        [name, spread.interval(spread.against(speeds, f"{name}, two", f"{name}, one"), " ×")]
        for name in names
    ]
    return spread.table(["two threads", "of one"], rows)
