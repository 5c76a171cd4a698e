"""The process that runs a learner's code: it reads calls from a pipe and writes their results.

It decides nothing. The arguments are the descriptors of the pipes. The first message is JSON: the
folder of the built solution, its kind, the modules to import first, the limits, and the variables
to remove.

Before the learner's code is loaded, all functions that answer and measure are made and bound, with
built-in functions of their own, and no name leads to them: that code may replace what it finds in
modules without an effect here. Nothing more is promised: Python code can reach any object of its
process by the garbage collector or by frames.
"""

from __future__ import annotations

import builtins
import ctypes
import faulthandler
import gc
import importlib
import importlib.util
import json
import os
import struct
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

__builtins__ = dict(vars(builtins))

sys.path.insert(0, os.path.dirname(__file__))
import leaks
import measuring
import meeting  # noqa: F401  (for drivers)
import sandbox
import values

SPARE = 3000
"""References to each watched object that stop a call from freeing what it does not own."""
OWN = ("leaks", "measuring", "meeting", "sandbox", "calls", "values")
"""The checker's modules, which the learner's code does not find by their names."""

Functions = dict[str, Any]
Answer = Callable[[Any, dict[str, Any]], dict[str, Any]]


def driver(folder: str) -> Functions:
    """Return the functions of the exercise's driver."""
    sys.path.insert(0, folder)
    path = os.path.join(folder, "drive.py")
    spec = importlib.util.spec_from_file_location("drive", path)
    module = types.ModuleType("drive")
    module.__dict__["__builtins__"] = dict(vars(builtins))
    if spec and spec.loader and os.path.exists(path):
        spec.loader.exec_module(module)
    return dict(vars(module))


def load(config: dict[str, Any], functions: Functions) -> Any:
    """Return the learner's module, or the library opened by ctypes, as the driver prepares it."""
    if config["library"]:
        subject = ctypes.CDLL(os.path.join(config["folder"], config["library"]))
    else:
        subject = importlib.import_module("exercise")
    prepare = functions.get("prepare")
    return (prepare(subject) if prepare else None) or subject


def answerer(functions: Functions, count: measuring.Counter) -> Answer:
    """Return the function that answers a request of the checker about the learner's module."""
    encode, decode, score = values.encode, values.decode, measuring.score
    to_watch, exported = measuring.watched, measuring.exported
    search = leaks.searcher(measuring.heap_in_use())
    system, threads = sys, threading
    lost: list[str] = []
    left: list[object] = []

    def note(raised: Any) -> None:
        lost.append(repr(raised.exc_value))

    def find(name: str) -> Any:
        if name not in functions:
            raise AttributeError(f"the driver has no attribute {name!r}")
        return functions[name]

    def make(name: str, arguments: list[Any]) -> Any:
        return find(name)(*arguments)

    def answer(subject: Any, request: dict[str, Any]) -> dict[str, Any]:
        """Make the call of a request, and return the value or exception and the measurements."""
        lost.clear()
        system.unraisablehook = threads.excepthook = note
        if request["call"] == "":  # a test of the measurement: leave objects behind

            def keep() -> None:
                left.extend([bytearray() for _ in range(request["blocks"])])

            return {"leak": search(keep, request["repeat"], [], passes=3)}
        own = decode(request["arguments"], make)
        if request["call"].startswith("."):
            return {"value": encode(getattr(subject, request["call"][1:]))}
        if request["driver"]:
            function, arguments = find(request["call"]), [subject, *own]
        else:
            function, arguments = getattr(subject, request["call"]), own

        def called() -> Any:
            return function(*arguments)

        if "times" in request:
            for _ in range(request["times"]):
                called()
            return {"value": None}
        if "score" in request:
            return {"score": score(called)}
        found: dict[str, Any] = {}
        watched = to_watch(own)
        spare = watched * SPARE if request["spare"] else []
        try:
            found["value"] = encode(called())
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__]
            cause = error.__cause__
            found["raised"] = [kinds, str(error), type(cause).__name__ if cause else None]
        if request["after"]:
            found["arguments"] = [
                encode(None if type(sent) is list and sent[0] == "made" else argument)
                for sent, argument in zip(request["arguments"][1], own, strict=True)
            ]
        if request["repeat"]:
            found["leak"] = search(called, request["repeat"], watched)
            found["exported"] = [exported(each) for each in watched]
            if min(found["leak"][2]) < 0:
                left.extend(spare)  # or their memory would be freed while in use
        if request["count"]:
            found["objects"] = count(function, arguments)
        found["lost"] = list(lost)
        return found

    return answer


def forget(variable: str) -> None:
    """Remove a variable from the environment, and from what /proc/self/environ shows."""
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_void_p
    name = os.fsencode(variable)
    if value := getenv(name):
        os.environ.pop(variable, None)
        start = value - len(name) - 1
        ctypes.memset(start, 0, len(ctypes.string_at(start)))


def main() -> None:
    """Load the learner's code and answer the checker's requests until it closes the pipe."""
    requests, answers = os.fdopen(int(sys.argv[1]), "rb"), int(sys.argv[2])
    dumps, loads, pack, unpack = json.dumps, json.loads, struct.pack, struct.unpack
    config = loads(requests.read(unpack("<I", requests.read(4))[0]))
    for name in config["imports"]:
        importlib.import_module(name)
    gc.freeze()  # a collection would visit all objects of a large package each time
    faulthandler.enable()  # writes the Python frames of a crash to stderr
    if config["crash"]:
        ctypes.CDLL(config["crash"]).report_crashes()
    count = measuring.counter(config["count"])
    sandbox.limit(config["seconds"], config["memory"])
    held: list[str] = []
    if config["denied"]:
        held = sandbox.enter(config["allowed"], config["denied"], forks=config["forks"])
    write = os.write
    for name in config["forgotten"]:
        forget(name)

    def send(answer: dict[str, Any]) -> None:
        data = dumps(answer).encode()
        data = pack("<I", len(data)) + data
        while data:
            data = data[write(answers, data) :]

    send({"ready": held})  # from here on, time counts as the learner's
    try:
        functions = driver(config["folder"])
        answer = answerer(functions, count)
        for name in OWN:
            del sys.modules[name]
        sys.modules["__main__"] = types.ModuleType("__main__")
        subject = load(config, functions)
    except Exception as error:
        send({"import": f"{type(error).__name__}: {error}"})
        return
    send({"loaded": True})
    while header := requests.read(4):
        request = loads(requests.read(unpack("<I", header)[0]))
        try:
            found = answer(subject, request)
        except AttributeError as error:
            found = {"absent": str(error)}
        send({"id": request["id"], **found})


if __name__ == "__main__":
    main()
