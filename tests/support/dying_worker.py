"""A collate function that kills a worker; in a module, so that spawned workers can import it."""

from __future__ import annotations

import os
import signal
from typing import Any

import torch

from ffi_cookbook.data import to_torch


def collate(batch: Any) -> Any:
    """Return the batch as tensors, but not in the second of the workers."""
    if torch.utils.data.get_worker_info().id == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return to_torch(batch)
