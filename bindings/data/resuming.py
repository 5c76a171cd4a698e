"""Resumable: the epoch of a stream, and the position in it."""

from __future__ import annotations

import copy
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from bindings.data.checks import check_least
from bindings.data.job import is_worker, worker_and_workers
from bindings.data.plan import EpochPlan, State
from bindings.data.shared import SharedArray

_EPOCH = 0
_MOST_WORKERS = 64


class Resumable(ABC):
    """Follows an `EpochPlan`, epoch by epoch, and can continue in the middle of one."""

    def __init__(self) -> None:
        self._share_with_workers(0)
        self._resume: Any = None  # the states to continue after
        self._resumption = 0  # identifies them
        self._state: State | None = None

    @abstractmethod
    def _new_plan(self) -> EpochPlan:
        """Return the plan of this share of the epoch, at its beginning."""

    @property
    def epoch(self) -> int:
        """The number of the epoch that iteration gives, from 0 on."""
        return int(self._shared.array[_EPOCH])

    def set_epoch(self, epoch: int) -> None:
        """Make the next iteration that of another epoch, in the workers of a DataLoader too."""
        number = _checked_epoch(epoch)
        if number != self.epoch:
            self._write_epoch(number)
            self._resume = self._state = None

    def state_dict(self) -> State:
        """Return the position of this share: after the last batch that was returned."""
        return copy.deepcopy(self._state) or self._plan().state_dict()

    def load_state_dict(self, states: State | Iterable[State]) -> None:
        """Make the next iteration continue after `states`; see `EpochPlan.load_state_dict`.

        Args:
            states: the state of this share, or the states of all shares, that is of every rank and
                worker.
        """
        if not isinstance(states, Iterable):
            raise TypeError(f"states must be one state or several, not {type(states).__name__}")
        resume: Any = states if isinstance(states, Mapping) else list(states)
        before = self.epoch, self._resume, self._state
        first = resume if isinstance(states, Mapping) else next(iter(resume), None)
        try:
            if isinstance(first, Mapping) and "epoch" in first:
                self._write_epoch(_epoch_of(first))
            self._resume, self._state = resume, None
            self._resumption = secrets.randbits(62)
            self._plan()
        except BaseException:
            epoch, self._resume, self._state = before
            self._write_epoch(epoch)
            raise

    def _plan(self) -> EpochPlan:
        """Return the plan of this share, where it stands at the beginning of an iteration."""
        plan = self._new_plan()
        if self._resume is not None and self._used_by_worker(plan) is not True:
            plan.load_state_dict(self._resume)
        return plan

    def _begin(self) -> EpochPlan:
        """Return the plan of an iteration that begins. A loaded state holds for one iteration."""
        plan = self._plan()
        if self._resume is not None and self._used_by_worker(plan) is False:
            self._shared.array[1 + worker_and_workers()[0]] = self._mark(plan)
        self._resume, self._state = None, plan.state_dict()
        return plan

    def _used_by_worker(self, plan: EpochPlan) -> bool | None:
        """Return whether this worker of an earlier pass continued after the states; None elsewhere.

        The main process, which starts the workers of every pass, has the states until the epoch
        changes.
        """
        worker, workers = worker_and_workers()
        if not is_worker() or workers > _MOST_WORKERS:
            return None
        return bool(self._shared.array[1 + worker] == self._mark(plan))

    def _mark(self, plan: EpochPlan) -> int:
        return self._resumption + int(plan.state_dict()["share"])

    def _share_with_workers(self, epoch: int) -> None:
        """Make memory that the workers see too: the epoch, and the resumption each has begun."""
        self._shared = SharedArray(np.zeros(1 + _MOST_WORKERS, np.int64))
        self._shared.share()
        self._shared.array[_EPOCH] = epoch

    def _write_epoch(self, epoch: int) -> None:
        """Set the epoch for this process and its workers, not for the other ranks of its parent."""
        if not self._shared.is_own:
            self._share_with_workers(epoch)
        self._shared.array[_EPOCH] = epoch

    def __copy__(self) -> Self:
        other = type(self).__new__(type(self))
        vars(other).update(vars(self))
        other._share_with_workers(self.epoch)
        return other

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._shared.share()


def _checked_epoch(epoch: int) -> int:
    number = check_least("epoch", epoch, 0)
    if number >= 2**63:
        raise ValueError(f"epoch must be less than 2**63, not {number}")
    return number


def _epoch_of(state: Mapping[str, Any]) -> int:
    """Return the epoch of a state, or raise ValueError if no `state_dict` has returned it."""
    try:
        return _checked_epoch(state["epoch"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"states: {error}") from None
