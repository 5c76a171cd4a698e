"""Models that lie, change, raise or call back, and things that are not models."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..acts import ODD, draw_act
from ..case import Case, Kind
from .hostile import Asked


class Proxy(Asked):
    """A model that answers one question with a lie, and all others as the true model does."""

    lies: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("case", "act", "value", "n_asked", "when", "lies"):
            raise AttributeError(name)  # its own, if the model is half made
        self.answer(name)
        return self.lies[name] if name in self.lies else getattr(self.value, name)

    def special_policy(self, allowed: Any, disallowed: Any) -> Any:
        self.answer("special_policy")
        if "special_policy" in self.lies:
            return self.lies["special_policy"]
        return self.value.special_policy(allowed, disallowed)


def _blob(case: Case, blob: Any) -> Any:
    how = case.rng.randrange(14)
    x = blob.copy()
    if how < 6:
        for _ in range(case.rng.choice((1, 1, 2, 9))):
            at = 4 * case.rng.randrange(48 if case.rng.random() < 0.3 else x.size // 4)
            number = case.rng.choice(ODD) & 0xFFFFFFFF
            case.say(f"blob[{at}] = {number:#x}")
            x[at : at + 4] = np.frombuffer(number.to_bytes(4, "little"), np.uint8)
        x = case.memory.place(x) if case.rng.random() < 0.3 else x
        x.setflags(write=case.rng.random() < 0.3)
        return x
    return [
        lambda: x,
        lambda: x[:-8],
        lambda: x[: 8 * case.rng.randrange(x.size // 8)],
        lambda: x.tobytes(),
        lambda: np.zeros(x.size + 8, np.uint8)[1 : x.size + 1],
        lambda: x.view(np.int64),
        lambda: None,
        lambda: x[::-1],
    ][how - 6]()


POLICIES = [
    b"",
    b"\0",
    b"\2" * 2,
    b"\7",
    b"\2" * 300,
    "x",
    None,
    5,
    bytearray(b"\2"),
    [2],
    memoryview(b"\2"),
]


def proxy(case: Case, model: Any) -> Any:
    name = case.rng.choice(
        ["blob", "blob", "blob", "special_names", "default_policy", "special_policy", ""]
    )
    lies = {
        "blob": lambda: _blob(case, model.blob),
        "special_names": lambda: case.rng.choice([(), ("x",) * 5, None, 5, [None], "ab"]),
        "default_policy": lambda: case.rng.choice(POLICIES),
        "special_policy": lambda: case.rng.choice(POLICIES),
    }
    act = draw_act(case)
    one = Proxy(case, act, model)
    one.lies = {name: lies[name]()} if name else {}
    case.say(f"says of {name or 'nothing'}: {str(one.lies.get(name))[:50]}")
    return one


def not_a_model(case: Case, model: Any) -> Any:
    return case.rng.choice(
        [None, 5, "model", type(model), object(), model.blob, type(model).__new__(type(model))]
    )


MODELS = [
    *[Kind("a model that lies or runs", proxy, lies=True)] * 6,
    Kind("not a model", not_a_model),
]
