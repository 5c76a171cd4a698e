"""Attack what threads share, in this process: `python attack.py NAME THREADS SECONDS [ATTACK...]`.

NAME is a binding, or "layers" for what stands above the bindings. The last line that is printed
names the attack in which a process has died.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ffi_cookbook
from races import bindings, layers
from races.ring import Ring


def attacks(name: str) -> dict[str, Callable[[Ring], Any]]:
    """Return the attacks by name."""
    if name == "layers":
        return {one.__name__: one for one in layers.ATTACKS}
    backend: Any = Ring(6, 0, Path()).once(lambda _: ffi_cookbook.load(name))[0]
    found = {one.__name__: partial(one, k=backend) for one in bindings.KERNELS}
    if hasattr(backend, "patterns"):
        found |= {one.__name__: partial(one, p=backend.patterns) for one in bindings.PATTERNS}
    return found


def main(name: str, threads: str, seconds: str, *chosen: str) -> int:
    """Run the attacks, all of them also after a failure."""
    failed = 0
    sys.setswitchinterval(1e-5)
    for label, attack in attacks(name).items():
        if chosen and label not in chosen:
            continue
        print(label, flush=True)
        with TemporaryDirectory() as folder:
            try:
                attack(Ring(int(threads), float(seconds), Path(folder)))
            except Exception:
                failed += 1
                traceback.print_exc()
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
