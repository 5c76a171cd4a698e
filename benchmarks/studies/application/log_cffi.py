"""Through cffi, in API mode: one call, then Python groups."""

from __future__ import annotations

from array import array

from _log_cffi import ffi, lib  # type: ignore[import-not-found]

from benchmarks.studies.application.grouping import WRONG, grouped, outputs


def parse(lines: list[str], weights: dict[str, float]) -> dict[str, array[float]]:
    """Return the weighted durations of each service."""
    text, code = "\n".join(lines).encode(), ffi.new("int32_t *")
    spans, durations = outputs(len(lines))
    at = ffi.from_buffer("int64_t[]", spans), ffi.from_buffer("double[]", durations)
    if wrong := lib.split_lines(text, len(lines), *at, code):
        grouped(text, spans[: wrong - 1], durations[: wrong - 1], weights)  # a level before it
        raise ValueError(f"line {wrong}: {WRONG[code[0]]}")
    return grouped(text, spans, durations, weights)
