"""What a second thread brings, and what the machine lets it bring: two products at once, one for
each thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from time import perf_counter
from typing import Any

LASTS = 0.03
SIZES = (256, 512, 1000, 2048)


def alone(matmul: Callable[..., Any], a: Any, b: Any, out: Any, threads: int = 1) -> float:
    """Products a second."""
    matmul(a, b, out=out, threads=threads)
    done, start = 0, perf_counter()
    while perf_counter() - start < LASTS:
        matmul(a, b, out=out, threads=threads)
        done += 1
    return done / (perf_counter() - start)


def at_once(matmul: Callable[..., Any], a: Any, b: Any, outs: tuple[Any, Any]) -> float:
    """Products a second of two threads that share nothing but a and b, while both are at it."""
    ready, rates = Barrier(2), [0.0, 0.0]

    def work(index: int) -> None:
        ready.wait()
        rates[index] = alone(matmul, a, b, outs[index])

    threads = [Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)
