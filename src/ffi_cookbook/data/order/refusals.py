"""What a plan says about a state that it refuses: the argument or the file that differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_NAMED = 8  # files that a state names
_WORDS = {
    "pad": "the batch_size of pad_last",
    "mixed": "weights or repeat (the sizes of the sources, what an epoch has of each):",
    "n": "the number of records",
    "tokens": "the number of tokens",
}
FOLLOWING = "n", "tokens"
"""The entries of a state that may differ only because of others; the most general one first."""


def described(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return the number of files, and name and count of up to 8 of them, for `refusal`."""
    some = {*np.linspace(0, len(names) - 1, min(_NAMED, len(names))).astype(int).tolist()}
    words = ", ".join(f"{names[i]} ({counts[i]})" for i in sorted(some))
    return f"{len(names)} files{'' if len(some) == len(names) else ', among them'}: {words}"


def refusal(name: str, state: Mapping[str, Any], own: Mapping[str, Any]) -> ValueError:
    """Return the error for a state that differs in an entry.

    Args:
        name: the entry.
        state: the state that is refused.
        own: what a plan would put into a state.
    """
    if name == "data":
        unit = "tokens" if "tokens" in own else "records"
        was, now = str(state.get("files")), own["files"]
        if was == now:
            return ValueError(f"states: the {unit} are others, though the files are {now}")
        words = f"the files (with their {unit}) were {was:.500}, and are {now} here"
        return ValueError(f"states: {words}")
    was, now = (f"{one[name]}" if name in one else "not given" for one in (state, own))
    return ValueError(f"states: {_WORDS.get(name, name)} was {was:.200}, and is {now:.200} here")
