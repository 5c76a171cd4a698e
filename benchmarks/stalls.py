"""How long a door's tokenizer keeps other Python threads waiting while it encodes 16 MB.

A thread does nothing but look at the clock and keeps its largest gap, in one round beside an encode
and in one beside a sleep, again and again. The system takes the processor away from it too: what it
waited for that, as Linux counts it, is taken off. And what a call does with the GIL held it does in
every round, so of many rounds' largest gaps the least is told too.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import bindings
from bindings.tokenizer import Model

SIZE = 16_000_000
BATCH = 64_000


_PREAD = ctypes.PyDLL(None).pread  # keeps the GIL, as os.pread does not


def waited_for_a_processor(file: int, line: ctypes.Array[ctypes.c_char]) -> float:
    """Seconds that this thread could have run and did not, since it began."""
    _PREAD(file, line, len(line), 0)
    return int(line.value.split()[1]) * 1e-9


def largest_gap(work: Callable[[], object]) -> float:
    """Seconds that a spinning thread was at most kept from running beside `work`."""
    begun, done, largest = threading.Event(), False, 0.0

    def spin() -> None:
        nonlocal largest
        line = ctypes.create_string_buffer(100)
        file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        before = time.perf_counter() - waited_for_a_processor(file, line)
        begun.set()
        while not done:
            now = time.perf_counter() - waited_for_a_processor(file, line)
            largest = max(largest, now - before)
            before = now
        os.close(file)

    thread = threading.Thread(target=spin)
    thread.start()
    begun.wait()
    work()
    done = True
    thread.join()
    return largest


def main() -> None:
    """Prints a line for each kind of call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", default="capi")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    data = Path(os.environ["COOKBOOK_DATA"])
    tokenizer = bindings.load(options.door).Tokenizer(
        Model.load(data / "gpt2.tiktoken", pattern="gpt2")
    )
    ascii_text = (data / "gsm8k_train.jsonl").read_bytes().decode().encode("ascii", "ignore")
    wide = (data / "wikipedia_mars_18lang.txt").read_bytes()
    text = (ascii_text * 4)[:SIZE].decode()
    wide_text = (wide * 4)[:SIZE].decode(errors="ignore")
    sys.setswitchinterval(1e-4)  # how long a thread that wants the GIL waits before it asks for it

    def fresh(text: str) -> str:
        """The same text as a new object, which does not yet know its UTF-8."""
        return text[:-1]

    calls: dict[str, Callable[[], object]] = {
        "nothing": lambda: time.sleep(0.05),
        "encode, ASCII": lambda: tokenizer.encode(text),
        "encode, any text": lambda: tokenizer.encode(wide_text),
        "encode, bytes": lambda: tokenizer.encode(wide[:SIZE]),
        "encode_batch": lambda: tokenizer.encode_batch(parts, 2),
    }
    parts = [text[at : at + BATCH] for at in range(0, len(text), BATCH)]
    gaps: dict[str, list[float]] = {name: [] for name in [*calls, "encode, any text, new str"]}
    for _ in range(options.rounds):
        for name, call in calls.items():
            gaps[name].append(largest_gap(call))
        new = functools.partial(tokenizer.encode, fresh(wide_text))
        gaps["encode, any text, new str"].append(largest_gap(new))
    for name, of in gaps.items():
        ordered = sorted(of)
        print(
            f"{name:28}least {ordered[0] * 1e3:7.2f} ms   median {ordered[len(of) // 2] * 1e3:7.2f}"
        )


if __name__ == "__main__":
    main()
