"""Every probe with arguments it takes, and with some it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from .call import Call, Oops, call, failing


def probes(backend: ModuleType) -> Iterator[Call]:
    yield call(backend.about)
    for page in (scalars, text, arrays, containers, objects, callbacks, errors, mixed):
        yield from page(backend.probes)


def scalars(probes: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    yield call(probes.noop)
    yield call(probes.noop_nogil)
    yield call(probes.int_in, big)
    yield failing(probes.int_in, big**5)
    yield call(probes.int_out)
    yield call(probes.invert, True)
    yield failing(probes.invert, big)
    yield call(probes.add_int, big, big + 1)
    yield failing(probes.add_int, big, real)
    yield failing(probes.add_int, big**5, big)
    yield call(probes.add_float, real, real * 3)
    yield failing(probes.add_float, real, str(real))
    yield call(probes.six_scalars, big, real, big + 1, real * 3, big + 2, real * 5)
    yield failing(probes.six_scalars, big, real, big + 1, str(real), big + 2, real * 5)
    yield call(probes.keywords, real, scale=real * 3)
    yield failing(probes.keywords, real, scale=str(real))
    yield failing(probes.keywords, real, nothing=real * 3)


def text(probes: Any) -> Iterator[Call]:
    text = "wörld" * 9
    yield call(probes.str_in, text)
    yield failing(probes.str_in, text + "\ud800")
    yield failing(probes.str_in, text.encode())
    yield call(probes.str_out)
    yield call(probes.bytes_in, text.encode())
    yield failing(probes.bytes_in, text)
    yield call(probes.bytes_out)
    yield call(probes.bytes_map, text.encode())
    yield failing(probes.bytes_map, text)
    yield call(probes.buffer_in, bytearray(text.encode()))
    yield failing(probes.buffer_in, memoryview(text.encode())[::2])
    yield failing(probes.buffer_in, text)


def arrays(probes: Any) -> Iterator[Call]:
    values, big = np.arange(50.0), int("1" * 15)
    yield call(probes.array_in, values)
    yield failing(probes.array_in, values[::2])
    yield failing(probes.array_in, values.astype(np.float32))
    yield failing(probes.array_in, values.tolist())
    yield call(probes.array_in_nogil, values)
    yield failing(probes.array_in_nogil, values[::2])
    yield call(probes.strided_in, values[::-2])
    yield failing(probes.strided_in, values.reshape(5, 10))
    yield call(probes.array_out, 8192)  # 64 KB
    yield failing(probes.array_out, -big)
    yield call(probes.array_map, values)
    yield failing(probes.array_map, values[::2])
    yield failing(probes.array_map, values.tolist())
    yield call(probes.array_inplace, np.ones(50), float("1.0"))
    yield failing(probes.array_inplace, values[::2], float("1.0"))
    yield call(probes.dlpack_in, values)
    yield failing(probes.dlpack_in, values[::2])
    yield failing(probes.dlpack_in, values.astype(np.float32))
    yield failing(probes.dlpack_in, values.tolist())


def containers(probes: Any) -> Iterator[Call]:
    values, texts, big = np.arange(9.0).tolist(), [f"wörld {i}" for i in range(9)], int("1" * 15)
    weights = dict(zip(texts, values, strict=True))
    yield call(probes.list_in, values)
    yield failing(probes.list_in, [*values, texts[0]])
    yield failing(probes.list_in, tuple("text"))
    yield call(probes.list_out, 100)
    yield failing(probes.list_out, -big)
    yield failing(probes.list_out, str(big))
    yield call(probes.strings_in, texts)
    yield failing(probes.strings_in, [*texts, "\ud800" + texts[0]])
    yield failing(probes.strings_in, [*texts, values[1]])
    yield call(probes.dict_in, weights)
    yield failing(probes.dict_in, {**weights, "text": texts[0]})
    yield failing(probes.dict_in, {**weights, values[1]: values[1]})
    yield call(probes.tuple_out, big, big + 1)
    yield failing(probes.tuple_out, big, str(big))


def objects(probes: Any) -> Iterator[Call]:
    big, real = int("1" * 15), float("1.25")
    point, counter, value = probes.Point(real, real), probes.Counter(big), "value"
    yield call(probes.Point, real, real * 3)
    yield failing(probes.Point, real, str(real))
    yield call(getattr, point, "x")
    yield call(probes.struct_in, point)
    yield failing(probes.struct_in, (real, real))
    yield call(probes.struct_out, real, real * 3)
    yield failing(probes.struct_out, real, str(real))
    yield call(probes.Counter, big)
    yield failing(probes.Counter, str(big))
    yield failing(probes.Counter)
    yield call(getattr, counter, value)
    yield call(setattr, counter, value, big)
    yield failing(setattr, counter, value, str(big))
    yield failing(delattr, counter, value)
    yield call(probes.Counter(5).add, big)
    yield failing(counter.add, real)
    yield call(lambda n: sum(probes.countdown(n)), 3)
    yield call(lambda n: next(probes.countdown(n)), big)
    yield failing(probes.countdown, str(big))


def callbacks(probes: Any) -> Iterator[Call]:
    def double(x: float) -> float:
        return x * 2

    def raises(x: float) -> float:
        raise Oops(x)

    real = float("1.25")
    yield call(probes.callback, double, real)
    yield failing(probes.callback, raises, real)
    yield failing(probes.callback, lambda x: "text", real)
    yield failing(probes.callback, lambda: real, real)
    yield failing(probes.callback, double, str(real))
    yield failing(probes.callback, str(real), real)


def errors(probes: Any) -> Iterator[Call]:
    big = int("1" * 15)
    yield call(probes.error, 0)
    yield failing(probes.error, 1234)
    yield failing(probes.error, big)
    yield call(probes.error_fields, 0, big)
    yield failing(probes.error_fields, 1234, big)
    yield failing(probes.error_fields, 1234, big**5)
    yield call(probes.interruptible, 9)
    yield failing(probes.interruptible, -big)


def mixed(probes: Any) -> Iterator[Call]:
    text, values, big, real = "wörld" * 9, np.arange(50.0), int("1" * 15), float("1.25")
    yield call(probes.add_three, big, big + 1, big + 2)
    yield failing(probes.add_three, big, big + 1, big**5)
    yield call(probes.score, text, big, real)
    yield failing(probes.score, text, big, text)
    yield call(probes.stamp, text.encode(), 7)
    yield failing(probes.stamp, text.encode(), big)
    yield call(probes.scaled, values, real)
    yield failing(probes.scaled, values[:1], text)
    yield failing(probes.scaled, values[::2], real)
    yield call(probes.shifted, values, big, text)
    yield failing(probes.shifted, values, big, text + "\ud800")
    yield failing(probes.shifted, values[::2], big, text)
