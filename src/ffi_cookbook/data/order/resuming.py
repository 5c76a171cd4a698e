"""Resumable: the epoch of a stream, and the position in it."""

from __future__ import annotations

import copy
import os
import secrets
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ffi_cookbook.bindings._glue.sharing import turn
from ffi_cookbook.data.order.checks import check_least
from ffi_cookbook.data.order.epochs import OF_WORKERS, Epochs
from ffi_cookbook.data.order.job import (
    base_seed,
    check_not_dealt_out,
    is_worker,
    rank_and_world,
    share_of_job,
    worker_and_workers,
)
from ffi_cookbook.data.order.plan import EpochPlan, State


@dataclass(eq=False)
class Position:
    """Where a pass stands."""

    state: State
    tag: int
    process: int = field(default_factory=os.getpid)


class Resumable(ABC):
    """Follows an `EpochPlan`, epoch by epoch, and can continue in the middle of one."""

    _batch_size: int
    _drop_last: bool
    _rank: tuple[int, int] | None

    def __init__(self) -> None:
        self._epochs = Epochs()
        self._resume: Any = None  # the states to continue after
        self._ended: Any = None  # the states that were loaded, if their epoch was at its end
        self._resumption = 0  # identifies them
        self._passes = 0  # of this process, if it is a worker
        self._begun: list[Position] = []  # of the passes that go on
        self._last: Position | None = None  # of the pass that has ended last
        self._left = -1  # the epoch of that pass, if it was broken off after its first batch

    @abstractmethod
    def _new_plan(self, epoch: int, share: dict[str, Any]) -> EpochPlan:
        """Return the plan of a share of an epoch, at its beginning.

        Args:
            share: rank, world, worker and workers, as `share_of_job` returns them.
        """

    @property
    def epoch(self) -> int:
        """The number of the epoch that the next iteration gives, from 0 on.

        It grows by one with the last batch of an epoch, in a DataLoader with that of all workers.
        """
        return self._epochs.read("epoch")

    @turn
    def set_epoch(self, epoch: int) -> None:
        """Make the next iteration that of another epoch, in the workers of a DataLoader too.

        Raises:
            RuntimeError: Accelerate is about to deal out the batches of one rank over all of them.
        """
        number = _checked_epoch(epoch)
        check_not_dealt_out(self, (self._rank or rank_and_world())[1])
        ended = self._ended if self._epochs.read("used") != self._resumption else None
        if ended is not None and number == _epoch_of(_first(ended)):
            self._resume = ended  # of that epoch, nothing is left
        elif number != self.epoch:
            self._resume = self._last = None
            self._begun.clear()
        if self._epochs.read("by_workers") >= 0:
            self._last = None  # an earlier pass, of this process
        self._ended, self._left = None, -1
        for position in self._begun:
            position.tag = 0  # that pass no longer counts
        self._epochs.set(number, self._resumption if self._resume is not None else 0)

    @turn
    def state_dict(self) -> State:
        """Return the position of this share: after the last batch that was returned.

        If several iterators go on at a time, it is that of the one that began first.
        Raise RuntimeError if workers of a DataLoader are in the middle of an epoch, and warn if
        they have read it to its end, since the loop may be behind them.
        """
        if not self._begun and not is_worker():
            self._check_workers()
        for position in (*self._begun, self._last):
            if position and position.process == os.getpid():
                return copy.deepcopy(position.state)
        return self._plan().state_dict()

    def _check_workers(self) -> None:
        """Raise or warn if workers have read last: only they know which batches they made."""
        epoch, own = self._epochs.read("by_workers"), self.epoch
        if epoch < 0:
            return
        self._last = None  # an earlier pass, of this process
        remedy = "use torchdata's StatefulDataLoader or num_workers=0"
        if epoch == own:
            raise RuntimeError(
                f"only the workers of the DataLoader know where they are in epoch {epoch}: {remedy}"
                f" for a state, or call set_epoch({epoch}) to begin the epoch again"
            )
        message = (
            f"the workers have read epoch {epoch} to its end, so this is the state of epoch {own}: "
            f"batches that the loop has not received would be lost. Within the loop, {remedy}; "
            f"after it, call set_epoch({own}) first"
        )
        warnings.warn(message, UserWarning, stacklevel=4)

    @turn
    def load_state_dict(self, states: State | Iterable[State]) -> None:
        """Make the next iteration continue after `states`; see `EpochPlan.load_state_dict`.

        States at the end of an epoch are the beginning of the next one.

        Args:
            states: the state of this share, or the states of all shares, that is of every rank and
                worker.
        """
        if not isinstance(states, Iterable):
            raise TypeError(f"states must be one state or several, not {type(states).__name__}")
        resume: Any = states if isinstance(states, Mapping) else list(states)
        first = _first(resume)
        knows = isinstance(first, Mapping) and "epoch" in first
        epoch = _epoch_of(first) if knows else self.epoch
        plan = self._new_plan(epoch, share_of_job(self._rank))
        plan.load_state_dict(resume)
        ended = plan.ended(self._batch_size, self._drop_last)
        self._begun.clear()
        self._last, self._ended, self._left = None, None, -1
        self._resume, self._resumption = resume, secrets.randbits(62) | 1
        if is_worker():
            self._resumption = OF_WORKERS
            self._epochs.load(self._tag(), epoch)
            if ended:  # counted now: torchdata begins no pass with the workers that it gives these
                self._epochs.finish(self._tag(), worker_and_workers()[1])
        elif ended:
            self._resume, self._ended = None, resume
            self._epochs.set(epoch + 1)
        else:
            self._epochs.set(epoch, self._resumption)

    @turn
    def _plan(self) -> EpochPlan:
        """Return the plan of this share, where it stands at the beginning of an iteration."""
        plan = self._new_plan(self.epoch, share_of_job(self._rank))
        if self._resume is not None and self._epochs.read("used") != self._resumption:
            plan.load_state_dict(self._resume)
        return plan

    @turn
    def _begin(self) -> tuple[EpochPlan, Position]:
        """Return the plan of a pass that begins, and its position. A loaded state holds for one."""
        tag = self._tag()
        self._passes += is_worker()
        epoch, resumes = self._epochs.begin(tag, self._resumption)
        plan = self._new_plan(epoch, share_of_job(self._rank))
        if resumes and self._resume is not None:
            plan.load_state_dict(self._resume)
            if is_worker() and plan.ended(self._batch_size, self._drop_last):
                tag = 0  # this share has been counted
        position = Position(plan.state_dict(), tag)
        self._begun.append(position)
        return plan, position

    def _finish(self, position: Position) -> None:
        """Note that a pass has returned its last batch."""
        self._epochs.finish(position.tag, worker_and_workers()[1] if is_worker() else 1)
        position.tag = 0
        self._leave(position)

    @turn
    def _leave(self, position: Position) -> None:
        """Note that a pass does not go on."""
        if position in self._begun:
            self._begun.remove(position)
            self._last, state = position, position.state
            broken_off = position.tag and state["taken"] > self._batch_size
            self._left = state["epoch"] if broken_off else -1

    def _tag(self) -> int:
        """Return a number of the next pass, which is the same in all workers of a DataLoader."""
        if not is_worker():
            return secrets.randbits(62)
        return hash((base_seed(), self._passes)) % 2**62 + 1

    def __copy__(self) -> Self:
        other = type(self).__new__(type(self))
        vars(other).update(vars(self), _epochs=copy.copy(self._epochs), _begun=[])
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_begun": [], "_last": None}


def _first(states: Any) -> Any:
    return states if isinstance(states, Mapping) else next(iter(states), None)


def _checked_epoch(epoch: int) -> int:
    number = check_least("epoch", epoch, 0)
    if number >= 2**63 - 1:
        raise ValueError(f"epoch must be less than 2**63 - 1, not {number}")
    return number


def _epoch_of(state: Mapping[str, Any]) -> int:
    """Return the epoch of a state, or raise ValueError if no `state_dict` has returned it."""
    try:
        return _checked_epoch(state["epoch"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"states: {error}") from None
