"""Folders and files that only this user can write to."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from pathlib import Path


def usable(where: Path) -> Path | None:
    """Return the folder if it is absent, or exists and belongs to this user alone."""
    if not where.is_absolute():
        reason = "is a relative path, and so another folder wherever a program starts"
    elif where.exists() and not is_private(where.stat()):
        reason = "belongs to another user, or others can write to it (chmod go-w)"
    else:
        return where
    warnings.warn(f"models are not cached: {where} {reason}", RuntimeWarning, stacklevel=2)
    return None


def is_private(status: os.stat_result) -> bool:
    """Return True if only this user can write to a file or folder."""
    if sys.platform == "win32":  # without such owners; the folder is in the user's own
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
