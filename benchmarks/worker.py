"""One fresh process: reads a job from its argument, answers in lines of JSON."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import answers
import calls
import inputs as made
from baselines import BASELINES
from clock import Timed, interleaved
from kernels import KERNELS, Jobs

import bindings


def prepare(job: dict[str, Any]) -> Iterator[Any]:
    """Makes the inputs."""
    yield made.prepare(Path(job["folder"]), job["quick"])


def check_door(job: dict[str, Any]) -> Iterator[Any]:
    """What a door is made of, and what it gets wrong; or why it is shut."""
    name = job["name"]
    try:
        door = cast("ModuleType", bindings.load(name))
        about = door.about()
    except bindings.BackendUnavailable as shut:
        yield {"reason": shut.reason, "remedy": shut.remedy}
        return
    except Exception as error:  # there, but not whole
        yield {"reason": repr(error), "remedy": "install it anew"}
        return
    wrong = answers.wrong_answers(door, job["kernels"], job["rows"], made.load(Path(job["folder"])))
    yield {"about": about, "files": loaded_files(), "wrong": wrong}


def check_baseline(job: dict[str, Any]) -> Iterator[Any]:
    """What a library gets wrong; or why it is not there."""
    try:
        inputs = made.load(Path(job["folder"]))
        yield {"wrong": answers.wrong_baseline(job["kernel"], job["name"], inputs)}
    except ImportError as error:
        yield {"reason": str(error)}


def sample(job: dict[str, Any]) -> Iterator[Any]:
    """One sample of everything asked for, group by group."""
    order = random.Random()
    doors = {name: cast("ModuleType", bindings.load(name)) for name in job["doors"]}
    inputs = made.load(Path(job["folder"]))
    for kernel in order.sample(job["kernels"], len(job["kernels"])):
        if kernel == "probes":
            yield from calls.measure(doors, job["rows"], job["rounds"], job["probe_slice"], order)
        else:
            contestants = {
                name: KERNELS[kernel](door, inputs, False) for name, door in doors.items()
            }
            for name, library in BASELINES[kernel].items():
                if name not in job["absent"]:
                    contestants[name] = library(inputs, False)
            yield from measure(contestants, job["rounds"], job["kernel_slice"], order)


def measure(
    contestants: dict[str, Jobs], rounds: int, slice_s: float, order: random.Random
) -> Iterator[Any]:
    """Per group and contestant the seconds of a unit, and its work."""
    groups = sorted({group for jobs in contestants.values() for group in jobs})
    for group in order.sample(groups, len(groups)):
        jobs = {name: jobs[group] for name, jobs in contestants.items() if group in jobs}
        timed = {name: Timed(job.call, job.names) for name, job in jobs.items()}
        times = interleaved(timed, rounds, slice_s, order)
        yield (
            group,
            {
                name: {"seconds": [one / job.units for one in times[name]], "work": job.work}
                for name, job in jobs.items()
            },
        )


def loaded_files() -> list[dict[str, str]]:
    """Path and SHA-256 of our compiled files that this process has loaded."""
    ours = Path(bindings.__file__).parent
    maps = Path("/proc/self/maps")
    if maps.exists():
        paths = {line.split(maxsplit=5)[-1] for line in maps.read_text().splitlines()}
    else:
        paths = {str(getattr(module, "__file__", "")) for module in sys.modules.values()}
    return [
        {"path": path, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest()}
        for path in sorted(paths)
        if path.endswith(".so") and (ours in Path(path).parents or "cookbook" in path)
    ]


def main() -> None:
    """Answers go where the output went; what libraries print goes to the errors."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    job = json.loads(sys.argv[1])
    jobs = (prepare, check_door, check_baseline, sample)
    for answer in {function.__name__: function for function in jobs}[job["do"]](job):
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
