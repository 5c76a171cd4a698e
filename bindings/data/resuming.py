"""Resumable: the epoch of a stream, and the position in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from bindings.data.checks import check_least
from bindings.data.plan import EpochPlan, State
from bindings.data.shared import SharedArray


class Resumable(ABC):
    """Follows an `EpochPlan`, epoch by epoch, and can continue in the middle of one."""

    def __init__(self) -> None:
        self._epoch = SharedArray(np.zeros(1, np.int64))
        self._epoch.share()  # shared, so that running workers see the next epoch
        self._resume: Any = None  # the states to continue after
        self._state: State | None = None

    @abstractmethod
    def _new_plan(self) -> EpochPlan:
        """Return the plan of this share of the epoch, at its beginning."""

    @property
    def epoch(self) -> int:
        """The number of the epoch that iteration gives, from 0 on."""
        return int(self._epoch.array[0])

    def set_epoch(self, epoch: int) -> None:
        """Make the next iteration that of another epoch, in the workers of a DataLoader too."""
        check_least("epoch", epoch, 0)
        if epoch != self.epoch:
            self._epoch.array[0] = epoch
            self._resume = self._state = None

    def state_dict(self) -> State:
        """Return the position of this share: after the last batch that was returned."""
        return self._state or self._plan().state_dict()

    def load_state_dict(self, states: State | Iterable[State]) -> None:
        """Make the next iteration continue after `states`; see `EpochPlan.load_state_dict`.

        Args:
            states: the state of this share, or the states of all shares, that is of every rank and
                worker.
        """
        resume: Any = states if isinstance(states, Mapping) else list(states)
        before = self.epoch, self._resume, self._state
        first = resume if isinstance(states, Mapping) else next(iter(resume), None)
        try:
            if isinstance(first, Mapping) and "epoch" in first:
                self._epoch.array[0] = check_least("epoch", first["epoch"], 0)
            self._resume, self._state = resume, None
            self._plan()
        except BaseException:
            self._epoch.array[0], self._resume, self._state = before
            raise

    def _plan(self) -> EpochPlan:
        """Return the plan of this share, where it stands at the beginning of an iteration."""
        plan = self._new_plan()
        if self._resume is not None:
            plan.load_state_dict(self._resume)
        return plan
