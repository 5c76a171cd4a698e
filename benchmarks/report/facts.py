"""What stands above and below the tables."""

from __future__ import annotations

from machine import NOISY
from results import Results


def headline(results: Results) -> str:
    """Interpreter and machine in a line."""
    it = results.machine
    gil = "GIL" if it["gil"] else "free-threaded"
    native = (door for name, door in results.doors.items() if name not in ("python", "numpy"))
    isa = {door["about"]["isa"] for door in native if "about" in door}
    parts = [
        f"{it['python_implementation']} {it['python_version']} ({gil})",
        f"{it['processor']}, {it['cores']} cores",
        "/".join(sorted(isa)),
        f"load {results.noise['load']:.1f}",
    ]
    return " · ".join(part for part in parts if part)


def warnings(results: Results) -> list[str]:
    """What makes the figures worth less."""
    found = []
    if results.machine["debug_build"]:
        found.append("a debug build of Python: call costs are not those of a release")
    others = results.noise["others"]
    if others is not None and others > NOISY:
        found.append(
            f"noisy: other processes had {others:.0%} of the machine during the run; "
            "trust the order, not the figures"
        )
    return found


def missing(results: Results) -> list[tuple[str, str]]:
    """Doors and libraries that are not here: name and reason, and remedy."""
    shut = [
        (name, f"{door['reason']}; to mend it: {door['remedy']}")
        for name, door in results.doors.items()
        if "about" not in door
    ]
    return shut + list(results.absent.items())
