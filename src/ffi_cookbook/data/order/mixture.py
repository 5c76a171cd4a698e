"""Mixture: records of several data sets in fixed proportions."""

from __future__ import annotations

from collections.abc import Iterable

from ffi_cookbook.data.order.proportions import Proportions
from ffi_cookbook.data.records.dataset import RecordDataset


class Mixture:
    """Records of several data sets in fixed proportions, as the source of a RecordStream.

        mixture = Mixture([articles, code], weights=[3, 1])
        RecordStream(mixture, batch_size=256, shuffle=True)

    Every epoch has exactly `counts[i]` records of data set i, in random order if the stream
    shuffles, otherwise one data set after the other. Of a data set that is larger than its part,
    a shuffled epoch has a random choice.

    Args:
        datasets: with the same schema; the other options are those of the first.
        weights: how many records of each there are, in relation to the others. A float is
            taken as the short fraction that rounds to it: 0.7 is 7/10.
        repeat: False ends an epoch before any record comes twice, True when every record has come.

    Attributes:
        dataset: the records of all data sets, one after the other.
        proportions: which of them an epoch has.

    Raises:
        ValueError: an empty data set, or one with a weight so small that an epoch would have none
            of its records.
    """

    def __init__(
        self, datasets: Iterable[RecordDataset], weights: Iterable[float], *, repeat: bool = False
    ) -> None:
        parts, shares = list(datasets), list(weights)
        if not parts or len(parts) != len(shares):
            raise ValueError(f"weights must be one for each data set, not {len(shares)}")
        for part in parts:
            if not isinstance(part, RecordDataset):
                raise TypeError(f"datasets must be RecordDatasets, not {type(part).__name__}")
            if part.schema != parts[0].schema:
                raise ValueError("datasets must have the same schema")
            if not len(part):
                raise ValueError("datasets must not be empty")
        self.proportions = Proportions([len(part) for part in parts], shares, repeat)
        self.dataset = parts[0].joined(parts[1:])

    @property
    def counts(self) -> list[int]:
        """The number of records of each data set in an epoch."""
        return self.proportions.counts

    def __len__(self) -> int:
        return len(self.proportions)
