"""Run code that may end the process in a child process."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

CHILD = """
import gc, importlib, json, sys
import numpy as np
k = importlib.import_module(sys.argv[1])
p = getattr(k, "patterns", None)
for source in json.loads(sys.stdin.read()):
    print(source, flush=True)
    exec(source, {"np": np, "k": k, "p": p})
    gc.collect()
    filler = [bytearray(5000) for _ in range(200)]
print("survived")
"""


def run_in_child(backend: ModuleType, sources: list[str], seconds: float = 120) -> None:
    """Run all sources in one child, with the backend as `k` and its patterns as `p`."""
    child = subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-X", "faulthandler", "-c", CHILD, backend.__name__],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert child.stdout.endswith("survived\n"), child.stdout[-1500:] + child.stderr[-1500:]
