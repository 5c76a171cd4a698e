"""Every pattern with arguments that it accepts and some that it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from .call import Call, Oops, call, failing


def patterns(backend: ModuleType) -> Iterator[Call]:
    yield call(backend.about)
    for page in (scalars, text, arrays, containers, objects, callbacks, errors, mixed):
        yield from page(backend.patterns)


def scalars(patterns: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    yield call(patterns.noop)
    yield call(patterns.noop_nogil)
    yield call(patterns.int_in, big)
    yield failing(patterns.int_in, big**5)
    yield call(patterns.int_out)
    yield call(patterns.invert, True)
    yield failing(patterns.invert, big)
    yield call(patterns.add_int, big, big + 1)
    yield failing(patterns.add_int, big, real)
    yield failing(patterns.add_int, big**5, big)
    yield call(patterns.add_float, real, real * 3)
    yield failing(patterns.add_float, real, str(real))
    yield call(patterns.six_scalars, big, real, big + 1, real * 3, big + 2, real * 5)
    yield failing(patterns.six_scalars, big, real, big + 1, str(real), big + 2, real * 5)
    yield call(patterns.keywords, real, scale=real * 3)
    yield failing(patterns.keywords, real, scale=str(real))
    yield failing(patterns.keywords, real, nothing=real * 3)


def text(patterns: Any) -> Iterator[Call]:
    text = "wörld" * 9
    yield call(patterns.str_in, text)
    yield failing(patterns.str_in, text + "\ud800")
    yield failing(patterns.str_in, text.encode())
    yield call(patterns.str_out)
    yield call(patterns.bytes_in, text.encode())
    yield failing(patterns.bytes_in, text)
    yield call(patterns.bytes_out)
    yield call(patterns.bytes_map, text.encode())
    yield failing(patterns.bytes_map, text)
    yield call(patterns.buffer_in, bytearray(text.encode()))
    yield failing(patterns.buffer_in, memoryview(text.encode())[::2])
    yield failing(patterns.buffer_in, text)


def arrays(patterns: Any) -> Iterator[Call]:
    values, big = np.arange(50.0), int("1" * 15)
    yield call(patterns.array_in, values)
    yield failing(patterns.array_in, values[::2])
    yield failing(patterns.array_in, values.astype(np.float32))
    yield failing(patterns.array_in, values.tolist())
    yield call(patterns.array_in_nogil, values)
    yield failing(patterns.array_in_nogil, values[::2])
    yield call(patterns.strided_in, values[::-2])
    yield failing(patterns.strided_in, values.reshape(5, 10))
    yield call(patterns.array_out, 8192)  # 64 KB
    yield failing(patterns.array_out, -big)
    yield call(patterns.array_map, values)
    yield failing(patterns.array_map, values[::2])
    yield failing(patterns.array_map, values.tolist())
    yield call(patterns.array_inplace, np.ones(50), float("1.0"))
    yield failing(patterns.array_inplace, values[::2], float("1.0"))
    yield call(patterns.dlpack_in, values)
    yield failing(patterns.dlpack_in, values[::2])
    yield failing(patterns.dlpack_in, values.astype(np.float32))
    yield failing(patterns.dlpack_in, values.tolist())


def containers(patterns: Any) -> Iterator[Call]:
    values, texts, big = np.arange(9.0).tolist(), [f"wörld {i}" for i in range(9)], int("1" * 15)
    weights = dict(zip(texts, values, strict=True))
    yield call(patterns.list_in, values)
    yield failing(patterns.list_in, [*values, texts[0]])
    yield failing(patterns.list_in, tuple("text"))
    yield call(patterns.list_out, 100)
    yield failing(patterns.list_out, -big)
    yield failing(patterns.list_out, str(big))
    yield call(patterns.strings_in, texts)
    yield failing(patterns.strings_in, [*texts, "\ud800" + texts[0]])
    yield failing(patterns.strings_in, [*texts, values[1]])
    yield call(patterns.dict_in, weights)
    yield failing(patterns.dict_in, {**weights, "text": texts[0]})
    yield failing(patterns.dict_in, {**weights, values[1]: values[1]})
    yield call(patterns.tuple_out, big, big + 1)
    yield failing(patterns.tuple_out, big, str(big))


def objects(patterns: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    point, counter, value = patterns.Point(real, real), patterns.Counter(big), "value"
    yield call(patterns.Point, real, real * 3)
    yield failing(patterns.Point, real, str(real))
    yield call(getattr, point, "x")
    yield call(patterns.struct_in, point)
    yield failing(patterns.struct_in, (real, real))
    yield call(patterns.struct_out, real, real * 3)
    yield failing(patterns.struct_out, real, str(real))
    yield call(patterns.Counter, big)
    yield failing(patterns.Counter, str(big))
    yield failing(patterns.Counter)
    yield call(getattr, counter, value)
    yield call(setattr, counter, value, big)
    yield failing(setattr, counter, value, str(big))
    yield failing(delattr, counter, value)
    yield call(patterns.Counter(5).add, big)
    yield failing(counter.add, real)
    yield call(lambda n: sum(patterns.countdown(n)), 3)
    yield call(lambda n: next(patterns.countdown(n)), big)
    yield failing(patterns.countdown, str(big))


def callbacks(patterns: Any) -> Iterator[Call]:
    def double(x: float) -> float:
        return x * 2

    def raises(x: float) -> float:
        raise Oops(x)

    real = float("1.25")
    yield call(patterns.callback, double, real)
    yield failing(patterns.callback, raises, real)
    yield failing(patterns.callback, lambda x: "text", real)
    yield failing(patterns.callback, lambda: real, real)
    yield failing(patterns.callback, double, str(real))
    yield failing(patterns.callback, str(real), real)


def errors(patterns: Any) -> Iterator[Call]:
    big = int("1" * 15)
    yield call(patterns.error, 0)
    yield failing(patterns.error, 1234)
    yield failing(patterns.error, big)
    yield call(patterns.error_fields, 0, big)
    yield failing(patterns.error_fields, 1234, big)
    yield failing(patterns.error_fields, 1234, big**5)
    yield call(patterns.interruptible, 9)
    yield failing(patterns.interruptible, -big)


def mixed(patterns: Any) -> Iterator[Call]:
    text, values, big, real = "wörld" * 9, np.arange(50.0), int("1" * 15), float("1.25")
    yield call(patterns.add_three, big, big + 1, big + 2)
    yield failing(patterns.add_three, big, big + 1, big**5)
    yield call(patterns.score, text, big, real)
    yield failing(patterns.score, text, big, text)
    yield call(patterns.stamp, text.encode(), 7)
    yield failing(patterns.stamp, text.encode(), big)
    yield call(patterns.scaled, values, real)
    yield failing(patterns.scaled, values[:1], text)
    yield failing(patterns.scaled, values[::2], real)
    yield call(patterns.shifted, values, big, text)
    yield failing(patterns.shifted, values, big, text + "\ud800")
    yield failing(patterns.shifted, values[::2], big, text)
