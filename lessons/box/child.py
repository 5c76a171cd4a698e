"""The process that runs a learner's code: it reads calls from a pipe and writes their results.

It decides nothing. The first argument is JSON: the folder of the built solution, its kind, the
descriptors of the pipes, the modules to import first and the limits. It fetches all functions that
it measures with before the learner's code is loaded.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import importlib.util
import json
import os
import struct
import sys
import threading
import time
import types
from array import array
from collections.abc import Callable
from itertools import pairwise
from typing import Any

sys.path.insert(0, os.path.dirname(__file__))
import measuring
import sandbox
import values

WARM_UP = 5
SPARE = 3000
"""References to each watched object that stop a call from freeing what it does not own."""
PASSES = 9
"""The most passes of a search for leaks."""


def growth(heaps: list[int]) -> tuple[int, int]:
    """Return the mean growth of the heap in a pass, and the second largest growth of a pass.

    `heaps` are the bytes in use before the first pass and after each. A vector that is never
    emptied doubles its memory: the least growth of a pass is 0, but several passes add to it. The
    first two passes are left out, since they also fill the caches of malloc.
    """
    steps = [after - before for before, after in pairwise(heaps[min(2, len(heaps) - 2) :])]
    return sum(steps) // len(steps), sorted(steps)[-2:][0]


def load(config: dict[str, Any]) -> tuple[Any, types.ModuleType]:
    """Return the learner's module, or the library opened by ctypes, and the exercise's driver."""
    folder = config["folder"]
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("drive", os.path.join(folder, "drive.py"))
    driver = types.ModuleType("drive")
    if spec and spec.loader and os.path.exists(os.path.join(folder, "drive.py")):
        spec.loader.exec_module(driver)
    if config["library"]:
        subject = ctypes.CDLL(os.path.join(folder, config["library"]))
    else:
        import exercise as subject
    if hasattr(driver, "prepare"):
        subject = driver.prepare(subject) or subject
    return subject, driver


class Server:
    """Answer the requests of the checker, one after another."""

    def __init__(self, subject: Any, driver: types.ModuleType, count: measuring.Counter) -> None:
        self.subject, self.driver, self.count = subject, driver, count
        self.blocks, self.heap = sys.getallocatedblocks, measuring.heap_in_use()
        self.references, self.collect = sys.getrefcount, gc.collect
        self.sleep = time.sleep
        self.lost: list[str] = []
        self.left: list[object] = []
        sys.unraisablehook = lambda lost: self.lost.append(repr(lost.exc_value))
        threading.excepthook = lambda lost: self.lost.append(repr(lost.exc_value))

    def make(self, name: str, arguments: list[Any]) -> Any:
        """Return the result of the driver's function of that name."""
        return getattr(self.driver, name)(*arguments)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Make the call of a request, and return the value or exception and the measurements."""
        self.lost.clear()
        if request["call"] == "":
            left = self.leak(lambda: self.keep(request["blocks"]), request["repeat"], passes=3)
            return {"leak": left}
        own = values.decode(request["arguments"], self.make)
        if request["call"].startswith("."):
            return {"value": values.encode(getattr(self.subject, request["call"][1:]))}
        place = self.driver if request["driver"] else self.subject
        function = getattr(place, request["call"])
        arguments = [self.subject, *own] if request["driver"] else own

        def called() -> Any:
            return function(*arguments)

        if "times" in request:
            for _ in range(request["times"]):
                called()
            return {"value": None}
        if "score" in request:
            return {"score": measuring.score(called)}
        found: dict[str, Any] = {}
        watched = measuring.watched(own)
        spare = watched * SPARE if request["spare"] else []
        try:
            found["value"] = values.encode(called())
        except Exception as error:
            kinds = [kind.__name__ for kind in type(error).__mro__]
            cause = error.__cause__
            found["raised"] = [kinds, str(error), type(cause).__name__ if cause else None]
        if request["after"]:
            found["arguments"] = [
                values.encode(None if type(sent) is list and sent[0] == "made" else argument)
                for sent, argument in zip(request["arguments"][1], own, strict=True)
            ]
        if request["repeat"]:
            found["leak"] = self.leak(called, request["repeat"], watched)
            found["exported"] = [*map(measuring.exported, watched)]
            if min(found["leak"][2]) < 0:
                self.left += spare  # or their memory would be freed while in use
        if request["count"]:
            found["objects"] = self.count(function, arguments)
        found["lost"] = list(self.lost)
        return found

    def leak(
        self,
        called: Callable[[], Any],
        repeat: int,
        watched: list[Any] | None = None,
        passes: int = PASSES,
    ) -> list[Any]:
        """Return the leaks of `repeat` calls: blocks, bytes, references to each watched object."""
        objects = watched or []

        def run(times: int) -> None:
            for _ in range(times):
                with contextlib.suppress(Exception):
                    called()

        def grown() -> list[int]:
            # An array, since a list would hold references to small integers, which may be watched.
            counts = array("q", map(self.references, objects))
            blocks = self.blocks()
            run(repeat)
            more = self.blocks() - blocks
            self.collect()
            more = min(more, self.blocks() - blocks)
            after = array("q", map(self.references, objects))
            return [more, *(now - n for now, n in zip(after, counts, strict=True))]

        def settled(before: int) -> int:
            heap = self.heap()
            for _ in range(5):  # a thread that was joined may not have freed its memory yet
                if heap - before < repeat:
                    break
                self.sleep(0.01)
                heap = self.heap()
            return heap

        gc.disable()
        run(WARM_UP)
        self.collect()
        heaps = [self.heap()]
        least: list[int] = []
        for again in range(passes):  # a single change, such as a cache, is not a leak
            more = grown()
            heaps.append(settled(heaps[-1]))
            least = [min(pair, key=abs) for pair in zip(least or more, more, strict=True)]
            heap, second = growth(heaps)
            leak = 1 if again < 2 else 0.9 * repeat
            if max(least[0], heap, *map(abs, least[1:])) < leak:
                break
        gc.enable()
        return [least[0], heap if second >= repeat else 0, least[1:]]

    def keep(self, blocks: int) -> None:
        """Leave this number of objects behind, as a test of the measurement."""
        self.left += [bytearray() for _ in range(blocks)]


def main() -> None:
    """Load the learner's code and answer the checker's requests until it closes the pipe."""
    config = json.loads(sys.argv[1])
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
    requests = os.fdopen(config["requests"], "rb")
    answers = config["answers"]

    def send(answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        data = struct.pack("<I", len(data)) + data
        while data:
            data = data[os.write(answers, data) :]

    send({"ready": held})  # from here on, time counts as the learner's
    try:
        subject, driver = load(config)
    except Exception as error:
        send({"import": f"{type(error).__name__}: {error}"})
        return
    server = Server(subject, driver, count)
    send({"loaded": True})
    while header := requests.read(4):
        request = json.loads(requests.read(struct.unpack("<I", header)[0]))
        try:
            answer = server.answer(request)
        except AttributeError as error:
            answer = {"absent": str(error)}
        send({"id": request["id"], **answer})


if __name__ == "__main__":
    main()
