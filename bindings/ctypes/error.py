"""The error of the C library's kernels."""

from __future__ import annotations

from ctypes import Structure, c_int64


class Error(Structure):
    """ck_error."""

    _fields_ = [
        (name, c_int64) for name in ("code", "offset", "record", "field", "expected", "actual")
    ]

    def values(self) -> tuple[int, ...]:
        """Return the six integers that ffi_cookbook.bindings.errors takes."""
        return tuple(getattr(self, name) for name, _ in self._fields_)
