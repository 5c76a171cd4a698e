"""The table of the kinds of hostile value, by the type of argument that each replaces."""

from __future__ import annotations

from ..case import Kind
from .arrays import ARRAYS
from .buffers import BUFFERS
from .calls import CALLABLES, CALLS, POINTS, TENSORS
from .models import MODELS
from .numbers import FLAGS, NUMBERS, ROUNDS, SIZES
from .texts import CONTAINERS, TEXTS

KINDS: dict[str, list[Kind]] = {
    "int": NUMBERS,
    "size": SIZES,
    "rounds": ROUNDS,
    "float": NUMBERS,
    "flag": FLAGS,
    "array": ARRAYS,
    "buffer": BUFFERS,
    "text": TEXTS,
    "texts": CONTAINERS,
    "names": CONTAINERS,
    "list": CONTAINERS,
    "model": MODELS,
    "callable": CALLABLES,
    "tensor": TENSORS + ARRAYS,
    "point": POINTS,
    "call": CALLS,
}
