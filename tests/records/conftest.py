"""The file of nine records, as most tests of this folder read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.nine_records import FILE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "nine.tfrecord"
    path.write_bytes(FILE)
    return path
