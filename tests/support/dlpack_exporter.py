"""A DLPack tensor made by hand, which may be invalid and counts how often it is freed."""

from __future__ import annotations

import ctypes
from typing import Any

CPU, CUDA = 1, 2
FLOAT = 2
# Types of our own: the attributes of ctypes.pythonapi are shared, and dill changes these types.
new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))
is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", ctypes.pythonapi)
)
Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
alive: list[Exporter] = []  # never freed: native code has their addresses


class Tensor(ctypes.Structure):
    """DLManagedTensor, of DLPack before 1.0, with its DLTensor inlined."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
    ]


class Exporter:
    """An exporter of `values`, in the same capsule each time."""

    def __init__(
        self,
        values: list[float],
        shape: tuple[int, ...] | None = None,
        strides: tuple[int, ...] | None = None,
        **fields: int,
    ) -> None:
        self.freed = 0
        self._data = (ctypes.c_double * len(values))(*values)
        shape = (len(values),) if shape is None else shape
        self._shape = (ctypes.c_int64 * len(shape))(*shape)
        self._strides = strides and (ctypes.c_int64 * len(strides))(*strides)
        self._tensor = Tensor(
            data=ctypes.addressof(self._data),
            device=CPU,
            ndim=len(shape),
            code=FLOAT,
            bits=64,
            lanes=1,
            shape=self._shape,
            strides=self._strides or None,
            deleter=Deleter(self._free),
        )
        for name, value in fields.items():
            setattr(self._tensor, name, value)
        alive.append(self)
        self._destructor = Destructor(self._destroy)
        self.capsule: Any = new_capsule(
            ctypes.addressof(self._tensor), b"dltensor", self._destructor
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._tensor.device, 0

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def _free(self, _tensor: int) -> None:
        self.freed += 1

    def _destroy(self, capsule: int) -> None:
        if is_valid(capsule, b"dltensor"):  # nobody took the tensor over
            self.freed += 1
