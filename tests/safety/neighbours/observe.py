"""Print what classes of other packages do, beside this project's bindings.

`observe.py ORDER BINDING...`: with `alone` no binding is loaded; with `first` all are loaded before
the other packages; with `last` each is loaded after them, and compared with what was before.
"""

from __future__ import annotations

import copy
import copyreg
import gc
import importlib
import json
import locale
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

OTHERS = ("other_pybind11", "other_nanobind")
PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)  # 0 and 1 end the process: pybind11 issue 6153


def outcome(action: Callable[[], Any]) -> str:
    """Return the type and the text of the result, or of the exception."""
    try:
        made = action()
    except Exception as error:
        made = error
    text = str(made) if isinstance(made, Exception | float | int | str) else ""
    return f"{type(made).__module__}.{type(made).__name__} {text}"


def copies(made: Any) -> list[str]:
    """Return what becomes of an object that is copied and pickled, by C and by Python."""
    found = [outcome(lambda: copy.copy(made)), outcome(lambda: copy.deepcopy(made))]
    for protocol in PROTOCOLS:
        found.append(outcome(lambda p=protocol: pickle.loads(pickle.dumps(made, p))))
        found.append(outcome(lambda p=protocol: pickle._loads(pickle._dumps(made, p))))
    return found


def process_wide() -> dict[str, str]:
    """Return the flags and tables that all code of the process shares."""
    return {
        "warnings": str(warnings.filters),
        "numpy.geterr": str(np.geterr()),
        "switch interval": str(sys.getswitchinterval()),
        "hooks": str((sys.excepthook, threading.excepthook, sys.unraisablehook)),
        "signals": str([signal.getsignal(number) for number in signal.valid_signals()]),
        "gc": str((gc.isenabled(), gc.get_threshold())),
        "dlopen": str(sys.getdlopenflags()),
        "recursion": str(sys.getrecursionlimit()),
        "locale": str(locale.setlocale(locale.LC_ALL)),
        "copyreg": str(sorted(map(repr, copyreg.dispatch_table))),
    }


def observe() -> dict[str, Any]:
    """Return what the others' classes do."""
    facts: dict[str, Any] = {}
    for name in OTHERS:
        other = importlib.import_module(name)
        kinds = (other.Point, other.Counter, other.Countdown, other.SlotCountdown, other.Tokenizer)
        facts[name] = [(kind.__module__, outcome(lambda k=kind: k.__new__(k))) for kind in kinds]
        facts[name] += [copies(other.Point(2)), copies(other.Colour.red)]
        facts[name] += [other.x_of(other.Point(2)), outcome(lambda o=other: o.half("1", 2))]
        facts[name] += [sorted(vars(other.Point)), outcome(lambda o=other: o.half(2**40, 2))]
    torch = sys.modules.get("torch")
    if torch:
        base = torch._C.FunctionSchema.__mro__[-2]
        ours = ("ffi_cookbook", *OTHERS)
        facts["torch.__new__"] = {
            f"{kind.__module__}.{kind.__qualname__}": outcome(lambda k=kind: k.__new__(k))
            for kind in base.__subclasses__()
            if not kind.__module__.startswith(ours)
        }
        facts["torch copies"] = [
            copies(torch.nn.attention.SDPBackend.MATH),
            copies(torch.profiler.ProfilerActivity.CPU),
            copies(torch.ops.aten.add.Tensor._schema),
            copies(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)),
        ]
    return facts


def take_nothing_of_ours(binding: Any) -> None:
    """Check that nanobind's module refuses a Point of a binding, whose layout is another one.

    pybind11 takes a C++ type of the same name, even if it is local to another module.
    """
    patterns = getattr(binding, "patterns", None)
    if patterns:
        with suppress(TypeError):
            raise SystemExit(sys.modules["other_nanobind"].x_of(patterns.Point(1.5, 2.5)))


def main(order: str, names: list[str]) -> None:
    """Load the bindings and the others, and print the facts."""
    warnings.simplefilter("error", RuntimeWarning)  # nanobind's, about a class that exists already
    cookbook = importlib.import_module("ffi_cookbook") if order != "alone" else None
    first = [cookbook.load(name) for name in names] if cookbook and order == "first" else []
    with suppress(ImportError):
        importlib.import_module("torch.profiler")
    facts, shared = observe(), process_wide()
    for name in names if cookbook and order == "last" else ():
        first.append(cookbook.load(name))
        for before, after in ((facts, observe()), (shared, process_wide())):
            changed = {
                key: (before[key], after[key]) for key in before if before[key] != after[key]
            }
            if changed:
                raise SystemExit(f"{name} changes {changed}")
    for binding in first:
        take_nothing_of_ours(binding)
    print(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
