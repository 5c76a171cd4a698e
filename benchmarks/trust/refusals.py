"""The reasons not to publish: sentences that name the bindings, the file, and the remedy.

Most rules are generators of complaints about one binding's facts; some need all bindings'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.trust.flags import apart, harm
from benchmarks.trust.installed import WHEELS

Facts = Mapping[str, Any]
ANEW = "install it anew"
USUAL_ALLOCATORS = ("", "pymalloc", "mimalloc")
BUILD = "run `nox -s bench`, which builds them"
ALIKE = f"delete what is in {WHEELS}, and build all bindings with the same flags"
DRIFT = 0.02  # of a clock
TICK = 3000  # nanoseconds: 1 % of the shortest slice
NATIVE = ("C", "Rust")
OF_A_PROCESS = {
    "foreign": "{} is in use, which is not what was installed in this environment: "
    "unset PYTHONPATH, or install it anew",
    "threads": "the thread {!r} runs beside every call: import nothing that starts threads",
    "timers": "signal.{} interrupts calls: import nothing that sets a timer",
    "tracing": "{} slows every call: run without debugger, profiler and coverage",
    "sanitizers": "a sanitizer is loaded ({}): unset LD_PRELOAD, and build without it",
}
OF_A_FILE = {
    "altered": f"{{}} is not what was installed, or what its source compiles to: {ANEW}",
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
        for rule in (_interpreter, _package, _files, _gil, _compiled):
            for complaint in rule(facts):
                said.setdefault(complaint, set()).add(name)
    for together in (_flags, _isa, _versions):
        for name, complaint in together(known):
            said.setdefault(complaint, set()).add(name)
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
    if it["allocator"] not in USUAL_ALLOCATORS:
        yield f"Python allocates by {it['allocator']}, not as it does by default"
    if abs(it["clock"] - 1) > DRIFT:
        yield f"time.perf_counter_ns runs {it['clock']:.2f} times as fast as the system's clock"
    if it["resolution"] > TICK:
        yield f"time.perf_counter_ns advances in steps of {it['resolution']} ns: it is too coarse"
    if it["optimize"]:
        yield "Python runs with -O, which leaves assertions out: run without it"
    yield from (say.format(one) for fact, say in OF_A_PROCESS.items() for one in it[fact])


def _package(facts: Facts) -> Iterator[str]:
    loaded, installed, tree = (facts["package"][key] for key in ("loaded", "installed", "tree"))
    if installed and loaded != installed:
        yield (
            f"{loaded} is in use, but ffi-cookbook is installed in {installed}: "
            "unset PYTHONPATH or uninstall ffi-cookbook"
        )
    elif loaded not in (installed, tree):
        yield f"{loaded} is in use, and no installed ffi-cookbook has it: unset PYTHONPATH"
    else:
        for path in facts["strays"]:
            yield f"{path} is in use, and in no installed RECORD: delete it and {ANEW}"


def _files(facts: Facts) -> Iterator[str]:
    yield from (say.format(one) for fact, say in OF_A_FILE.items() for one in facts[fact])
    for path, other in facts["namesakes"]:
        yield f"{path} is in use, and {other} has the same name: delete what is left over"
    for fact, say in OF_A_BUILD.items():
        if paths := facts[fact]:
            yield say.format(paths[0] + f" and {len(paths) - 1} more" * (len(paths) > 1))


def _gil(facts: Facts) -> Iterator[str]:
    if facts["gil"]["after"] and not facts["gil"]["before"]:
        yield "a module of this binding switches the GIL on: declare that it needs none"


def _compiled(facts: Facts) -> Iterator[str]:
    for file, flags in facts["units"].items():
        for complaint in harm(flags):
            yield f"{file} {complaint}: build it with -O3, as a release, and {ANEW}"


def _flags(known: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    for name, complaint in apart({name: facts["units"] for name, facts in known.items()}):
        yield name, f"{complaint}: {ALIKE}"
    native = {name: facts for name, facts in known.items() if facts["environment"]}
    usual = next((facts["environment"][0] for facts in native.values()), None)
    for name, facts in native.items():
        for given in facts["environment"]:
            if given != usual:
                yield name, f"it was built with {given}, others with {usual}: {ALIKE}"


def _isa(known: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    native = {
        name: facts["about"]["isa"]
        for name, facts in known.items()
        if facts["about"].get("kernel") in NATIVE
    }
    if len(set(native.values())) > 1:
        for name, isa in native.items():
            yield (
                name,
                f"the kernels run on {isa}, those of other bindings do not: set one COOKBOOK_ISA",
            )


def _versions(known: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    for name, facts in known.items():
        if len(set(facts["distributions"].values())) > 1:
            listed = ", ".join(f"{of} {version}" for of, version in facts["distributions"].items())
            yield name, f"{listed} are not of one version: install all from one tree"
