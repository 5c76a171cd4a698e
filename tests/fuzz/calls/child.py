"""Run the cases of one binding in a process of its own: `python -m fuzz.calls.child BINDING`.

Each line of the input is a case, and each line of the output its outcome. The cases run in a fork,
which a new one replaces when a case ends it.

status      meaning
result      it returned; the text holds everything that it returned and wrote
kernel      it raised an error of the kernels; the text is the error's, with all its fields
refused     it raised TypeError, ValueError or OverflowError at conversion; or, in a pattern, the
            BufferError of memory that its owner does not export
memory      it raised MemoryError that no hostile object raised
own         it raised the exception object that a hostile object raised
swallowed   a hostile object's exception did not come through
stray       it raised an exception of another class
leak        an argument has more references than before
"""

from __future__ import annotations

import argparse
import array
import copy
import ctypes
import gc
import importlib
import json
import mmap
import os
import pickle
import random
import resource
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ffi_cookbook.bindings.errors import PatternError, RecordError, TokenizerError

from . import hostile, values
from .functions import FUNCTIONS, Function
from .grammar import GRAMMAR
from .hostile import ANSWERS, now

# The exceptions of a text that cannot be evaluated, such as a view of an array that has gaps.
CANNOT = (ArithmeticError, AttributeError, BufferError, LookupError, MemoryError)
CANNOT += (OSError, StopIteration, TypeError, ValueError)
# Python's messages about a list or dict that changes, or lies, while it is read.
CHANGED = (IndexError, KeyError, RuntimeError)
SHARED = 30  # references that only objects which others use have, such as the dtype of floats


class Runner:
    """The binding, and what its cases share."""

    def __init__(self, name: str, scale: int) -> None:
        if name.startswith("planted."):
            backend: Any = importlib.import_module("fuzz.calls.planted").binding(name[8:])
        else:
            backend = importlib.import_module(f"ffi_cookbook.bindings.{name}")
        parts = ("matmul", "index_records", "decode_fixed", "decode_examples", "Tokenizer")
        self.parts = {part for part in (*parts, "patterns") if hasattr(backend, part)}
        if {"patterns", "Tokenizer"} <= self.parts:
            self.parts.add("life")
        self.unraisable: list[str] = []
        sys.unraisablehook = lambda it: self.unraisable.append(f"{it.exc_type}: {it.exc_value}")
        self.names = vars(hostile) | vars(values) | NAMES | {"backend": backend, "scale": scale}
        self.names |= {"patterns": getattr(backend, "patterns", None), "live": self.live}
        vars(hostile).update(word=values.word, fitting=values.fitting, model=values.model)

    def eval(self, text: str, local: dict[str, Any]) -> Any:
        return eval(compiled(text), {**self.names, **local})

    def run(self, case: Any) -> tuple[Any, ...]:
        """Return the outcome of a case."""
        name, texts, hostile_texts, way, lies = case
        function = FUNCTIONS[name]
        if function.part not in self.parts:
            return "absent", "", "", 0, False
        now.quiet, now.changed, now.trace, now.raised = True, False, [], []
        now.values = v = {"fresh": "initialise" in str(hostile_texts)}
        for key, text in texts.items():
            v[key] = self.eval(text, v)
        now.valid = {key: v[key] for key in function.kinds}
        n_hostile = 0
        for key, text in hostile_texts.items():
            if isinstance(v[key], type):  # CPython 3.13.0 can crash at type.method()
                continue
            with suppress(*CANNOT):
                v[key] = self.eval(text, {"x": v[key], "v": v})
                n_hostile += 1
        target = self.eval(function.target, v)
        now.subject = v.get("one", target)

        def call(arguments: dict[str, Any]) -> Any:
            by_name = {key: arguments[key] for key in function.by_name}
            positional = [arguments[key] for key in function.kinds if key not in by_name]
            return self.eval(way, {"f": target, "a": positional, "k": by_name})

        now.call = call
        held = {  # a number or text may be kept, and a dtype, which NumPy has once
            key: sys.getrefcount(v[key])
            for key in function.kinds
            if not isinstance(v[key], (int, float, str, type, np.dtype))
        }
        status, text = self.judge(function, call, v, lies)
        acts = any("act='" in each and "act=''" not in each for each in hostile_texts.values())
        # Cython's own parser leaks an argument if a keyword that equals any name comes after it.
        if not acts and name != "life" and "Name(" not in way and leaked(held, v):
            status, text = "leak", ", ".join(leaked(held, v))
        if self.unraisable:
            status, text = "swallowed", f"unraisable: {self.unraisable[0]}"
            self.unraisable.clear()
        return status, text, " ".join(now.trace) if acts else "", n_hostile, now.changed

    def judge(
        self, function: Function, call: Callable[..., Any], v: dict[str, Any], lies: bool
    ) -> tuple[str, str]:
        """Call, and return the status and the text."""
        pattern = function.part == "patterns"
        now.quiet = False
        try:
            result = self.eval(function.use, {**v, "r": call(v)})
        except BaseException as error:
            now.quiet, either = True, lies or now.changed
            lost = [it for it in now.raised if not isinstance(it, ANSWERS)]
            if any(it in (error, error.__cause__) for it in now.raised):
                return "own", type(error).__name__  # a generator makes StopIteration a cause
            if lost:
                return "swallowed", f"{type(lost[0]).__name__} became {type(error).__name__}"
            if isinstance(error, (RecordError, TokenizerError, PatternError)):
                cursor = v.get("cursor")
                defined = type(cursor) is np.ndarray and cursor.dtype == np.int64
                after = values.plain(cursor) if defined and cursor.size < 9 else ""
                return "kernel", f"{type(error).__name__}: {error} {after}"
            if isinstance(error, (TypeError, ValueError, OverflowError)):
                return "refused", ""
            if pattern and isinstance(error, (BufferError, *(CHANGED if either else ()))):
                return "refused", ""
            if type(error) is MemoryError:
                return "memory", ""
            return "stray", f"{type(error).__name__}: {str(error)[:150]}"
        now.quiet = True
        if lost := [it for it in now.raised if not isinstance(it, ANSWERS)]:
            return "swallowed", f"{type(lost[0]).__name__} became a result"
        if pattern and (lies or now.changed):
            return "result", ""
        return "result", repr(values.plain(self.eval(function.digest, {**v, "r": result})))

    def live(self, kind: Any, life: Any) -> Any:
        """Lead an object through an odd life, use what it became, and return a new one's answer."""
        tokenizer = kind.__name__ == "Tokenizer"
        made = (values.model(0),) if tokenizer else (3, 3) if kind.__name__ == "Point" else (3,)
        with suppress(*values.REFUSED):
            values.use(life(kind, made, kind(*made)), self.names["patterns"])
        other = kind(*made)
        return other.encode("an").tolist() if tokenizer else repr(getattr(other, "x", 3))


