"""What a table of docs/free-threading-and-stable-abi.md says, tried in child processes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from support.backends import NATIVE

pytestmark = pytest.mark.part("patterns", native=True)

PAGE = Path(__file__).parents[2] / "docs" / "free-threading-and-stable-abi.md"
DAEMONS = """
import sys, threading, time
import ffi_cookbook
patterns = ffi_cookbook.load(sys.argv[1]).patterns

def work():
    while True:
        CALL

for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.05)
print("ends", flush=True)
"""
IN_A_CALLBACK = """
idiomatic = getattr(patterns, "idiomatic", None)
if hasattr(idiomatic, "callback"):  # as its documentation shows it
    patterns = idiomatic
"""
IN_SUBINTERPRETER = """
import sys
import ffi_cookbook
ffi_cookbook.load(sys.argv[1])
if sys.version_info < (3, 13):
    import _xxsubinterpreters as interpreters
else:
    import _interpreters as interpreters
interpreters.run_string(interpreters.create(), f'''
import sys
sys.path[:] = {sys.path}
import ffi_cookbook
try:
    ffi_cookbook.load({sys.argv[1]!r})
except ffi_cookbook.BackendUnavailable as error:
    assert "main interpreter" in error.reason and "NumPy" in error.reason, error.reason
    assert "pip" not in error.remedy and "main interpreter" in error.remedy, error.remedy
    try:
        import ffi_cookbook.bindings.{sys.argv[1]}.patterns
    except ImportError:
        print("refused", flush=True)
''')
"""
AGAIN = """
import sys
import ffi_cookbook
first = ffi_cookbook.load(sys.argv[1])
for name in list(sys.modules):
    if name.partition(".")[0] in ("ffi_cookbook", "ffi_cookbook_pyo3"):
        del sys.modules[name]
import ffi_cookbook
try:
    second = ffi_cookbook.load(sys.argv[1])
except ImportError:
    print("fails")
else:
    assert second is not first
    assert second.patterns.callback(float, 1.0) == 2.0
    print("works")
"""
PROGRAMS = {
    "a daemon thread is in native code without the GIL": DAEMONS.replace(
        "CALL", "patterns.interruptible(2_000_000)"
    ),
    "a daemon thread is in a callback": DAEMONS.replace("\ndef", f"{IN_A_CALLBACK}\ndef").replace(
        "CALL", "patterns.callback(lambda x: x, 1.0)"
    ),
    "loaded in a subinterpreter": IN_SUBINTERPRETER,
    "imported again, when `sys.modules` no longer has it": AGAIN,
}


def covers(versions: str) -> bool:
    """Return True if this Python is among `3.11–3.13.7` or `3.13.8 on`."""
    first, last = re.fullmatch(r"([\d.]+)(?:–([\d.]+)| on)", versions).groups()  # type: ignore[union-attr]
    here = sys.version_info[:3]
    return parsed(first) <= here and (last is None or here <= parsed(last))


def parsed(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def table() -> dict[str, dict[str, str]]:
    """Return, for this Python, what the page says by situation and binding."""
    lines = PAGE.read_text("utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| | Python |"))
    header, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines[start:])
    found: dict[str, dict[str, str]] = {}
    situation = ""
    for row in rows:
        if not row:
            break
        situation = row[0] or situation
        if covers(row[1]):
            found[situation] = dict(zip(header[2:], row[2:], strict=True))
    return found


def outcome(program: str, name: str) -> str:
    """Return the last word that the program prints; `aborts` if a signal ends it afterwards."""
    done = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", program, name],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode <= 0, done.stderr
    assert done.stdout.strip(), done.stderr
    return "aborts" if done.returncode else done.stdout.split()[-1]


def test_the_table_has_every_binding() -> None:
    said = table()
    assert list(said) == list(PROGRAMS)
    assert all(tuple(row) == NATIVE for row in said.values())


@pytest.mark.parametrize("situation", PROGRAMS)
def test_cell(backend: ModuleType, situation: str) -> None:
    name = backend.__name__.split(".")[-1]
    said = table()[situation][name]
    most = {"aborts": 10, "ends": 3}.get(said, 1)
    seen = [outcome(PROGRAMS[situation], name)]
    while seen[-1] == "ends" and len(seen) < most:
        seen.append(outcome(PROGRAMS[situation], name))
    assert seen[-1] == said, seen
