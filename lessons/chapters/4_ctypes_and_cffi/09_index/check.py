"""Files of random records, whole, cut, damaged, and read in parts."""

import struct

import numpy as np

from ffi_cookbook_lessons.cases import Made, Raises, call


def crc_of(value):
    """Return the CRC of one byte, without the initial value."""
    for _ in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value


TABLE = [crc_of(value) for value in range(256)]


def masked(data):
    """Return the masked CRC-32C of the data, as a frame stores it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def frame(data):
    """Return the frame of a record."""
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


def cases(draw):
    """Yield whole files, parts of files, damaged files, and unfit arrays."""

    def table(n, spans=()):
        filled = np.zeros((n, 2), np.int64)
        filled[: len(spans)] = np.array(spans, np.int64).reshape(-1, 2)
        return filled

    def state(*values):
        return np.array(values or (0, 0, 0, 0), np.int64)

    def ends(records):
        at = [0]
        for record in records:
            at.append(at[-1] + len(record) + 16)
        return at

    def spans_of(records, base=0):
        places = zip(ends(records)[:-1], records, strict=True)
        return [(base + start + 12, len(record)) for start, record in places]

    for kind in (bytes, bytearray, lambda data: np.frombuffer(data, np.uint8).copy()):
        sizes = [2000, *(draw.choice([0, 1, 3, 40, 300]) for _ in range(draw.randint(3, 9)))]
        records = [draw.data(size) for size in draw.sample(sizes, len(sizes))]
        n, data = len(records), kind(b"".join(map(frame, records)))
        after = (data, table(n + 2, spans_of(records)), state(0, len(data), n, n))
        says = f"index_records of {n} records"
        yield call("index_records", data, table(n + 2), state(), gives=n, after=after, says=says)

    base, done = draw.randint(100, 10**12), draw.randint(1, n - 1)
    start = ends(records)[done]
    rows = [(0, 0), *spans_of(records, base)[done:]]
    before, moved = state(base, start, 7, 1), state(base, len(data), 7 + n - done, n - done + 1)
    after = (data, table(n + 1, rows), moved)
    says, gives = "index_records from a cursor on", n - done + 1
    yield call("index_records", data, table(n + 1), before, gives=gives, after=after, says=says)

    after = (data, table(2, spans_of(records)[:2]), state(0, ends(records)[2], 2, 2))
    says = f"index_records with room for 2 of {n} records"
    yield call("index_records", data, table(2), state(), gives=2, after=after, says=says)

    cut = bytearray(bytes(data[:-1]))
    at = state(0, ends(records)[n - 1], n - 1, n - 1)
    after = (cut, table(n, spans_of(records)[:-1]), at)
    says = "index_records of a file that ends inside a record"
    refused = Raises(ValueError, f"record {n - 1} at byte {at[1]}")
    yield call("index_records", cut, table(n), state(), gives=refused, after=after, says=says)
    says += ", with final=False"
    after = (*after, True, False)
    options = (table(n), state(), True, False)
    yield call("index_records", cut, *options, gives=n - 1, after=after, says=says)

    bad = np.frombuffer(frame(b"one") + frame(b"two") + frame(b"three"), np.uint8).copy()
    bad[19 + 12] ^= 1 << draw.randint(0, 7)
    rows = [(12, 3), (31, 3), (50, 5)]
    after = (bad, table(3, rows[:1]), state(0, 19, 1, 1))
    says = "index_records of a file with a damaged record"
    refused = Raises(ValueError, "record 1 at byte 19")
    yield call("index_records", bad, table(3), state(), gives=refused, after=after, says=says)
    after = (bad, table(3, rows), state(0, len(bad), 3, 3), False)
    says += ", with verify=False"
    yield call("index_records", bad, table(3), state(), False, gives=3, after=after, says=says)

    file = frame(b"one")
    wrong = [
        (table(3).astype(np.uint64), state(), TypeError, "wrong-dtype", "spans of uint64"),
        (table(3), state().astype(float), TypeError, "wrong-dtype", "a cursor of float64"),
        ([[0, 0]], state(), TypeError, "no-exception", "a list for spans"),
        (table(3).reshape(2, 3), state(), ValueError, "no-exception", "spans of shape (2, 3)"),
        (table(3), state(0, 0, 0), ValueError, "no-exception", "a cursor of three items"),
        (Made("strided", (3,)), state(), ValueError, "not-contiguous", "spans with strides"),
        (Made("frozen", (3,)), state(), ValueError, "no-exception", "read-only spans"),
        (table(3), state(0, 99, 0, 0), ValueError, "no-exception", "a cursor behind the data"),
    ]
    for spans, cursor, kind, rule, what in wrong:
        says = f"index_records with {what}"
        refused = Raises(kind)
        yield call("index_records", file, spans, cursor, gives=refused, rule=rule, says=says)
    arguments = (file, table(3), state(), True, True, True)
    yield call("index_records", *arguments, gives=Raises(NotImplementedError))
