"""A case: one call of one function, drawn from a seed and a number alone.

A case is a valid call of which up to three arguments are then corrupted. `mask` says which of the
corruptions are used, so that a failing case can be made smaller without another seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .memory import Memory

ALL = 7
# The exceptions of a kind that cannot be made of a value, such as one that lies about its size.
CANNOT = (ArithmeticError, AttributeError, BufferError, LookupError, MemoryError)
CANNOT += (OSError, TypeError, ValueError)


class Kind(NamedTuple):
    """A kind of hostile value: how it is made from the valid value, and whether it lies.

    A value that lies says one thing and is another, so a binding may refuse it or use the truth.
    """

    text: str
    make: Callable[[Case, Any], Any]
    lies: bool = False


class Function(NamedTuple):
    """A function under test: the values of a valid call, and how it is called with them."""

    name: str
    part: str
    make: Callable[[Case], dict[str, tuple[str, Any]]]
    call: Callable[[Any, dict[str, Any]], Any]
    digest: Callable[[Case, Any], Any]
    subject: Callable[[Any, Case], Any] = lambda backend, case: backend
    weight: int = 1


class Recalled:
    """A binding or an object of it, whose functions are called in another way."""

    def __init__(self, subject: Any, called_as: Callable[..., Any]) -> None:
        self.subject, self.called_as = subject, called_as

    def __getattr__(self, name: str) -> Any:
        return partial(self.called_as, getattr(self.subject, name))


class Numbers(random.Random):
    """Random numbers, with a `choice` that takes a third of the library's time."""

    def choice(self, items: Any) -> Any:
        return items[int(self.random() * len(items))]


class Case:
    """Everything about one call: its values, its corruptions, and what happens during it."""

    def __init__(self, memory: Memory, patterns: Any, scale: int = 1) -> None:
        """`scale`: the size of the inputs, relative to the smallest that show a fault."""
        self.rng, self.memory = Numbers(), memory
        self.patterns, self.scale = patterns, scale

    def draw(
        self,
        seed: int,
        number: int,
        mask: int,
        functions: list[Function],
        kinds: dict[str, list[Kind]],
    ) -> None:
        """Make the case of a seed and a number."""
        self.memory.clear()
        rng = self.rng
        rng.seed((seed << 40) + number)
        self.function = function = rng.choice(functions)
        self.trace: list[str] = []
        self.raised: list[BaseException] = []
        self.texts: list[str] = []
        self.lies = self.idiomatic = self.acts = self.changed = False
        self.depth = 1  # nothing acts while the case is being made
        self.subject: Any = None
        self.extra: dict[str, Any] = {}
        made = {**function.make(self), "call": ("call", None)}
        self.types = {name: kind for name, (kind, _) in made.items()}
        self.values = {name: value for name, (_, value) in made.items()}
        self.valid = dict(self.values)
        names = [name for name, kind in self.types.items() if kind and name != "call"] * 6
        if "life" not in made:
            names.append("call")
        n = rng.choice((0, 1, 1, 1, 1, 1, 2, 2, 3)) if names else 0
        chosen = [(rng.choice(names), rng.getrandbits(40)) for _ in range(n)]
        self.n_corruptions = 0
        for bit, (name, own_seed) in enumerate(chosen):
            if not mask >> bit & 1:
                continue
            rng.seed(own_seed)
            kind = rng.choice(kinds[self.types[name]])
            before = self.values[name]
            if isinstance(before, type):  # CPython 3.13.0 can crash at type.method()
                continue
            try:
                value = kind.make(self, before)
            except CANNOT:
                continue
            self.values[name] = value
            self.n_corruptions += 1
            self.lies |= kind.lies
            self.texts.append(f"{name}: {kind.text}")
        self.called_as = self.values.pop("call")
        self.valid.pop("call")
        self.depth = 0

    def say(self, text: str) -> None:
        """Add particulars to the description of the corruption being made."""
        self.texts.append(f"  {text}")

    def idiom(self) -> None:
        """Let a pattern accept or refuse the value, as the idiom of each technology does."""
        self.idiomatic = self.function.part == "patterns"

    def asked(self, what: str) -> None:
        """Note that a hostile object was asked for something."""
        if self.depth == 0 and len(self.trace) < 12:
            self.trace.append(what)

    def call_again(self, arguments: dict[str, Any]) -> None:
        """Call the function from within itself."""
        if self.depth or self.subject is None:
            return
        self.depth = 1
        try:
            self.function.call(self.subject, arguments)
        except Exception:
            pass
        finally:
            self.depth = 0

    def initialise_again(self) -> None:
        """Call `__init__` of the object whose method runs."""
        again = self.extra.get("initialise")
        if self.depth or again is None or self.subject is None:
            return
        self.depth = 1
        try:
            again(self.subject)
        except Exception:
            pass
        finally:
            self.depth = 0

    def call(self) -> Any:
        """Call the function with the corrupted arguments."""
        subject = self.subject
        if self.called_as is not None:
            subject = Recalled(subject, self.called_as)
        return self.function.call(subject, self.values)

    def __str__(self) -> str:
        values = ", ".join(f"{name}={describe(value)}" for name, value in self.values.items())
        return f"{self.function.name}({values})" + "".join(f"\n      {text}" for text in self.texts)


def describe(value: Any) -> str:
    """Return a short text for a value, without using any method of the value."""
    import numpy as np

    if isinstance(value, np.ndarray):
        get = np.ndarray
        shape, strides = get.shape.__get__(value), get.strides.__get__(value)
        return f"<{type(value).__name__} {get.dtype.__get__(value)} {shape} {strides}>"
    if type(value) in (int, float, bool, str, bytes, bytearray, type(None)):
        return repr(value) if len(repr(value)) < 60 else repr(value)[:50] + f"...({len(value)})"
    if type(value) in (list, tuple):
        return "[" + ", ".join(map(describe, value[:6])) + "]"
    if type(value) in (np.float32, np.float64, np.int8, np.uint64, np.bool_):
        return repr(value)
    return f"<{type(value).__name__}>"
