"""One fresh process, which reads a job from its argument and answers in lines of JSON."""

from __future__ import annotations

import copy
import gc
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import ffi_cookbook
from benchmarks.core.clock import ProcessorLoop, Timed, spread
from benchmarks.core.process import send
from benchmarks.ledger import answers, calls, empty, fresh
from benchmarks.ledger import inputs as made
from benchmarks.ledger.baselines import BASELINES
from benchmarks.ledger.kernels import KERNELS, Contender, Jobs, brief, computes_in_python
from benchmarks.ledger.outside import load
from benchmarks.trust.installed import altered, provenance
from benchmarks.trust.interpreter import interpreter

INTERPRETER, WRONG = "interpreter", "wrong"
"""The names of what `sample` yields beside groups."""


def prepare(job: dict[str, Any]) -> Iterator[Any]:
    """Make the inputs."""
    yield made.prepare(Path(job["folder"]), job["full"])


def check_backend(job: dict[str, Any]) -> Iterator[Any]:
    """Return a binding's build and its wrong results, or the reason why it is unavailable.

    Without kernels only its build is returned.
    """
    name = job["name"]
    try:
        if altered(name):
            raise ffi_cookbook.BackendUnavailable(name, "not what was installed", "install it anew")
        backend = load(name)
        found: dict[str, Any] = {"about": backend.about()}
    except ffi_cookbook.BackendUnavailable as unavailable:
        found = {"reason": unavailable.reason, "remedy": unavailable.remedy}
    except Exception as error:  # present, but incomplete
        found = {"reason": repr(error), "remedy": "install it anew"}
    if "about" not in found and name not in ffi_cookbook.names():
        found["wrong"] = [f"cannot be imported: {found['reason']}"]
    found["provenance"] = provenance(name)
    if "about" in found and "patterns" in job["kernels"] and name != "numpy":
        found["contenders"] = calls.names(name, backend, job["rows"])
    if "about" in found and job["kernels"]:
        inputs = made.load(Path(job["folder"]))
        found["wrong"] = answers.wrong_answers(backend, job["kernels"], job["rows"], inputs)
        found["provenance"]["interpreter"] = interpreter()  # a call may have changed it
    yield found


def check_baseline(job: dict[str, Any]) -> Iterator[Any]:
    """Return a library's wrong results, or the reason why it is missing."""
    try:
        inputs = made.load(Path(job["folder"]))
        yield {"wrong": answers.wrong_baseline(job["kernel"], job["name"], inputs)}
    except ImportError as error:
        yield {"reason": str(error)}


def sample(job: dict[str, Any]) -> Iterator[Any]:
    """Yield one sample of everything in the job, group by group, and the interpreter's facts.

    Each call is checked once more after it was timed, since it may go wrong after many calls.
    """
    order = random.Random()
    backends = {name: load(name) for name in job["backends"]}
    native = {name: backend for name, backend in backends.items() if name != "numpy"}
    inputs = made.load(Path(job["folder"]))
    bytes(16 << 20)  # once freed, malloc keeps the blocks that kernels free, whichever is first
    gc.collect()
    gc.freeze()
    for kernel in order.sample(job["kernels"], len(job["kernels"])):
        if kernel == "patterns":
            timing = job["rounds"], job["pattern_slice"], order, job["variants"]
            yield from calls.measure(native, job["rows"], *timing)
            for name, backend in native.items():
                wrong = fresh.wrong_operands(backend, job["rows"], order, 1)
                yield WRONG, [f"{name}: {one}, after it was timed" for one in wrong]
        else:
            contenders = {
                name: KERNELS[kernel](backend, inputs, computes_in_python(backend))
                for name, backend in backends.items()
            }
            for name, library in BASELINES[kernel].items():
                if name not in job["absent"]:
                    contenders[name] = library(inputs, False)
            if job["brief"]:
                contenders = {name: brief(jobs) for name, jobs in contenders.items()}
            yield from measure(contenders, job["kernel_rounds"], job["kernel_slice"], order)
    yield INTERPRETER, interpreter()


def measure(
    contenders: dict[str, Jobs], rounds: int, slice_s: float, order: random.Random
) -> Iterator[Any]:
    """Yield the seconds of a unit and its work, by group and contender."""
    groups: dict[str, dict[str, Timed]] = {
        group: {} for jobs in contenders.values() for group in sorted(jobs)
    }
    answer = {}
    for name, jobs in contenders.items():
        for group, job in jobs.items():
            groups[group][name] = Timed(job.call, job.names)
            answer[name, group] = copy.deepcopy(answers.normal(job.result()))
    for group, taken in spread(groups, rounds, slice_s, order, ProcessorLoop).items():
        found = {}
        for name, times in taken.items():
            job = contenders[name][group]
            seconds = [one / job.units for one in times]
            found[name] = {"binding": name, "work": job.work, "seconds": seconds}
        yield group, found
        now = {name: answers.normal(contenders[name][group].result()) for name in taken}
        wrong = [name for name in taken if not answers.equal(now[name], answer[name, group])]
        yield WRONG, [f"{name}: {group}: another answer, after it was timed" for name in wrong]
        idle = [name for name in taken if waits(contenders[name][group])]
        yield WRONG, [f"{name}: {group}: waits, instead of computing" for name in idle]


def waits(job: Contender) -> bool:
    """Return True if every call gives the processor up by itself, as one that waits does.

    Other programs only take it away.
    """
    for _ in range(answers.TRIES):
        before = getrusage(RUSAGE_SELF).ru_nvcsw
        job.result()
        if getrusage(RUSAGE_SELF).ru_nvcsw == before:
            return False
    return True


def main(arguments: Sequence[str]) -> None:
    """Do a job."""
    job = json.loads(arguments[0])
    if "patterns" in job.get("kernels", ()):
        empty.load(Path(job["folder"]))
    jobs = (prepare, check_backend, check_baseline, sample)
    send({function.__name__: function for function in jobs}[job["do"]](job))
