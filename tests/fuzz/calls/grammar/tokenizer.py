"""Valid calls of a tokenizer: its constructor, its methods, and its life as an object."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from ffi_cookbook.tokenizer import Model

from ..case import Case, Function
from ..verdict import plain

TEXTS = [
    "",
    "a",
    "Hello wörld, it's 12345",
    " of  漢字\n\n",
    "tell <|end|> then",
    "<|a|>x<|end|>",
    "ell" * 40,
]


@cache
def models() -> tuple[Model, Model]:
    """Return two models that differ in their pattern and their special tokens."""
    ranks = {bytes([i]): i for i in range(256)}
    ranks.update({token: 256 + i for i, token in enumerate([b"ll", b"ell", b"en", b" to", b"an"])})
    specials: list[dict[str, int]] = [{"<|end|>": 300, "<|a|>": 301}, {}]
    made = []
    for number, (pattern, special) in enumerate(zip(("gpt2", "cl100k"), specials, strict=True)):
        made.append(Model.from_ranks(ranks, pattern=pattern, special_tokens=special))
        made[-1]._recipe = (_model, (number,))  # type: ignore[assignment]  # a cheap pickle
    return made[0], made[1]


def _model(number: int) -> Model:
    return models()[number]


_tokenizers: dict[Any, Any] = {}


def tokenizer(backend: Any, case: Case) -> Any:
    """Return the binding's tokenizer: one for all cases, or a new one for a hostile case."""
    case.extra["initialise"] = lambda one: one.__init__(models()[1])
    if any("__init__" in text for text in case.texts):
        return backend.Tokenizer(models()[0])
    if backend not in _tokenizers:
        _tokenizers[backend] = backend.Tokenizer(models()[0])
    return _tokenizers[backend]


def text(case: Case) -> Any:
    chosen = case.rng.choice(TEXTS)
    return chosen.encode() if case.rng.random() < 0.3 else chosen


def specials(case: Case) -> dict[str, tuple[str, Any]]:
    rng = case.rng
    allowed = rng.choice([(), "all", {"<|end|>"}, ["<|end|>"], {"<|a|>", "<|end|>"}])
    disallowed = rng.choice(["all", (), (), {"<|a|>"}])
    return {"allowed_special": ("names", allowed), "disallowed_special": ("names", disallowed)}


def make_encode(case: Case) -> dict[str, tuple[str, Any]]:
    return {"text": ("text", text(case)), **specials(case)}


def make_encode_into(case: Case) -> dict[str, tuple[str, Any]]:
    data = case.rng.choice(TEXTS).encode()
    out = np.zeros(case.rng.choice((0, 3, len(data), len(data) + 2)), np.uint32)
    out = out if case.rng.random() < 0.3 else case.memory.place(out)
    buffer = (data, bytearray(data), case.memory.place(np.frombuffer(data, np.uint8)))
    return {"buffer": ("buffer", case.rng.choice(buffer)), "out": ("array", out)}


def make_batch(case: Case) -> dict[str, tuple[str, Any]]:
    texts = [text(case) for _ in range(case.rng.choice((0, 1, 2, 5)))]
    threads = case.rng.choice((1, 1, 1, 2))
    return {"texts": ("texts", texts), "threads": ("int", threads), **specials(case)}


def make_text(case: Case) -> dict[str, tuple[str, Any]]:
    return {"text": ("text", text(case))}


def make_decode(case: Case) -> dict[str, tuple[str, Any]]:
    ids = np.array(
        [case.rng.choice((0, 97, 256, 260, 300)) for _ in range(case.rng.choice((0, 1, 9)))],
        np.uint32,
    )
    return {"ids": ("array", case.memory.place(ids))}


def call(name: str) -> Any:
    def method(one: Any, v: dict[str, Any]) -> Any:
        keywords = {key: value for key, value in v.items() if key.endswith("_special")}
        positional = [value for key, value in v.items() if key not in keywords]
        return getattr(one, name)(*positional, **keywords)

    return method


def digest(case: Case, result: Any) -> Any:
    out = case.values.get("out")
    written = plain(np.asarray(out)[:result]) if out is not None and isinstance(result, int) else ()
    return plain(result), written


# ---- the object itself ------------------------------------------------------------------------


def make_model(case: Case) -> dict[str, tuple[str, Any]]:
    case.extra["initialise"] = lambda backend: None
    return {
        "model": ("model", case.rng.choice(models())),
        "text": ("", case.rng.choice(TEXTS[:-2])),
    }


def construct(backend: Any, v: dict[str, Any]) -> Any:
    """Make a tokenizer and use it: its data from the model must stay valid."""
    one = backend.Tokenizer(v["model"])
    ids = one.encode(v["text"], disallowed_special=())
    return ids, one.decode(ids), one.count(v["text"]), one.split(v["text"])


