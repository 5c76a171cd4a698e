"""Every bit of a file of 64 KiB flipped, through every native binding: 524,288 damaged files.

Each flip is an error at the header or the data of its record, and costs that record alone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from backends import NATIVE
from test_records_resync import sixty_four_kib

import bindings
from bindings.errors import Code, RecordError


def main() -> None:
    """All bindings."""
    for name in NATIVE:
        print(f"{name}: {flip_all(bindings.load(name)):,} flips", flush=True)


def flip_all(binding: ModuleType) -> int:
    """How many flips were found."""
    file, spans = sixty_four_kib()
    expected = np.array(spans)
    expected[:, 0] -= 7  # its spans are of a file that lies behind seven bytes
    damaged = bytearray(file)
    found, cursor = np.zeros((len(spans) + 1, 2), np.int64), np.zeros(4, np.int64)
    flips = 0
    for number, (start, size) in enumerate(expected.tolist()):
        others = np.delete(expected, number, axis=0)
        for at in range(start - 12, start + size + 4):
            code, offset = (Code.LENGTH_CRC, start - 12) if at < start else (Code.DATA_CRC, start)
            for bit in range(8):
                damaged[at] ^= 1 << bit
                cursor[:] = 0
                try:
                    told = binding.index_records(damaged, found, cursor)
                except RecordError as error:
                    told = error.code, error.byte_offset, error.record
                wanted = code, offset, number
                assert told == wanted, f"{binding.__name__}: bit {bit} of byte {at}: {told}"
                cursor[:] = 0
                n = binding.index_records(damaged, found, cursor, True, True, True)
                assert np.array_equal(found[:n], others), f"{binding.__name__}: {bit} of {at}"
                damaged[at] ^= 1 << bit
                flips += 1
    return flips


if __name__ == "__main__":
    main()
