"""Flip every bit of a file of 64 KiB through every native binding: 524,288 damaged files.

Each flip is an error in the header or the data of its record, and only that record is lost.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

import ffi_cookbook
from ffi_cookbook.bindings.errors import Code, RecordError
from support.backends import NATIVE
from support.nine_records import sixty_four_kib


def main() -> None:
    """Run all bindings."""
    for name in NATIVE:
        print(f"{name}: {flip_all(ffi_cookbook.load(name)):,} flips", flush=True)


def flip_all(binding: ModuleType) -> int:
    """Return the number of flips that were found."""
    file, spans = sixty_four_kib()
    expected = np.array(spans)
    expected[:, 0] -= 7  # its spans are of a file that starts after seven bytes
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
                    reported = binding.index_records(damaged, found, cursor)
                except RecordError as error:
                    reported = error.code, error.byte_offset, error.record
                wanted = code, offset, number
                assert reported == wanted, f"{binding.__name__}: bit {bit} of byte {at}: {reported}"
                cursor[:] = 0
                n = binding.index_records(damaged, found, cursor, True, True, True)
                assert np.array_equal(found[:n], others), f"{binding.__name__}: {bit} of {at}"
                damaged[at] ^= 1 << bit
                flips += 1
    return flips


if __name__ == "__main__":
    main()
