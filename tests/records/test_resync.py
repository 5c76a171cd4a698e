"""Only the damaged records are lost, in every binding."""

from __future__ import annotations

import io
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError
from support.backends import binding
from support.nine_records import EXPECTED, FILE, SCHEMA, STARTS, plain, sixty_four_kib

Outcome = tuple[list[list[int]], list[int]]

pytestmark = pytest.mark.part("decode_examples", kernels=True)
ENDS = [*STARTS[1:], len(FILE)]


def good_spans(backend: ModuleType, file: bytes, final: bool = True) -> Outcome:
    """Return the spans that `index_records` recovers, and its cursor."""
    spans, cursor = np.zeros((len(file) // 16 + 1, 2), np.int64), np.array([7, 0, 3, 0])
    n = backend.index_records(file, spans, cursor, False, final, True)
    return spans[:n].tolist(), cursor.tolist()


# ---- one record is lost -----------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True, native=True)
def test_flipped_bits_cost_one_record_each(backend: ModuleType) -> None:
    """This is a sample: tests/c and rust_src/tests flip all 524,288 bits."""
    file, spans = sixty_four_kib()
    assert len(file) == 65536
    assert good_spans(backend, file) == (spans, [7, 65536, 3 + len(spans), len(spans)])
    rng, damaged = random.Random(5), bytearray(file)
    for _ in range(3000):
        at, bit = rng.randrange(65536), 1 << rng.randrange(8)
        damaged[at] ^= bit
        others = [span for span in spans if not span[0] - 12 <= at + 7 < sum(span) + 4]
        assert len(others) == len(spans) - 1
        assert good_spans(backend, damaged)[0] == others
        damaged[at] ^= bit


# ---- agreement with the reference -------------------------------------------------------------


def mutations() -> list[bytes]:
    """Yield files with various kinds of damage."""
    rng = random.Random(2)
    nested = records.frame(FILE)
    cases = [FILE[:size] for size in range(0, len(FILE), 7)]
    for _ in range(150):
        file = bytearray(rng.choice([FILE, nested, FILE + nested, nested + FILE]))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(file))
            how = rng.randrange(4)
            if how == 0:
                file[at] ^= 1 << rng.randrange(8)
            elif how == 1:
                del file[at : at + rng.randrange(60)]
            elif how == 2:
                file[at:at] = rng.randbytes(rng.randrange(60))
            else:
                file[at : at + 30] = bytes(30)
        cases.append(bytes(file))
    return cases


@cache
def expected(final: bool) -> list[tuple[bytes, Outcome]]:
    reference = binding("python")
    return [(file, good_spans(reference, file, final)) for file in mutations()]


@pytest.mark.part("index_records")
@pytest.mark.parametrize("final", [True, False])
def test_every_backend_recovers_the_same(backend: ModuleType, final: bool) -> None:
    for file, outcome in expected(final):
        assert good_spans(backend, file, final) == outcome


# ---- reading ----------------------------------------------------------------------------------


def damage(*flips: int) -> bytes:
    file = bytearray(FILE)
    for flip in flips:
        file[flip] ^= 0x10
    return bytes(file)


@pytest.mark.parametrize("chunk_size", [40, 1 << 20])
def test_reading_goes_on_and_reports(backend: ModuleType, chunk_size: int) -> None:
    bad = {0: Code.LENGTH_CRC, 3: Code.DATA_CRC, 4: Code.DATA_CRC, 8: Code.LENGTH_CRC}
    where = {Code.LENGTH_CRC: 1, Code.DATA_CRC: 20}
    file = damage(*(STARTS[i] + where[code] for i, code in bad.items()))
    report = records.Report()
    options: dict[str, Any] = {"backend": backend, "chunk_size": chunk_size, "batch_size": 3}
    source = io.BytesIO(file)
    read = records.read(source, SCHEMA, on_error="resync", report=report, **options)
    assert plain(read) == [row for i, row in enumerate(EXPECTED) if i not in bad]
    assert [loss[:2] for loss in report.losses] == [(STARTS[i], ENDS[i]) for i in bad]
    assert [(loss.error.record, loss.error.code) for loss in report.losses] == list(bad.items())
    assert report.count == 4
    assert report.bytes_lost == sum(ENDS[i] - STARTS[i] for i in bad)
    assert str(report).endswith("2 LENGTH_CRC, 2 DATA_CRC")
    with pytest.raises(RecordError) as caught:
        list(records.read(file, SCHEMA, on_error="skip", **options))
    assert (caught.value.code, caught.value.byte_offset) == (Code.LENGTH_CRC, 0)


def test_a_report_is_bounded() -> None:
    report = records.Report(limit=3)
    file = damage(*(start + 20 for start in STARTS))
    assert list(records.read(file, SCHEMA, on_error="resync", report=report)) == []
    assert (len(report.losses), report.count, report.bytes_lost) == (3, 9, len(FILE))


def test_bad_contents_cost_a_record_too() -> None:
    """Both CRCs are right, so nothing is searched."""
    odd = records.frame(b"\x0f")  # a wire type that does not exist
    report = records.Report()
    file = FILE[: STARTS[2]] + odd + FILE[STARTS[2] :]
    read = records.read(file, SCHEMA, on_error="resync", report=report)
    assert plain(read) == EXPECTED
    assert [loss[:2] for loss in report.losses] == [(STARTS[2], STARTS[2] + len(odd))]
    assert report.losses[0].error.code == Code.WIRE_TYPE


def test_a_hole_costs_the_records_around_it(tmp_path: Path) -> None:
    """If bytes are missing, the record that begins before the hole ends within the next one."""
    path = tmp_path / "hole"
    path.write_bytes(FILE[: STARTS[4] + 30] + FILE[STARTS[4] + 40 :])
    report = records.Report()
    read = records.read(path, SCHEMA, on_error="resync", report=report)
    assert plain(read) == EXPECTED[:4] + EXPECTED[5:]
    assert [loss[:2] for loss in report.losses] == [(STARTS[4], STARTS[5] - 10)]
    assert report.losses[0].error.path == str(path)


def test_a_stored_file_is_not_unpacked() -> None:
    """A record that holds records is one record, even if its data is damaged."""
    nested = bytearray(records.frame(FILE))
    nested[12 + STARTS[3] + 20] ^= 1
    tail = records.frame(b"tail")
    spans, _ = good_spans(binding("capi"), bytes(nested) + tail)
    assert spans == [[7 + len(nested) + 12, 4]]


# ---- index ------------------------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True)
def test_index_recovers(backend: ModuleType) -> None:
    file = damage(STARTS[2] + 3, STARTS[7] + 20)
    spans = records.index(FILE, backend=backend)
    for chunk_size in (33, 1 << 20):
        report = records.Report()
        options: dict[str, Any] = {"on_error": "resync", "chunk_size": chunk_size}
        found = records.index(io.BytesIO(file), backend=backend, report=report, **options)
        assert found.tolist() == np.delete(spans, [2, 7], 0).tolist()
        assert [loss.start for loss in report.losses] == [STARTS[2], STARTS[7]]
