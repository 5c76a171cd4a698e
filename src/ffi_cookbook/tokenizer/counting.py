"""The counts of pretokens: the first half of training."""

from __future__ import annotations

import re
import signal
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from multiprocessing import get_context

from ffi_cookbook.bindings._glue.text import utf8
from ffi_cookbook.bindings.errors import Code, TokenizerError
from ffi_cookbook.bindings.protocol import Text, Tokenizer
from ffi_cookbook.tokenizer.model import Model

PART = 1 << 20  # bytes of text that are split at once
SHARE = 1 << 23  # bytes of text that are sent to a process at once
BLOCK = 1 << 16  # pretokens that are Python objects at once

# A place where a pretoken ends in every pattern, for any text before and after it.
_CUT = re.compile(rb"[a-z](?= [a-z])")


def count_pieces(
    texts: Iterable[Text], pattern: str, backend: str | None, workers: int
) -> Iterator[tuple[int, Counter[bytes]]]:
    """Yield (size of some texts in bytes, counts of their pretokens) until all texts are counted.

    This process counts, or `workers` others do; the sum is the same.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, not {workers}")
    shares = _shares(texts)
    if workers == 1:
        for share in shares:
            yield sum(map(len, share)), _count(share, pattern, backend)
        return
    waiting: deque[tuple[int, Future[Counter[bytes]]]] = deque()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            for share in shares:
                size = sum(map(len, share))
                with _interrupts_blocked():
                    counting = pool.submit(_count, share, pattern, backend)
                waiting.append((size, counting))
                if len(waiting) > 2 * workers:
                    yield _done(*waiting.popleft())
            while waiting:
                yield _done(*waiting.popleft())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C in the processes that are started here.

    A terminal sends it to all processes, and this one ends the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _done(size: int, counting: Future[Counter[bytes]]) -> tuple[int, Counter[bytes]]:
    return size, counting.result()


def _count(share: list[bytes], pattern: str, backend: str | None) -> Counter[bytes]:
    tokenizer = _splitter(pattern, backend)
    counts: Counter[bytes] = Counter()
    for part in share:
        ends = tokenizer.split(part)
        for first in range(0, len(ends), BLOCK):
            start = ends[first - 1] if first else 0
            places = pairwise([int(start), *ends[first : first + BLOCK].tolist()])
            counts.update([part[a:b] for a, b in places])
    return counts


@cache
def _splitter(pattern: str, backend: str | None) -> Tokenizer:
    """Return a tokenizer that is used only to split text into pretokens."""
    from ffi_cookbook.backends import open_backend  # not needed to load a model

    model = Model.from_ranks({bytes([byte]): byte for byte in range(256)}, pattern=pattern)
    binding = open_backend(backend)
    if not hasattr(binding, "Tokenizer"):
        raise ValueError(f"the backend {backend!r} has no tokenizer")
    return binding.Tokenizer(model)


def _shares(texts: Iterable[Text]) -> Iterator[list[bytes]]:
    """Yield lists of parts of the texts, which are cut only where pretokens end."""
    share, size = [], 0
    for part in _parts(texts):
        share.append(part)
        size += len(part)
        if size >= SHARE:
            yield share
            share, size = [], 0
    if share:
        yield share


def _parts(texts: Iterable[Text]) -> Iterator[bytes]:
    for number, text in enumerate(texts):
        data, start = _checked(text, number), 0
        while cut := _CUT.search(data, start + PART):
            yield data[start : cut.end()]
            start = cut.end()
        yield data[start:]


def _checked(text: Text, number: int) -> bytes:
    if isinstance(text, bytes):
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise TokenizerError(Code.UTF8, error.start, number) from None
    return utf8(text)
