"""The speed of reading records through every native binding, beside C, memory and libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.core.pages import table
from studies.figures import against, interval
from studies.records import jobs, loaders
from studies.records.jobs import IN_C, MEMORY
from studies.records.libraries import PACKAGE, PROTOBUF, versions
from studies.study import Contender, Part, Result, Setting, Study

SLICE = 0.03  # seconds


def _part(
    title: str,
    contenders: Callable[[Setting], Mapping[str, Contender]],
    unit: str,
    per: float,
    *beside: str,
) -> Part:
    """Return a part: the speeds in units of `per`, and as a multiple of some contenders'."""

    def show(found: Result, _: list[str]) -> str:
        speeds = found["speeds"]
        rows = [
            [
                name,
                interval(samples, scale=1 / per),
                *(interval(against(speeds, name, other), " ×") for other in beside),
            ]
            for name, samples in speeds.items()
        ]
        return table(["", unit, *(f"of {other}" for other in beside)], rows)

    return Part(title, lambda setting: {"speeds": setting.speeds(contenders(setting), SLICE)}, show)


STUDY = Study(
    name="records",
    question="How fast are records read?",
    page="records-speed",
    parts={
        "examples": _part(
            "Examples of 268 bytes into columns, verified, beside the same calls made in C",
            jobs.examples,
            "million Examples/s",
            1e6,
            IN_C,
        ),
        "package": _part(
            "the same beside the tfrecord package, which verifies nothing, and protobuf",
            jobs.package,
            "million Examples/s",
            1e6,
            PACKAGE,
            PROTOBUF,
        ),
        "tokens": _part(
            "lists of 2048 tokens below 50,257 into int32, verified",
            jobs.tokens,
            "million tokens/s",
            1e6,
            IN_C,
        ),
        "scan": _part(
            "records of 110 kB found and verified, beside a sum of all bytes",
            jobs.scan,
            "GB/s",
            1e9,
            MEMORY,
        ),
        "loading": Part(
            "samples of three sizes as batches of 256 in tensors, in order and shuffled",
            loaders.measure,
            loaders.show,
        ),
    },
    backends=("capi", "ctypes", "cffi", "pybind11", "nanobind", "pyo3", "cython"),
    versions=versions,
)
