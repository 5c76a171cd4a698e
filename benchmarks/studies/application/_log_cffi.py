"""The declaration of the C function, from which cffi writes an extension module."""

import sys
from pathlib import Path

from cffi import FFI

ffi = FFI()
ffi.cdef("int64_t split_lines(const char *, int64_t, int64_t *, double *, int32_t *);")
ffi.set_source("_log_cffi", Path(__file__).with_name("flat.c").read_text("utf-8"))
ffi.emit_c_code(sys.argv[1])
