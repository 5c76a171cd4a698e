"""Results of a binding with models that run code or change, and with lying subclasses."""

from __future__ import annotations

import contextlib
import copy
import gc
import pickle
import weakref
from types import ModuleType
from typing import Any

import numpy as np

from ffi_cookbook.tokenizer import Model

RANKS = {bytes([byte]): byte for byte in range(256)}
GOOD = Model.from_ranks(RANKS, pattern="gpt2")
ATTRIBUTES = (
    "special_names",
    "default_policy",
    "special_policy",
    "blob",
    "sections",
    "tokens",
    "n_vocab",
)


class Own:
    """A model object with the methods that a tokenizer calls."""

    def __init__(self, model: Model, **changes: Any) -> None:
        vars(self).update({name: getattr(model, name) for name in ATTRIBUTES} | changes)


def memory_that_changes(backend: ModuleType) -> object:
    """Overwrite the blob after the tokenizer was made."""
    ids = []
    for memory in (bytearray(GOOD.blob), np.array(GOOD.blob)):
        tokenizer = backend.Tokenizer(Own(GOOD, blob=memory))
        memory[192:] = bytes([255]) * (len(memory) - 192) if isinstance(memory, bytearray) else 255
        ids += tokenizer.encode("aä漢").tolist() + list(tokenizer.decode(np.arange(2, dtype="u4")))
    return ids


def a_blank_that_is_a_letter(backend: ModuleType) -> object:
    """Change the Unicode table so that no alternative of the pattern matches a blank."""
    blob = np.array(GOOD.blob)
    classes = GOOD.sections["unicode_blocks"]
    start = classes.ctypes.data - GOOD.blob.ctypes.data
    first = start + 128 * int(GOOD.sections["unicode_index"][0])
    blob[first + ord(" ")] = 1
    tokenizer = backend.Tokenizer(Own(GOOD, blob=blob))
    blanks = " " * 3000
    return tokenizer.count("1 "), tokenizer.count(blanks), len(tokenizer.split(blanks)) <= 3000


def init_while_it_runs(backend: ModuleType) -> object:
    """Call __init__ from within the model's method, which then returns or raises."""
    if _needs_a_model(backend):
        return "one model"
    for fails in (True, False):
        tokenizer = backend.Tokenizer.__new__(backend.Tokenizer)

        class Asked:
            default_policy = GOOD.default_policy
            special_names = GOOD.special_names

            @property
            def blob(self) -> object:
                tokenizer.__init__(Own(GOOD))  # noqa: B023
                if fails:  # noqa: B023
                    raise RuntimeError
                return GOOD.blob

        with contextlib.suppress(RuntimeError, TypeError):
            tokenizer.__init__(Asked())
        gc.collect()
        if type(tokenizer.model) is not Own or tokenizer.count("abc") != 3:
            return tokenizer.model
    return "one model"


def _needs_a_model(backend: ModuleType) -> bool:
    try:
        backend.Tokenizer.__new__(backend.Tokenizer)
    except TypeError:
        return True
    return False


def another_model_meanwhile(backend: ModuleType) -> object:
    """Call __init__ with a model of more special tokens from within special_policy."""
    names = {f"<|{i:06}|>": 300 + i for i in range(3000)}
    few = Model.from_ranks(RANKS, pattern="gpt2", special_tokens={"<|a|>": 300})
    many = Model.from_ranks(RANKS, pattern="gpt2", special_tokens=names)

    def policy(allowed: object, refused: object) -> bytes:
        with contextlib.suppress(TypeError):
            tokenizer.__init__(many)
        return b"\0"

    tokenizer = backend.Tokenizer(Own(few, special_policy=policy))
    return int((tokenizer.encode("".join(names), allowed_special={"x"}) >= 300).sum())


def found_while_it_is_made(backend: ModuleType) -> object:
    """Search the garbage collector's objects for a tokenizer that is being made."""
    gc.collect()
    before = {id(one) for one in gc.get_objects()}
    outcomes = []

    class Searching:
        default_policy = GOOD.default_policy
        special_names = GOOD.special_names

        @property
        def blob(self) -> object:
            for found in gc.get_objects():
                if type(found) is backend.Tokenizer and id(found) not in before:
                    with contextlib.suppress(TypeError, AttributeError):
                        outcomes.append(found.count("ä"))
            raise RuntimeError

    with contextlib.suppress(RuntimeError, AttributeError):
        backend.Tokenizer(Searching())
    return outcomes


