"""The reasons not to publish: sentences that name the bindings, the file, and the remedy.

The rules are generators of complaints about one binding's facts, except that of flags.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.trust.flags import apart, harm
from benchmarks.trust.installed import WHEELS

Facts = Mapping[str, Any]
ANEW = "install it anew"
BUILD = "run `nox -s bench`, which builds them"
ALIKE = f"delete what is in {WHEELS}, and build all bindings with the same flags"
DRIFT = 0.02  # of a clock
OF_A_PROCESS = {
    "foreign": "{} is in use, which is not what was installed in this environment: "
    "unset PYTHONPATH, or install it anew",
    "threads": "the thread {!r} runs beside every call: import nothing that starts threads",
    "tracing": "{} slows every call: run without debugger, profiler and coverage",
    "state": "in this process {}: import nothing that switches it",
}
OF_A_FILE = {
    "strays": f"{{}} is in use, and in no installed RECORD: unset PYTHONPATH, and {ANEW}",
    "altered": f"{{}} is not what was installed: {ANEW}",
    "pragmas": "{} changes the flags it is compiled with: delete the pragma or attribute",
}
OF_A_BUILD = {
    "unknown": f"how {{}} was built is not known: {BUILD}",
    "outdated": f"{{}} differ from what was built and installed: {ANEW}",
}
"""What is said of each item of a fact, or of all of them."""


def refusals(backends: Mapping[str, Facts], machine: Facts) -> list[str]:
    """Return all reasons; a complaint that several bindings share is one sentence."""
    known = {
        name: {"about": {}, **backend, **backend["provenance"]}
        for name, backend in backends.items()
        if "provenance" in backend
    }
    said: dict[str, set[str]] = {}
    for name, facts in known.items():
        for rule in (_interpreter, _files, _compiled):
            for complaint in rule(facts):
                said.setdefault(complaint, set()).add(name)
    for name, complaint in apart({name: facts["units"] for name, facts in known.items()}):
        said.setdefault(f"{complaint}: {ALIKE}", set()).add(name)
    found = [
        f"{', '.join(name for name in known if name in names)}: {complaint}"
        for complaint, names in said.items()
    ]
    if machine["debug_build"]:
        found.insert(0, "Python is a debug build: take a release build")
    return found


def slowed(backends: Iterable[str], interpreter: Facts) -> list[str]:
    """Return what slows the process that has timed these bindings."""
    return [f"{', '.join(backends)}: {one}" for one in _interpreter({"interpreter": interpreter})]


def _interpreter(facts: Facts) -> Iterator[str]:
    it = facts["interpreter"]
    if it["dev_mode"]:
        yield "Python is in development mode: unset PYTHONDEVMODE"
    for name, value in it["environment"].items():
        yield f"{name}={value} changes how fast memory and libraries are: unset {name}"
    for name, speed in it["clocks"].items():
        if abs(speed - 1) > DRIFT:
            yield f"the clock of {name} runs {speed:.2f} times as fast as the system's clock"
    if it["optimize"]:
        yield "Python runs with -O, which leaves assertions out: run without it"
    yield from (say.format(one) for fact, say in OF_A_PROCESS.items() for one in it[fact])


def _files(facts: Facts) -> Iterator[str]:
    yield from (say.format(one) for fact, say in OF_A_FILE.items() for one in facts[fact])
    for fact, say in OF_A_BUILD.items():
        if paths := facts[fact]:
            yield say.format(paths[0] + f" and {len(paths) - 1} more" * (len(paths) > 1))


def _compiled(facts: Facts) -> Iterator[str]:
    for file, flags in facts["units"].items():
        for complaint in harm(flags):
            yield f"{file} {complaint}: build it with -O3, as a release, and {ANEW}"
