"""Files in memory, decoded batch by batch into one arena: through a binding, and by a loop in C."""

from __future__ import annotations

import ctypes
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core.native import shared
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.records import Schema, read
from ffi_cookbook.records.columns.arena import Arena
from studies.study import Setting

BATCH = 4096
LOOPS = Path(__file__).with_name("loops.c")


class File:
    """A file, and an arena that fits each of its batches."""

    def __init__(self, data: bytes, schema: Schema) -> None:
        self.data, self.schema, self.records = data, schema, 0
        self.arena, self._cursor = Arena(schema, BATCH), np.zeros(4, np.int64)
        while not self.records:
            try:
                self.records = self.decode(ffi_cookbook.load("capi"))
            except RecordError as error:
                self.arena = self.arena.grown(error, 0)

    def decode(self, binding: ModuleType) -> int:
        """Decode through a binding, and return the number of records."""
        data, cursor, memory, table = self.data, self._cursor, self.arena.memory, self.arena.table
        names, size, function = self.schema.buffer, len(self.data), binding.decode_examples
        cursor[:] = 0
        while cursor[1] < size:
            cursor[3] = 0
            function(data, names, memory, table, cursor, BATCH)
        return int(cursor[2])

    def decode_in_c(self, folder: Path) -> None:
        """Decode by the loop in C."""
        arena, table, names = self.arena.memory, self.arena.table, self.schema.buffer
        n = loops(folder).decode(
            self.data,
            len(self.data),
            names,
            len(names),
            arena.ctypes.data,
            arena.size,
            table.ctypes.data,
            len(table),
            BATCH,
        )
        assert n == self.records, "the loop in C stopped at an error"

    def check(self, setting: Setting) -> None:
        """Note the bindings that decode the first full batch differently from plain Python."""
        head = self.data[: len(self.data) // self.records * BATCH]
        end = {"batch_size": BATCH // 2, "on_error": "resync"}  # the last record is cut
        wanted = pickle.dumps(list(read(head, self.schema, backend="python", **end)))
        for name, binding in setting.backends.items():
            got = pickle.dumps(list(read(head, self.schema, backend=binding, **end)))
            setting.right(name, got == wanted, "it decodes differently from plain Python")


def loops(folder: Path) -> Any:
    """Return the functions of loops.c, which call the kernels in the ctypes binding's library."""
    from ffi_cookbook.bindings.ctypes.library import lib

    kernels = Path(lib._name)
    link = (f"-I{ROOT / 'c_src'}", str(kernels), f"-Wl,-rpath,{kernels.parent}")
    made = ctypes.CDLL(str(shared(LOOPS, folder, "-O3", *link)))
    integer, address = ctypes.c_int64, ctypes.c_void_p
    made.decode.argtypes = (*(address, integer) * 4, integer)
    made.read_memory.argtypes = (address, integer)
    for function in (made.decode, made.read_memory):
        function.restype = integer
    return made
