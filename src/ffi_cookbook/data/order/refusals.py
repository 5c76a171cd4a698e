"""What a plan says about a state that it refuses: the argument or the file that differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_NAMED = 8  # files that a state names
_WORDS = {
    "window": "shuffle_window",
    "pad": "the batch_size of pad_last",
    "mixed": "weights or repeat (the sizes of the sources, what an epoch has of each):",
    "n": "the number of records",
    "tokens": "the number of tokens",
}
FOLLOWING = "n", "tokens"
"""The entries of a state that may differ only because of others; the most general one first."""


def listed(names: Sequence[str], counts: Sequence[int]) -> list[Any]:
    """Return the number of files, and name and count of up to 8 of them, for `refusal`."""
    some = {*np.linspace(0, len(names) - 1, min(_NAMED, len(names))).astype(int).tolist()}
    return [len(names), [[names[i], int(counts[i])] for i in sorted(some)]]


def refusal(name: str, state: Mapping[str, Any], own: Mapping[str, Any]) -> ValueError:
    """Return the error for a state that differs in an entry.

    Args:
        name: the entry.
        state: the state that is refused.
        own: what a plan would put into a state.
    """
    if name == "data":
        unit = "tokens" if "tokens" in own else "records"
        return ValueError(f"states: {_difference(state.get('files'), own.get('files'), unit)}")
    was, now = (f"{one[name]}" if name in one else "not given" for one in (state, own))
    return ValueError(f"states: {_WORDS.get(name, name)} was {was:.200}, and is {now:.200} here")


def _difference(was: Any, now: Any, unit: str) -> str:
    try:
        (n_was, some_was), (n_now, some_now) = was, now
        changed = [
            f"{name} had {count} {unit}, and has {count_now} here"
            for (name, count), (name_now, count_now) in zip(some_was, some_now, strict=False)
            if name == name_now and count != count_now
        ]
        names_was, names_now = _files(n_was, some_was), _files(n_now, some_now)
    except (TypeError, ValueError):  # a state of an earlier version, or none at all
        return "they are those of other files"
    if names_was != names_now:
        return f"the files were {names_was}, and are {names_now} here"
    return changed[0] if changed else f"the {unit} are others, though the files are {names_now}"


def _files(n: int, some: Sequence[Any]) -> str:
    names = ", ".join(str(name) for name, _ in some)
    return f"{n} files {names}" if n == len(some) else f"{n} files, some of them {names}"
