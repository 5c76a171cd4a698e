"""Which record comes when: the order of an epoch, the shares in it, and where each one stands."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.checks import check_least
from ffi_cookbook.data.order.permutation import Permutation
from ffi_cookbook.data.order.progressions import Progressions
from ffi_cookbook.data.order.refusals import FOLLOWING, refusal

State: TypeAlias = dict[str, Any]
Part: TypeAlias = tuple[Int64Array, State]
"""The record numbers of a batch, ~number for one that only fills it up, and the state after it."""

_OF_SHARE = "share", "shares", "taken", "places"
_TOLD = "files"  # an entry of a state for the message of a plan that refuses it
_MOST_SHARES = 1 << 20
_BLOCK = 8192  # record numbers computed at a time, at least: about 50 ns each


class EpochPlan:
    """The records of one epoch that one share of a job reads, in order.

    Every record belongs to exactly one of world x workers shares, whose sizes differ by one at
    most. Nothing is stored for a record: the order is computed.

    Args:
        n: the number of records.
        seed, epoch: integers from 0 on, which determine the order.
        rank, world: this process among those of the job.
        worker, workers: this worker among those of the process.
        shuffle: False for the order of the files.
        order: a function from the places of the epoch to record numbers, instead of `shuffle`.
        about: what else the order depends on, for the state, as a value that JSON can hold.
        pad: fill up all shares to the same multiple of this number of records, with the first
            records of the epoch, for which `draw` gives ~number. 0 for none.
    """

    def __init__(
        self,
        n: int,
        *,
        seed: int = 0,
        epoch: int = 0,
        rank: int = 0,
        world: int = 1,
        worker: int = 0,
        workers: int = 1,
        shuffle: bool = True,
        order: Callable[[Int64Array], Int64Array] | None = None,
        about: Mapping[str, Any] | None = None,
        pad: int = 0,
    ) -> None:
        for name, value, of, count in (
            ("rank", rank, "world", world),
            ("worker", worker, "workers", workers),
        ):
            if not 0 <= value < count:
                raise ValueError(f"{name} must be between 0 and {of} - 1, not {value} of {count}")
        self._epoch: State = {
            "n": operator.index(n),
            "seed": operator.index(seed),
            "epoch": operator.index(epoch),
            "shuffle": bool(shuffle),
            **({"pad": pad} if pad else {}),
            **(about or {}),
        }
        if min(n, seed, epoch) < 0:
            raise ValueError(f"n, seed and epoch must be at least 0, not {n}, {seed}, {epoch}")
        self._share, self._shares = rank + world * worker, world * workers
        self._world, self._pad = world, pad
        self._order = order or (Permutation(n, seed, epoch) if shuffle else np.asarray)
        self._places, self._taken = Progressions([(0, 1, n)]), 0
        self._first, self._block = 0, np.empty(0, np.int64)
        self._loaded: dict[int, int] = {}  # what each share has taken of the places

    def __len__(self) -> int:
        """Return the number of records of this share that are still to come."""
        return self._size(self._share) - self._taken

    def draw(self, most: int) -> Int64Array:
        """Return the numbers of the next records of this share, at most `most` of them."""
        wanted = min(check_least("most", most, 0), len(self))
        start = self._taken - self._first
        if not 0 <= start <= start + wanted <= len(self._block):
            self._first, start = self._taken, 0
            self._block = self._numbers(_BLOCK + wanted - _BLOCK % max(wanted, 1))
        self._taken += wanted
        return self._block[start : start + wanted]

    def batches_left(self, size: int, drop_last: bool) -> int:
        """Return the number of batches of this share that are still to come.

        With `drop_last` it is the number of full batches that every share has, where all stand
        alike.
        """
        return self._batches_behind(self._share, self._taken, size, drop_last)

    def batches_of_ranks(self, size: int) -> tuple[int, int]:
        """Return the most and the fewest batches that a rank has still to come.

        They are those of the first and of the last rank, where all shares stand alike.
        """
        most, fewest = (
            sum(
                self._batches_behind(share, self._taken, size, False)
                for share in range(rank, self._shares, self._world)
            )
            for rank in (0, self._world - 1)
        )
        return most, fewest

    def ended(self, size: int, drop_last: bool) -> bool:
        """Return True if none of the shares whose states were loaded has a batch left."""
        loaded = self._loaded.items()
        return bool(loaded) and not any(
            self._batches_behind(share, taken, size, drop_last) for share, taken in loaded
        )

    def batches(self, size: int, n: int) -> Iterator[Part]:
        """Yield the next n batches of up to `size` records, with the states after them."""
        for _ in range(n):
            numbers = self.draw(size)
            yield numbers, self.state_dict()

    def state_dict(self) -> State:
        """Return where this share stands, as a dict that JSON can hold."""
        share = {"share": self._share, "shares": self._shares, "taken": self._taken}
        return {**self._epoch, **share, "places": [list(part) for part in self._places.parts]}

    def load_state_dict(self, states: State | Iterable[State]) -> None:
        """Continue after `states`: the state of this share, or the states of all shares of the job.

        Where the number of shares is the same, this share goes on where it stood. Otherwise the
        records that no share has taken are divided again; a share without a state has taken
        nothing.

        Raises:
            ValueError: states of another epoch, data set or order, or of different runs; a single
                state of several, which does not say what the other shares have taken; or a state
                that `state_dict` cannot have returned.
        """
        given = [states] if isinstance(states, Mapping) else list(states)
        if not given:
            raise ValueError("states must have the state of a share, not be empty")
        if not all(isinstance(state, Mapping) for state in given):
            raise TypeError("states must be what state_dict returned, or several of these")
        first = given[0]
        known = {name: None for name in [*self._epoch, *first] if name not in (*_OF_SHARE, _TOLD)}
        for name in sorted(known, key=lambda name: -(*FOLLOWING, name).index(name)):
            for state in given:
                if state.get(name) != self._epoch.get(name):
                    raise refusal(name, state, self._epoch)
        stands = [_checked(state, self._epoch["n"], self._pad) for state in given]
        _, shares, _, places = stands[0]
        if any((of, parts) != (shares, places) for _, of, _, parts in stands):
            raise ValueError("states must be those of one run, with the same shares and places")
        left = Progressions(places)
        if left.repeats():
            raise ValueError(f"states: places has a place twice: {places!s:.200}")
        taken = [0] * shares
        for share, _, n, _ in stands:
            taken[share] = max(taken[share], n)
        same = (shares, first["share"]) == (self._shares, self._share)
        if isinstance(states, Mapping) and shares > 1 and not same:
            raise ValueError(
                f"states: share {first['share']} of {shares} can go on only as that share; to go "
                f"on as share {self._share} of {self._shares}, pass the states of all"
            )
        if shares == self._shares:
            self._places, self._taken = left, taken[self._share]
        else:
            self._places, self._taken = left.rest(taken), 0
            taken = [0] * self._shares
        own = isinstance(states, Mapping)
        self._loaded = {self._share: self._taken} if own else dict(enumerate(taken))
        self._block = self._block[:0]

    def _batches_behind(self, share: int, taken: int, size: int, drop_last: bool) -> int:
        """Return the number of batches of a share that has taken `taken` records."""
        if drop_last:
            return max(len(self._places) // self._shares - taken, 0) // size
        return -(-max(self._size(share) - taken, 0) // size)

    def _size(self, share: int) -> int:
        """Return the number of records of a share, from its beginning."""
        return _size(len(self._places), share, self._shares, self._pad)

    def _numbers(self, most: int) -> Int64Array:
        """Return the numbers of the next `most` records, or of all if fewer are left."""
        end = min(self._taken + most, self._size(self._share))
        at = np.arange(self._taken, end, dtype=np.int64) * self._shares + self._share
        total = len(self._places)
        if not len(at) or at[-1] < total:
            return self._order(self._places.at(at))
        numbers = self._order(self._places.at(at % total))
        return np.where(at < total, numbers, ~numbers)


def records_of(numbers: Int64Array) -> Int64Array:
    """Return the record numbers of a Part, also of those that only fill it up."""
    return numbers ^ (numbers >> 63)


def _size(total: int, share: int, shares: int, pad: int) -> int:
    """Return the number of records of a share, of `total` places."""
    if not pad:
        return len(range(share, total, shares))
    return -(-total // (shares * pad)) * pad


def _checked(
    state: Mapping[str, Any], n: int, pad: int
) -> tuple[int, int, int, list[tuple[int, ...]]]:
    """Return share, shares, taken and places of a state in an epoch of n places.

    Raises:
        ValueError: no `state_dict` has returned this state.
    """
    try:
        share, shares, taken = (operator.index(state[name]) for name in _OF_SHARE[:3])
        places = [tuple(map(operator.index, part)) for part in state["places"]]
        right = all(
            start >= 0 < step <= n and count > 0 and start + step * (count - 1) < n
            for start, step, count in places
        )
        total = sum(count for _, _, count in places)
        right = right and total <= n and 0 <= share < shares <= _MOST_SHARES
        right = right and 0 <= taken <= _size(total, share, shares, pad)
    except (KeyError, TypeError, ValueError):
        right = False
    if not right:
        about = {name: state.get(name) for name in _OF_SHARE}
        raise ValueError(f"states: no share of an epoch of {n} places stands at {about!s:.200}")
    return share, shares, taken, places
