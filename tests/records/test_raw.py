"""Payloads of records that may hold anything."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook import records
from ffi_cookbook.records import Position

PAYLOADS = [bytes([i]) * (i * 7 % 50) for i in range(40)]
FILE = b"".join(map(records.frame, PAYLOADS))


@pytest.mark.part("index_records", kernels=True)
def test_payloads(backend: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "events"
    path.write_bytes(gzip.compress(FILE))
    for source in (FILE, path, io.BytesIO(FILE), [path, FILE], tmp_path / "ev*"):
        for chunk_size in (37, 1 << 20):
            source = io.BytesIO(FILE) if isinstance(source, io.BytesIO) else source
            found = list(records.raw(source, backend=backend, chunk_size=chunk_size))
            assert found == PAYLOADS * (1 + isinstance(source, list))


@pytest.mark.part("index_records", kernels=True)
def test_reading_continues_from_a_position(backend: ModuleType) -> None:
    sources = [FILE, gzip.compress(FILE)]
    payloads = records.raw(sources, backend=backend, chunk_size=99)
    whole = PAYLOADS * 2
    assert payloads.end == Position()
    for i, payload in enumerate(payloads):
        assert payload == whole[i]
        if i % 9 == 0:
            saved = json.loads(json.dumps(payloads.end))
            assert saved[2] == i % 40 + 1
            assert list(records.raw(sources, start=saved, backend=backend)) == whole[i + 1 :]


@pytest.mark.part("index_records", kernels=True)
def test_policies(backend: ModuleType) -> None:
    damaged = bytearray(FILE)
    start, size = records.index(FILE)[5].tolist()
    damaged[start] ^= 1
    got: list[bytes] = []
    with pytest.raises(records.RecordError, match="record 5 at"):
        got.extend(records.raw(damaged, backend=backend))
    payloads = records.raw(damaged, backend=backend)
    assert [next(payloads) for _ in range(5)] == PAYLOADS[:5]
    report = records.Report()
    options: dict[str, Any] = {"on_error": "skip", "report": report, "backend": backend}
    assert list(records.raw(damaged, **options)) == PAYLOADS[:5] + PAYLOADS[6:]
    assert report.bytes_lost == size + 16
    cut = gzip.compress(FILE)[:-8]
    assert list(records.raw([cut, FILE], **options)) == PAYLOADS * 2