@cache
def compiled(text: str) -> Any:
    return compile(text, text, "eval")


def leaked(held: dict[str, int], v: dict[str, Any]) -> list[str]:
    """Return the arguments that have more references than before."""
    more = [key for key, n in held.items() if n < SHARED and sys.getrefcount(v[key]) > n]
    if more:
        gc.collect()
    return [key for key in more if sys.getrefcount(v[key]) > held[key]]


def ended(x: Any) -> Any:
    """Release a view, or close a map."""
    (x.close if hasattr(x, "close") else x.release)()
    return x


NAMES: dict[str, Any] = {
    **{module.__name__: module for module in (array, copy, ctypes, gc, mmap, pickle)},
    **{it.__name__: it for it in (Decimal, Fraction, SimpleNamespace, ended, islice, partial)},
}
"""What the texts of cases use, besides the names of values.py and hostile.py."""


def write() -> None:
    """Rewrite the arrays of the running case for ever, as any thread of the caller may."""
    draw = random.Random(1)
    while True:
        arrays = [x for x in list(now.values.values()) if isinstance(x, np.ndarray)]
        safe = [text for text in GRAMMAR["changed array"] if "<resized>" not in text]
        if now.quiet or not arrays:
            time.sleep(1e-5)
            continue
        how = draw.choice(safe).replace("<odd>", str(draw.randrange(300)))
        with suppress(ValueError, TypeError, AttributeError, LookupError, OverflowError):
            exec(how.replace("<any>", "7"), vars(hostile), {"v": draw.choice(arrays)})


def serve(runner: Runner, options: argparse.Namespace) -> None:
    """Run cases until there is no other."""
    if options.limit:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, [used + (options.limit << 20)] * 2)
    if options.writer:
        sys.setswitchinterval(1e-5)
        threading.Thread(target=write, daemon=True).start()
    sys.setrecursionlimit(400)
    gc.disable()
    gc.freeze()
    for number, line in enumerate(sys.stdin):
        signal.setitimer(signal.ITIMER_REAL, options.hang)
        status, text, *more = runner.run(json.loads(line))
        signal.setitimer(signal.ITIMER_REAL, 0)
        if options.writer and status != "leak":
            status, text = "result", ""  # what was computed from changing memory is anything
        print(json.dumps([status, text, *more]), flush=True)
        if number % 200 == 0:
            gc.collect()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("binding")
    parser.add_argument("--limit", type=int, default=1500, help="MiB of memory to grow by; 0: any")
    parser.add_argument("--hang", type=float, default=20.0, help="seconds that a case may take")
    parser.add_argument("--writer", action="store_true", help="a thread changes the arguments")
    options = parser.parse_args()
    runner = Runner(options.binding, 100 if options.writer else 1)
    while child := os.fork():
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == 0:
            return
        status = "hang" if code == -signal.SIGALRM else "crash"
        print(json.dumps([status, str(code), "", 0, False]), flush=True)
    try:
        serve(runner, options)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
