"""Hostile objects: when they are asked for something they act, and then answer or lie.

The expressions of a case use the names of this module, see grammar.py. An act is a statement: it
changes another argument, calls back into the binding, or raises.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

# Exceptions that Python itself may take as an answer: a missing attribute, the end of an iteration,
# a type.
ANSWERS = (AttributeError, StopIteration, IndexError, TypeError, ValueError)
ANSWERS += (BufferError, OverflowError, NotImplementedError)


class Now:
    """The running case, which hostile objects act on."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.valid: dict[str, Any] = {}
        self.call: Callable[[dict[str, Any]], object] = bool
        self.subject: Any = None
        self.trace: list[str] = []
        self.raised: list[BaseException] = []
        self.quiet = True
        """Nothing acts while a case is made, while its result is read, or within an act."""
        self.changed = False


now = Now()


def ask(own: dict[str, Any], what: str) -> None:
    """Note the question, and act if it is the time to."""
    if now.quiet:
        return
    if len(now.trace) < 12:
        now.trace.append(what)
    own["asked"] = own.get("asked", 0) + 1
    if own["when"] in (0, own["asked"]) and own["asked"] < 50:
        exec(own["act"], globals())


# ---- acts -------------------------------------------------------------------------------------


class Oops(Exception):
    """An exception that no binding knows."""


class Mute(Exception):
    """An exception that raises another when it is described."""

    def __str__(self) -> str:
        raise RuntimeError("an exception that cannot be described")

    __repr__ = __str__


def raises(kind: Callable[[str], BaseException]) -> None:
    error = kind("from the hostile object")
    now.raised.append(error)
    raise error


def unicode_error(text: str) -> BaseException:
    return UnicodeEncodeError("utf-8", text, 0, 1, text)


def group(text: str) -> BaseException:
    return BaseExceptionGroup(text, [KeyboardInterrupt()])


def change(name: str, how: str) -> None:
    """Run a statement on an argument, as `v`; one that fails is dropped."""
    now.changed = True
    with contextlib.suppress(ValueError, TypeError, BufferError, LookupError, AttributeError):
        exec(how, globals(), {"v": now.values[name]})


def quietly(call: Callable[..., object], *arguments: Any) -> None:
    now.quiet = True
    try:
        call(*arguments)
    except Exception:
        pass
    finally:
        now.quiet = False


def again(arguments: dict[str, Any]) -> None:
    """Call the function from within itself."""
    quietly(now.call, arguments)


def initialise(*arguments: Any) -> None:
    """Call `__init__` of the object whose method runs."""
    quietly(lambda: now.subject.__init__(*arguments))


USES: dict[str, list[Callable[[Any], object]]] = {
    "Tokenizer": [lambda x: x.encode("an"), lambda x: x.count("an"), lambda x: x.__reduce__()],
    "Counter": [lambda x: x.value, lambda x: x.add(0), repr],
    "Point": [lambda x: x.x, repr],
}


def use_found() -> None:
    """Use each object of a binding that the collector knows, half-made ones too."""
    for found in gc.get_objects():
        for use in USES.get(type(found).__name__, ()):
            quietly(use, found)


# ---- objects ----------------------------------------------------------------------------------


@cache
def _lying_class(base: type, names: str) -> type:
    def overridden(name: str) -> Any:
        real = getattr(base, name)

        def answer(self: Any, truth: Callable[[], Any]) -> Any:
            own = vars(self)
            if own.get("busy", True):  # a view that NumPy has made has no act of its own
                return truth()
            own["busy"] = True
            try:
                ask(own, f"{base.__name__}.{name}")
                return own["lies"][name] if name in own["lies"] else truth()
            finally:
                own["busy"] = False

        if not callable(real):
            return property(
                lambda self: answer(self, lambda: real.__get__(self)),
                lambda self, value: real.__set__(self, value),
            )
        return lambda self, *a, **k: answer(self, lambda: real(self, *a, **k))

    methods = {name: overridden(name) for name in names.split() if hasattr(base, name)}
    own = {"__repr__": lambda self: "a liar", "__hash__": base.__hash__}  # tools describe objects
    return type(f"Lying{base.__name__.title()}", (base,), own | methods)


def liar(x: Any, names: str, lies: Any = (), act: str = "", when: int = 0) -> Any:
    """Return x in a subclass in which these methods and properties act, then lie or answer."""
    kind = _lying_class(next(base for base in BASES if isinstance(x, base)), names)
    made: Any = x.view(kind) if isinstance(x, np.ndarray) else kind(x)
    vars(made).update(lies=dict(lies), act=act, when=when, busy=False)
    return made


BASES = (np.ndarray, bytes, str, bool, int, float, list, tuple, dict, set)
ARRAY = """
shape strides dtype flags size ndim nbytes itemsize data T base ctypes __array_interface__
__array_struct__ __len__ __array__ __dlpack__ __dlpack_device__ __getitem__ __iter__ astype resize
reshape view tobytes tolist copy fill __setitem__ __array_ufunc__ __array_function__
__array_wrap__ __index__ __float__ __int__ __bool__ __eq__
"""
TEXT = "encode decode __len__ __iter__ __getitem__ __str__ __bytes__ __buffer__ __hash__ __eq__"
NUMBER = "__index__ __int__ __float__ __bool__ __eq__ __lt__ __gt__ __le__ __ge__"
ITEMS = "__len__ __iter__ __getitem__ items keys __contains__"


def stand_in(x: Any, *names: str, lies: Any = (), act: str = "", when: int = 0) -> Any:
    """Return an object that has these methods and the attributes of x, and acts when it is asked.

    A method answers as x does, or with x itself if x has no such method.
    """
    own, lies = {"act": act, "when": when}, dict(lies)

    def method(name: str) -> Any:
        def answer(self: Any, *a: Any, **k: Any) -> Any:
            ask(own, name)
            if name in lies:
                return lies[name]
            return getattr(x, name)(*a, **k) if hasattr(x, name) else x

        return answer

    def attribute(self: Any, name: str) -> Any:
        if name.startswith("__") and not name.startswith("__array"):
            raise AttributeError(name)
        ask(own, name)
        return lies[name] if name in lies else getattr(x, name)

    methods = {name: method(name) for name in names}
    return type(names[0].strip("_").title(), (), {"__getattr__": attribute, **methods})()


def items(values: Any, act: str, when: int) -> Iterator[Any]:
    """Yield the items of a container, and act at each."""
    own = {"act": act, "when": when}
    for item in values:
        ask(own, "__next__")
        yield item


class Sub(np.ndarray):
    """A plain subclass."""


class StrSub(str):
    """A plain subclass."""


class BytesSub(bytes):
    """A plain subclass."""


class ByteArraySub(bytearray):
    """A bytearray that reports another length."""

    def __len__(self) -> int:
        return 10**6


class Name(str):
    """A keyword that equals any other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__
