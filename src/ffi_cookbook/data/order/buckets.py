"""BucketPlan: batches of records of similar size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array
from ffi_cookbook.data.order.permutation import Permutation
from ffi_cookbook.data.order.plan import EpochPlan, Part, order_of, records_of


class BucketPlan(EpochPlan):
    """A plan whose units are batches, each of records of similar size.

    Args:
        n, order, about: as for an EpochPlan of the records.
        batch_size, together, sizes: as for `Buckets`.
        drop_last: leave out the last batch of the epoch if it is smaller.
        pad: fill up the last batch, and give every share the same number of them.
        share: rank, world, worker and workers, as for an EpochPlan.
    """

    def __init__(
        self,
        n: int,
        sizes: Callable[[Int64Array], Int64Array],
        *,
        batch_size: int,
        together: int,
        drop_last: bool,
        pad: bool = False,
        seed: int,
        epoch: int,
        shuffle: bool,
        order: Callable[[Int64Array], Int64Array] | None = None,
        about: Mapping[str, Any] | None = None,
        **share: int,
    ) -> None:
        records = n - n % batch_size if drop_last else n
        order = order or order_of(n, seed, epoch, shuffle)
        key = (seed, epoch) if shuffle else ()
        self._buckets = Buckets(records, batch_size, together, order, sizes, key)
        units = {"together": together, "batch_size": batch_size, "records": records}
        self._full = batch_size if pad else 0
        super().__init__(
            len(self._buckets),
            seed=seed,
            epoch=epoch,
            shuffle=shuffle,
            order=np.asarray,
            about={**(about or {}), **units},
            pad=int(pad),
            **share,
        )

    def batches_left(self, size: int, drop_last: bool) -> int:
        """Return the number of batches that are left."""
        return super().batches_left(1, drop_last)

    def batches_of_ranks(self, size: int) -> tuple[int, int]:
        """Return the most and the fewest batches that a rank has still to come."""
        return super().batches_of_ranks(1)

    def ended(self, size: int, drop_last: bool) -> bool:
        """Return True if none of the shares whose states were loaded has a batch left."""
        return super().ended(1, drop_last)

    def batches(self, size: int, n: int) -> Iterator[Part]:
        """Yield the next n batches, with the states after them."""
        for number, state in super().batches(1, n):
            numbers = self._buckets[int(records_of(number)[0])]
            if number[0] < 0:
                numbers = ~numbers
            if len(numbers) < self._full:
                more = np.resize(records_of(numbers), self._full - len(numbers))
                numbers = np.concatenate([numbers, ~more])
            yield numbers, state


class Buckets:
    """The batches of an epoch by number, each of records of similar size.

    The records of `together` batches, in the order of the epoch, are sorted by size and cut into
    batches. If the epoch is shuffled, so is the order of these batches.

        in order    3 9 2 8 1 7 | 4 6 ...
        sorted      1 2 | 3 7 | 8 9 | 4 6 ...
        batches     8 9 | 1 2 | 3 7 | ...

    Args:
        n: the number of records of the epoch; the last batch has what is left.
        order: a function from the places of the epoch to record numbers.
        sizes: a function from record numbers to sizes.
        key: seed and epoch, or nothing if the epoch is not shuffled.
    """

    def __init__(
        self,
        n: int,
        batch_size: int,
        together: int,
        order: Callable[[Int64Array], Int64Array],
        sizes: Callable[[Int64Array], Int64Array],
        key: tuple[int, ...],
    ) -> None:
        self._n, self._batch_size, self._together = n, batch_size, together
        self._order, self._sizes, self._key = order, sizes, key
        self._sorted: tuple[int, Int64Array] = -1, np.empty(0, np.int64)

    def __len__(self) -> int:
        return -(-self._n // self._batch_size)

    def __getitem__(self, number: int) -> Int64Array:
        """Return the record numbers of a batch."""
        group, slot = divmod(number, self._together)
        if self._sorted[0] != group:
            self._sorted = group, self._numbers(group)
        numbers = self._sorted[1]
        full = len(numbers) // self._batch_size
        if self._key and slot < full:  # if the last batch is smaller, it remains the last
            slot = int(Permutation(full, *self._key, group)(np.array([slot]))[0])
        return numbers[slot * self._batch_size : (slot + 1) * self._batch_size]

    def _numbers(self, group: int) -> Int64Array:
        records = self._together * self._batch_size
        places = np.arange(group * records, min((group + 1) * records, self._n))
        numbers = self._order(places)
        return numbers[np.argsort(self._sizes(numbers), kind="stable")]
