"""Measured figures, part by part, in a file that a page is made from.

A part has what was `found`, and the bindings, machine, noise, versions and absences of its run: the
parts of a file may come from several runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import machine
import numpy as np
from marked import replace

import bindings

Part = dict[str, Any]
UNKNOWN = "Not measured."


def opened(names: Iterable[str]) -> tuple[dict[str, ModuleType], dict[str, str]]:
    """Return the bindings, and why others are unavailable."""
    found, unavailable = {}, {}
    for name in names:
        try:
            found[name] = bindings.load(name)
        except bindings.BackendUnavailable as error:
            unavailable[name] = f"{error.reason}; to mend it: {error.remedy}"
    return found, unavailable


def part(measure: Callable[[], Any], about: Mapping[str, Any]) -> Part:
    """Return a measured part, with four digits of every number that is not whole."""
    quiet = machine.Quiet()
    found = measure()
    versions = {"NumPy": np.__version__, **about["versions"]}
    made = {**about, "versions": versions, "machine": machine.facts(), "noise": quiet.report()}
    made["found"] = found
    rounded: Part = json.loads(
        json.dumps(made), parse_float=lambda text: float(f"{float(text):.4g}")
    )
    return rounded


def read(path: Path) -> dict[str, Part]:
    """Read the parts of a file, none if there is no file."""
    parts: dict[str, Part] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return parts


def keep(path: Path, parts: Mapping[str, Part]) -> None:
    """Store parts in a file, replacing older ones of their names."""
    merged = read(path) | parts
    lines = [f"{json.dumps(name)}: {json.dumps(merged[name])}" for name in sorted(merged)]
    replace(path, "{\n" + ",\n".join(lines) + "\n}\n")


def about(parts: Mapping[str, Part]) -> list[str]:
    """Say where parts were measured, what was absent there, and how quiet the machine was.

    What is not true of all parts names those that it is true of.
    """
    said: dict[str, list[str]] = {}
    for name, one in parts.items():
        for line in _lines(one):
            said.setdefault(line, []).append(name)
    return [
        line if len(names) == len(parts) else f"{line} ({', '.join(names)})"
        for line, names in said.items()
    ]


def _lines(one: Part) -> list[str]:
    where, others = one["machine"], one["noise"]["others"] or 0
    versions = ", ".join(f"{name} {number}" for name, number in one["versions"].items())
    cores = "1 core" if where["cores"] == 1 else f"{where['cores']} cores"
    lines = [f"{where['processor']}, {cores}; Python {where['python_version']}, {versions}."]
    lines += [f"{name} is absent: {reason}." for name, reason in one["absent"].items()]
    if others > machine.NOISY:
        lines.append("Noisy: other processes had more than a tenth of the machine.")
    return lines
