"""Figures in the form of a saved run, and tables in the form of a page."""

from __future__ import annotations

from typing import Any

ABSENT = {"HF tokenizers": "it is not installed"}


def part(found: Any, absent: dict[str, str] | None = None, backends: tuple[str, ...] = ()) -> Any:
    return {
        "found": found,
        "backends": backends or ("capi", "pyo3"),
        "absent": ABSENT if absent is None else absent,
        "machine": {"processor": "Z80", "cores": 2, "python_version": "3.11.7"},
        "versions": {"tiktoken": "0.14.0"},
        "noise": {"others": 0.0},
    }


def rows(text: str) -> dict[str, list[str]]:
    """Map the first cell of each row, in all tables, to the other cells."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {cells[0]: cells[1:] for cells in lines}
