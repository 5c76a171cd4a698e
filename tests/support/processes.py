"""Run Python in child processes, which may crash: new ones, or forks of one that has a binding."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import ModuleType

TESTS = Path(__file__).parents[1]
PYTHON = (sys.executable, "-P", "-W", "ignore", "-X", "faulthandler")

SERVER = """
import gc, importlib, json, os, signal, sys, traceback
import numpy as np
k = importlib.import_module(sys.argv[1])
p = getattr(k, "patterns", None)
for line in sys.stdin:
    path, seconds, sources = json.loads(line)
    if child := os.fork():
        os.waitpid(child, 0)
        print("ended", flush=True)
        continue
    os.dup2(os.open(path, os.O_WRONLY), 1)
    os.dup2(1, 2)
    signal.alarm(seconds)
    try:
        for source in sources:
            print(source, flush=True)
            exec(source, {"np": np, "k": k, "p": p})
            gc.collect()
            filler = [bytearray(5000) for _ in range(200)]
        print("survived", flush=True)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)
"""


def path_with(*folders: object) -> dict[str, str]:
    """Return the environment of this process in which Python looks into these folders first."""
    path = [*map(str, folders), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}


def run_python(
    *arguments: object,
    seconds: float = 300,
    cwd: Path | None = None,
    env: dict[str, str] | None = None,
    stdin: str | None = None,
) -> str:
    """Run a new Python, which finds the tests' packages, and return what it prints.

    Args:
        arguments: the options of Python, then `-c` and a program, or a script, and its arguments.
        env: variables that are added to this process's.
    """
    done = subprocess.run(
        [*PYTHON, *map(str, arguments)],
        env=path_with(TESTS) | (env or {}),
        cwd=cwd,
        input=stdin,
        timeout=seconds,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-3000:]
    return done.stdout


@cache
def _server(module: str) -> subprocess.Popen[str]:
    """Return a process that has loaded the binding, and forks for each job that it reads."""
    server = subprocess.Popen(
        [*PYTHON, "-c", SERVER, module],
        env=path_with(TESTS),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def run_in_child(backend: ModuleType, sources: list[str], seconds: int = 120) -> None:
    """Run all sources in one child, with the backend as `k` and its patterns as `p`."""
    server = _server(backend.__name__)
    assert server.stdin is not None
    assert server.stdout is not None
    with NamedTemporaryFile() as output:
        print(json.dumps([output.name, seconds, sources]), file=server.stdin, flush=True)
        assert server.stdout.readline() == "ended\n"
        found = output.read().decode()
    assert found.endswith("survived\n"), found[-3000:]
