"""The speed of reading records through every native binding, beside C, memory and libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.core.figures import against, interval, table
from benchmarks.studies.records import jobs, loaders, on_ray, scale
from benchmarks.studies.records.jobs import IN_C, MEMORY, ONE, TWO
from benchmarks.studies.records.libraries import PACKAGE, PROTOBUF, versions
from benchmarks.study import Contender, Goal, Part, Result, Setting, Study

SLICE = 0.03  # seconds


def _part(
    title: str,
    contenders: Callable[[Setting], Mapping[str, Contender]],
    unit: str,
    per: float,
    *beside: str,
    usual: bool = True,
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

    return Part(title, _measure(contenders), show, usual=usual)


def _measure(
    contenders: Callable[[Setting], Mapping[str, Contender]],
) -> Callable[[Setting], Result]:
    return lambda setting: {"speeds": setting.speeds(contenders(setting), SLICE)}


def _pairs(found: Result, _: list[str]) -> str:
    """Return a table of the speed of two threads, relative to that of one."""
    speeds = found["speeds"]
    names = [name.removesuffix(ONE) for name in speeds if name.endswith(ONE)]
    rows = [
        [name, interval(against(speeds, f"{name}{TWO}", f"{name}{ONE}"), " ×")] for name in names
    ]
    return table(["two threads", "of one"], rows)


def _beside(other: str) -> Callable[[Result, str], list[list[float]]]:
    return lambda found, backend: [against(found["speeds"], backend, other) or []]


def _two(found: Result, backend: str) -> list[list[float]]:
    return [against(found["speeds"], f"{backend}{TWO}", f"{backend}{ONE}") or []]


def _speed(found: Result, backend: str) -> list[list[float]]:
    return [found["speeds"][backend]]


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
        "sequences": _part(
            "SequenceExamples of a label and of steps of one number: 13 floats, 46 ids",
            jobs.sequences,
            "million SequenceExamples/s",
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
        "gathers": _part(
            "records of a file of 256 MB in random order, 4096 a call, CRCs not checked",
            jobs.gathers,
            "million records/s",
            1e6,
            IN_C,
        ),
        "threads": Part(
            "two threads, each with a file and memory of its own, beside one",
            _measure(jobs.threads),
            _pairs,
        ),
        "loading": Part(
            "samples of three sizes as batches of 256 in tensors, in order and shuffled",
            loaders.measure,
            loaders.show,
        ),
        "prefetching": Part(
            "streams of batches of 256, shuffled, in tensors, with two threads beside one",
            _measure(loaders.threads),
            _pairs,
        ),
        "scale": Part("files larger than memory, and 10⁹ records", scale.measure, scale.show),
        "ray": _part(
            "Examples of 275 bytes into Arrow blocks, by tasks on a cluster of two processors",
            on_ray.readers,
            "thousand records/s",
            1e3,
            on_ray.OF_RAY,
            usual=False,
        ),
    },
    backends=("capi", "ctypes", "cffi", "pybind11", "nanobind", "torch", "pyo3", "cython"),
    goals=(
        Goal("Examples, of the loop in C", "examples", 0.97, " ×", _beside(IN_C)),
        Goal("Examples, beside `tfrecord`", "package", 150, " ×", _beside(PACKAGE)),
        Goal("million tokens/s", "tokens", 2000, "", _speed, factor=1e-6),
        Goal("scan, of the memory read", "scan", 0.8, " ×", _beside(MEMORY)),
        Goal("gathered, million records/s", "gathers", 8, "", _speed, factor=1e-6),
        Goal("two threads, of one", "threads", 1.9, " ×", _two),
    ),
    versions=versions,
)
main = STUDY.main
