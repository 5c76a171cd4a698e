"""Find the rank and the worker number of this process, and how many of each there are."""

from __future__ import annotations

import os
import sys
from typing import Any


def rank_and_world() -> tuple[int, int]:
    """Return the rank of this process and the number of ranks.

    They are those of torch.distributed, if its process group is set up; otherwise what a launcher
    such as torchrun put into the variables RANK and WORLD_SIZE; otherwise 0 and 1.
    """
    distributed = sys.modules.get("torch.distributed")
    if distributed and distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    names = "RANK", "WORLD_SIZE"
    if not all(name in os.environ for name in names):
        return 0, 1
    values = [os.environ[name] for name in names]
    if not all(value.strip().isdecimal() for value in values):
        raise ValueError(f"the variables RANK and WORLD_SIZE must be integers, not {values}")
    rank, world = map(int, values)
    return rank, world


def worker_and_workers() -> tuple[int, int]:
    """Return the number of this worker of a torch DataLoader and how many there are, or 0 and 1."""
    info = _worker_info()
    return (info.id, info.num_workers) if info else (0, 1)


def is_worker() -> bool:
    """Return True in a worker process of a torch DataLoader."""
    return _worker_info() is not None


def base_seed() -> int:
    """Return the random number that the workers of one iterator of a DataLoader have in common."""
    info = _worker_info()
    return int(info.seed - info.id)


def check_not_dealt_out(stream: Any, world: int) -> None:
    """Raise RuntimeError if Accelerate deals out the batches of a stream, which it reads in a rank.

    Args:
        world: the number of ranks among which the stream itself divides its records.
    """
    accelerate = sys.modules.get("accelerate.data_loader")
    if world == 1 or accelerate is None:
        return
    loader = accelerate.GradientState().active_dataloader  # which sets the epoch, then begins
    part, deals = loader, isinstance(loader, accelerate.DataLoaderDispatcher)
    while part is not None and part is not stream:
        deals |= isinstance(part, accelerate.IterableDatasetShard)
        part = getattr(part, "dataset", None)
    if part is stream and deals:
        raise RuntimeError(
            "accelerator.prepare() must not be given the DataLoader of this stream: Accelerate "
            f"would hand out what one rank reads, 1/{world} of the records. The stream divides "
            "them among the ranks itself, so iterate over it, or over a DataLoader that is not "
            "prepared; or give the stream rank=0 and world=1."
        )


def _worker_info() -> Any:
    data = sys.modules.get("torch.utils.data")
    return data.get_worker_info() if data else None


def share_of_job(place: tuple[int, int] | None) -> dict[str, Any]:
    """Return rank, world, worker and workers, as an EpochPlan takes them.

    Args:
        place: the rank and the number of ranks, or None to find them.
    """
    rank, world = place or rank_and_world()
    worker, workers = worker_and_workers()
    return {"rank": rank, "world": world, "worker": worker, "workers": workers}


def register_as_iterable_dataset(cls: type) -> None:
    """Make a class an IterableDataset in the eyes of torch, if torch has been imported."""
    if data := sys.modules.get("torch.utils.data"):
        data.IterableDataset.register(cls)