LIVES = [
    "new",
    "init twice",
    "init bad",
    "pickle",
    "copy",
    "deepcopy",
    "attributes",
    "subclass",
    "init again",
    "no init",
    "base",
    "state",
    "reduce",
    "deleted",
    "class",
    "used by others",
]
NONSENSE: list[Any] = [None, (), (None,), 5, {}, {"model": None}, (models, None), [b"x"], object()]


def make_life(case: Case) -> dict[str, tuple[str, Any]]:
    case.lies = True  # a technology may refuse this
    return {
        "life": ("", case.rng.choice(LIVES)),
        "protocol": ("", case.rng.randrange(6)),
        "nonsense": ("", case.rng.choice(NONSENSE)),
        "text": ("text", text(case)),
    }


def live(backend: Any, v: dict[str, Any]) -> Any:
    """Lead a tokenizer through an odd life, and encode a text with it afterwards."""
    kind, life = backend.Tokenizer, v["life"]
    if life in ("new", "used by others"):
        one = kind.__new__(kind)
    elif life == "no init":
        one = type("SubTokenizer", (kind,), {"__init__": lambda self: None})()
    elif life == "base":
        one = object.__new__(kind)
    elif life == "subclass":
        one = type("SubTokenizer", (kind,), {})(models()[0])
    else:
        one = kind(models()[0])
    if life in ("init twice", "init again"):
        one.__init__(models()[life == "init again"])
    elif life == "init bad":
        with suppress(TypeError, ValueError, AttributeError):
            one.__init__(None)
    elif life == "pickle":
        one = pickle.loads(pickle.dumps(one, v["protocol"]))
    elif life in ("copy", "deepcopy"):
        one = getattr(copy, life)(one)
    elif life == "attributes":
        for name in ("model", "_model", "blob", "_blob", "_bpe", "x", "__dict__", "__class__"):
            with suppress(AttributeError, TypeError):
                setattr(one, name, None)
        one = kind(models()[0])
    odd_ends(one, v)
    try:
        return one.encode(v["text"], disallowed_special=())
    except AttributeError as error:  # the error of a class written in Python that is half made
        raise TypeError from error


def odd_ends(one: Any, v: dict[str, Any]) -> None:
    """Do things to a tokenizer that must not harm it or another one."""
    life, nonsense = v["life"], v["nonsense"]
    if life == "state":
        with suppress(*REFUSED):
            one.__setstate__(nonsense)
        with suppress(*REFUSED):
            object.__reduce_ex__(one, v["protocol"])
    elif life == "reduce":
        make, arguments, *_ = one.__reduce__()
        for wrong in ((nonsense,), (*arguments, nonsense), ()):
            with suppress(*REFUSED):
                make(*wrong).encode(v["text"])
    elif life == "deleted":
        other = type(one)(models()[0])
        for name in dir(other):
            with suppress(*REFUSED):
                delattr(other, name)
        use(other, v["text"])
    elif life == "class":
        with suppress(*REFUSED):
            one.__class__ = type("Other", (), {})
        with suppress(*REFUSED):
            type(one).encode(nonsense, v["text"])
    elif life == "used by others":
        use(one, v["text"])


REFUSED = (AttributeError, TypeError, ValueError, IndexError, pickle.PicklingError)


def use(one: Any, text: Any) -> None:
    """Use a tokenizer that may be half made, in every possible way."""
    for way in (
        lambda: one.encode_batch([text], 2),
        lambda: one.encode_into(b"an", np.zeros(2, np.uint32)),
        lambda: one.count(text),
        lambda: one.split(text),
        lambda: one.decode(np.zeros(2, np.uint32)),
        lambda: pickle.dumps(one, 0),
        lambda: copy.copy(one),
        lambda: repr(one),
    ):
        with suppress(*REFUSED):
            way()


TOKENIZER = [
    Function("encode", "Tokenizer", make_encode, call("encode"), digest, tokenizer, weight=4),
    Function(
        "encode_into",
        "Tokenizer",
        make_encode_into,
        call("encode_into"),
        digest,
        tokenizer,
        weight=2,
    ),
    Function(
        "encode_batch", "Tokenizer", make_batch, call("encode_batch"), digest, tokenizer, weight=4
    ),
    Function("count", "Tokenizer", make_text, call("count"), digest, tokenizer),
    Function("split", "Tokenizer", make_text, call("split"), digest, tokenizer),
    Function("decode", "Tokenizer", make_decode, call("decode"), digest, tokenizer),
    Function("Tokenizer", "Tokenizer", make_model, construct, digest),
    Function("Tokenizer's life", "Tokenizer", make_life, live, digest),
]