def policies(backend: ModuleType) -> object:
    """Return a policy that is not bytes, or that is too short or too long."""
    model = Model.from_ranks(RANKS, pattern="gpt2", special_tokens={"<|a|>": 300})

    class Long(bytes):
        def __len__(self) -> int:
            return 1

    errors = []
    for policy in ("\0", b"\0\0", b"", None, [0], Long(b"")):
        changed = Own(model, special_policy=lambda *given: policy)  # noqa: B023
        for call in (
            lambda: backend.Tokenizer(Own(model, default_policy=policy)),  # noqa: B023
            lambda: backend.Tokenizer(changed).encode("a", allowed_special={"x"}),  # noqa: B023
        ):
            try:
                call()
            except (TypeError, ValueError):
                errors.append("refused")
    return len(errors)


def cycles(backend: ModuleType) -> object:
    """Make a model that refers to its tokenizer, directly and through a subclass and its dict."""
    alive = []
    for kind in subclasses(backend):
        model = Model.from_ranks(RANKS, pattern="gpt2")
        model.tokenizer = kind(model)
        alive.append(weakref.ref(model))
        names = type("Names", (tuple,), {})()
        other = Own(GOOD, special_names=names)
        names.tokenizer = kind(other)
        alive.append(weakref.ref(other))
        del model, other, names
    gc.collect()
    return sum(one() is not None for one in alive)


def subclasses(backend: ModuleType) -> list[Any]:
    """Yield the class, and a subclass if it can have one."""
    try:
        made = type("Sub", (backend.Tokenizer,), {"__module__": __name__})
    except TypeError:
        return [backend.Tokenizer]
    globals()["Sub"] = made
    return [backend.Tokenizer, made]


def copies(backend: ModuleType) -> object:
    """Pickle and copy a subclass, and compare the result with the original."""
    kinds = []
    for kind in subclasses(backend):
        one = kind(GOOD)
        kinds += [type(pickle.loads(pickle.dumps(one))) is kind, type(copy.copy(one)) is kind]
    return all(kinds)


class Bytes(bytes):
    """Bytes that report another length."""

    claimed = 64

    def __len__(self) -> int:
        return self.claimed

    def __bytes__(self) -> bytes:
        return b"other"


class Huge(Bytes):
    claimed = 1 << 40


class String(str):
    """A str that reports another text."""

    def encode(self, *arguments: Any) -> bytes:  # type: ignore[override]
        return b"other"

    def __len__(self) -> int:
        return 1 << 40


class Pair(tuple):
    """A tuple that reports other items."""

    def __iter__(self) -> Any:
        return iter(("ab", "c"))


def texts_that_lie(backend: ModuleType) -> object:
    """Encode texts whose bytes differ from what their class reports."""
    tokenizer = backend.Tokenizer(GOOD)
    found: list[object] = []
    for text in (Bytes(b"abc"), Huge(b"abc"), String("abc"), String("a\ud800")):
        found += [tokenizer.encode(text).tolist(), tokenizer.count(text)]
        found += [tokenizer.split(text).tolist(), tokenizer.encode_batch([text])[0].tolist()]
    found.append(tokenizer.encode_batch(Pair(("x", "y", "z")))[1].tolist())
    for kind in (bytes, str, list):
        fake = type("Fake", (), {"__class__": property(lambda self, kind=kind: kind)})()
        for call in (tokenizer.encode, tokenizer.count, tokenizer.split, tokenizer.encode_batch):
            try:
                call(fake)
            except TypeError:
                found.append("TypeError")
    return found


def ids_that_lie(backend: ModuleType) -> object:
    """Decode arrays of ids whose class misreports size, dtype and memory."""

    class Ids(np.ndarray):
        size = shape = 1 << 40
        dtype = flags = ctypes = strides = ndim = property(lambda self: 1 / 0)

        def __len__(self) -> int:
            return 1 << 40

    tokenizer = backend.Tokenizer(GOOD)
    out = np.zeros(8, np.uint32)
    n = tokenizer.encode_into(b"abc", out.view(Ids))
    return n, out[:4].tolist(), tokenizer.decode(out[:3].view(Ids))
