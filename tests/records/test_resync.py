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
from ffi_cookbook.wire import crc32c, header, masked
from support.backends import binding
from support.nine_records import EXPECTED, FILE, SCHEMA, STARTS, damaged, plain
from support.processes import run_in_child

Outcome = tuple[list[list[int]], list[int]]

pytestmark = pytest.mark.part("decode_examples", kernels=True)
ENDS = [*STARTS[1:], len(FILE)]


def good_spans(backend: ModuleType, file: bytes) -> Outcome:
    """Return the spans that `index_records` recovers, and its cursor."""
    spans, cursor = np.zeros((len(file) // 16 + 1, 2), np.int64), np.array([7, 0, 3, 0])
    n = backend.index_records(file, spans, cursor, False, True, True)
    return spans[:n].tolist(), cursor.tolist()


def sixty_four_kib() -> tuple[bytes, list[list[int]]]:
    """Return a file of 64 KiB of framed records, and the span of each."""
    rng = random.Random(11)
    parts, spans, at = [], [], 0
    while at < 65536:
        size = min(rng.choice([0, 1, 30, 265, 265, 265, 4000]), 65536 - at - 16)
        size += 65536 - at - 16 - size if 65536 - at - 16 - size < 16 else 0
        parts.append(records.frame(rng.randbytes(size)))
        spans.append([7 + at + 12, size])
        at += size + 16
    return b"".join(parts), spans


# ---- one record is lost -----------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True, native=True)
def test_flipped_bits_cost_one_record_each(backend: ModuleType) -> None:
    """This is a sample: rust_src/tests flips all 524,288 bits."""
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


# ---- reading ----------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk_size", [40, 1 << 20])
def test_reading_goes_on_and_reports(backend: ModuleType, chunk_size: int) -> None:
    bad = {0: Code.LENGTH_CRC, 3: Code.DATA_CRC, 4: Code.DATA_CRC, 8: Code.LENGTH_CRC}
    where = {Code.LENGTH_CRC: 1, Code.DATA_CRC: 20}
    file = damaged(*(STARTS[i] + where[code] for i, code in bad.items()))
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
    file = damaged(*(start + 20 for start in STARTS))
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


# ---- Recovery from forged headers finds the same records as a literal reading of the rules.


Found = tuple[list[list[int]], int]


def by_the_rules(data: bytes, final: bool) -> Found:
    """Return the spans and the cursor by docs/records.md, RESYNC, with every claim summed anew."""

    def is_header(at: int) -> bool:
        return header(int.from_bytes(data[at : at + 8], "little")) == data[at : at + 12]

    spans: list[list[int]] = []
    at = 0
    while at < len(data):
        if len(data) - at < 12 and not final:
            break
        if len(data) - at < 12 or not is_header(at):
            at += 1
            continue
        size = int.from_bytes(data[at : at + 8], "little")
        end = at + 16 + size
        if end > len(data):
            if not final and size <= 2**63 - 1 - 16:
                break
            at += 1
            continue
        if masked(crc32c(data[at + 12 : end - 4])) == data[end - 4 : end]:
            spans.append([at + 12, size])
            at = end
        elif len(data) - end < 12 and not final:
            break
        else:
            follows = end == len(data) or (len(data) - end >= 12 and is_header(end))
            at = end if follows else at + 1
    return spans, at


# ---- files ------------------------------------------------------------------------------------


def forged(rng: random.Random) -> bytes:
    """Return records among forged headers that claim too little, too much, or beyond the end."""
    parts: list[bytes] = []
    for _ in range(rng.choice([3, 10, 60])):
        kind, size = rng.randrange(7), rng.choice([0, 1, 5, 255, 256, 257, 700, 3000])
        if kind < 2:
            parts.append(records.frame(rng.randbytes(size)))
        elif kind < 4:
            parts.append(header(rng.choice([size, rng.randrange(20000), 2**40, 2**63, 2**64 - 1])))
        elif kind == 4:
            parts.append(header(size) + rng.randbytes(size + 4))  # the payload is damaged
        elif kind == 5:
            inner = records.frame(rng.randbytes(size)) + header(rng.randrange(2000))
            parts.append(records.frame(inner * 2))
        else:
            parts.append(rng.randbytes(rng.randrange(40)))
    data = bytearray(b"".join(parts))
    for _ in range(rng.randrange(3) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


@cache
def files_and_spans(final: bool) -> list[tuple[bytes, Found]]:
    rng = random.Random(3)
    files = [forged(rng) for _ in range(60)]
    return [(data, by_the_rules(data, final)) for data in files]


@pytest.mark.part("index_records", kernels=True)
@pytest.mark.parametrize("final", [True, False])
def test_it_finds_what_the_rules_find(backend: ModuleType, final: bool) -> None:
    for data, (spans, end) in files_and_spans(final):
        found, cursor = np.zeros((len(data) // 16 + 1, 2), np.int64), np.zeros(4, np.int64)
        n = backend.index_records(data, found, cursor, True, final, True)
        assert found[:n].tolist() == spans
        assert cursor.tolist() == [0, end, n, n]


def sources(data: bytes) -> list[tuple[Any, int]]:
    """Yield the sources that the bytes can be read from, with several sizes of chunks."""
    return [(data, 1 << 20), (io.BytesIO(data), 13), (io.BytesIO(data), 700)]


def test_a_reader_finds_the_same() -> None:
    """Neither the size of chunks nor the reading of the contents matters."""
    for data, (spans, _) in files_and_spans(True):
        payloads = [data[start : start + size] for start, size in spans]
        for i, (source, chunk_size) in enumerate(sources(data)):
            options: dict[str, Any] = {"on_error": "resync", "chunk_size": chunk_size}
            report = records.Report()
            assert records.index(source, report=report, **options).tolist() == spans
            gaps = sum(loss.end - loss.start for loss in report.losses)
            assert gaps == report.bytes_lost == len(data) - sum(16 + size for _, size in spans)
            assert list(records.raw(sources(data)[i][0], **options)) == payloads


# ---- cost -------------------------------------------------------------------------------------


@pytest.mark.part("index_records", kernels=True, native=True)
@pytest.mark.parametrize("chunk_size", [4096, 1 << 20])
def test_megabytes_of_forged_headers_do_not_hang(backend: ModuleType, chunk_size: int) -> None:
    """Each claims half of the file, with many others: summing every claim would take minutes."""
    size = 3_000_001
    source = f"""
import io
from ffi_cookbook import records
source = io.BytesIO({header(size)!r} * 500_000 + bytes({size + 16}))
assert not len(records.index(source, backend=k, on_error="resync", chunk_size={chunk_size}))
"""
    run_in_child(backend, [source], seconds=100)


@pytest.mark.part("index_records", kernels=True)
def test_a_long_search_comes_back(backend: ModuleType) -> None:
    """A call steps over 2^24 bytes one by one and returns, so that Ctrl-C has an effect."""
    if backend is binding("python"):
        return  # it runs bytecode throughout, and would take a minute
    data, spans = bytes(17 << 20) + records.frame(b"end"), np.zeros((1, 2), np.int64)
    cursor = np.zeros(4, np.int64)
    assert backend.index_records(data, spans, cursor, True, True, True) == 0
    assert cursor.tolist() == [0, 1 << 24, 0, 0]
    assert backend.index_records(data, spans, cursor, True, True, True) == 1
    assert spans.tolist() == [[(17 << 20) + 12, 3]]
    assert len(records.index(data, backend=backend, on_error="resync")) == 1
