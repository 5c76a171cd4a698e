"""Threads that do one thing at the same time."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any


class Ring:
    """Threads that attack what they share.

    Args:
        threads: their number.
        seconds: the processor's time for one attack, so that a busy machine does not weaken it.
        folder: for files.
    """

    def __init__(self, threads: int, seconds: float, folder: Path) -> None:
        self.threads, self.seconds, self.folder = threads, seconds, folder

    def rounds(self) -> Iterator[int]:
        """Yield numbers from 0 on, three at least, until the time is over."""
        end, number = time.process_time() + self.seconds, 0
        while number < 3 or time.process_time() < end:
            yield number
            number += 1

    def once(self, work: Callable[[int], Any]) -> list[Any]:
        """Call `work` in all threads at the same time, and return their results."""
        gate, errors = threading.Barrier(self.threads), Counter[str]()
        results: list[Any] = [None] * self.threads

        def run(number: int) -> None:
            gate.wait()
            try:
                results[number] = work(number)
            except BaseException as error:  # a panic of Rust is not an Exception
                errors[f"{type(error).__name__}: {error}"] += 1

        threads = [threading.Thread(target=run, args=(i,)) for i in range(self.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors, errors
        return results

    def while_changing(
        self, change: Callable[[], Any], call: Callable[[], Any], answers: Sequence[Any]
    ) -> None:
        """Call in half of the threads what the others change; if there are `answers`, it is one."""
        end = time.process_time() + self.seconds / 2

        def work(number: int) -> None:
            calls = 0
            while calls < 20 or time.process_time() < end:
                calls += 1
                if number % 2:
                    change()
                    continue
                try:
                    answer = call()
                except RuntimeError as error:
                    assert "changed" in str(error)  # noqa: PT017
                else:
                    assert not answers or answer in answers, answer

        self.once(work)
