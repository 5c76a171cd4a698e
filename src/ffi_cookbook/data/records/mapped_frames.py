"""Frames of picked records, copied from mapped files with few calls of the operating system.

    mapped files  --pwritev, 1024 frames a call-->  memory of this process  --gather_examples-->

Access to a page that its file has lost raises the signal SIGBUS, which ends the process. So nothing
here reads a mapped file. The frames are named to pwritev(2), which writes them to an anonymous file
in memory (memfd). Where a page is missing, the call ends early instead.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cache
from mmap import MADV_DONTNEED, MAP_SHARED, PROT_READ, mmap
from typing import Any

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.files import open_regular

_HEADER, _FOOTER = 12, 4
_MOST_FRAMES = 1024  # of a call: IOV_MAX
_MOST_BYTES = 64 << 20
_PAGES_OF_FAULT = 64 << 10  # bytes that become resident with a page that was not
_MOST_RESIDENT = 256 << 20
_MOST_MAPS = 16384  # a quarter of what Linux allows a process, whose threads need some too
_FAILED = 2**64 - 1  # MAP_FAILED

_addresses = set[int]()  # of all maps of this process


@cache
def _libc() -> Any:
    """Return the C library, or None where it cannot do what is needed."""
    if not hasattr(os, "memfd_create"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    size, pointer, number = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
    libc.mmap.argtypes = pointer, size, number, number, number, ctypes.c_int64
    libc.mmap.restype = pointer
    libc.munmap.argtypes = pointer, size
    libc.madvise.argtypes = pointer, size, number
    libc.pwritev.argtypes = number, pointer, number, ctypes.c_int64
    libc.pwritev.restype = ctypes.c_ssize_t
    return libc


class Scratch:
    """Memory that the operating system can write to: an anonymous file, and a map of it."""

    def __init__(self, size: int) -> None:
        self.number = os.memfd_create("frames")
        weakref.finalize(self, os.close, self.number)
        os.ftruncate(self.number, size)
        self.memory: Uint8Array = np.frombuffer(mmap(self.number, size), np.uint8)


class MappedFiles:
    """Files whose frames can be read in any order, by any number of threads.

    A file is mapped when it is first needed, and takes no file descriptor. Forked processes share
    the maps. The pages of large files are released again and again, so that about 256 MiB of them
    at most count as memory of the process. All objects together have 16,384 maps: later files are
    not mapped. No map is removed before its object, since a thread may be copying from it.

    There is no lock, which a fork might copy while it is held. Two threads that need a file at the
    same time both map it, which costs nothing but addresses.
    """

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        self._maps = np.zeros((len(paths), 2), np.int64)  # address and size, once it is mapped
        self._free, self._process, self._resident = list[Scratch](), os.getpid(), 0

    def read(self, spans: Int64Array) -> tuple[Scratch, Int64Array] | None:
        """Return memory that has these frames, and the offset and size of each record's data in it.

        The memory is the caller's until `release`. None is returned if the system is not Linux, if
        a file is not mapped or is too short, if the frames have more than 64 MiB, and if the
        system refuses the memory.

        Args:
            spans: (n, 3), the number of the file, offset and size of each record's data.
        """
        if not len(spans) or _libc() is None:
            return None
        numbers, offsets, sizes = np.ascontiguousarray(spans.T)
        maps = self._maps.take(numbers, axis=0)
        if not maps[:, 1].all():
            maps = self._mapped(np.unique(numbers[maps[:, 1] == 0]))[numbers]
        addresses, file_sizes = maps.T
        fit = sizes <= file_sizes - _FOOTER - offsets
        if not fit.all() or offsets.min() < _HEADER or sizes.min() < 0:
            return None
        lengths = sizes + (_HEADER + _FOOTER)
        ends = np.cumsum(lengths)
        if ends[-1] > _MOST_BYTES:
            return None
        try:
            scratch = self._scratch(int(ends[-1]))
        except OSError:  # such as a limit on the size of files (ulimit -f)
            return None
        if not self._copy(_joined(addresses + (offsets - _HEADER), lengths), scratch):
            return None
        places = np.empty((len(spans), 2), np.int64)
        places[:, 0], places[:, 1] = ends - (sizes + _FOOTER), sizes
        return scratch, places

    def release(self, scratch: Scratch) -> None:
        """Let the next `read` use this memory."""
        self._free.append(scratch)

    def _mapped(self, numbers: Int64Array) -> Int64Array:
        """Map these files, and return the address and size of every file, or a size of -1."""
        maps = self._maps.copy()
        for number in numbers.tolist():
            maps[number] = 0, -1
            if len(_addresses) >= _MOST_MAPS:
                continue
            try:
                with open_regular(self.paths[number], buffering=0) as file:
                    size = os.fstat(file.fileno()).st_size
                    address = _libc().mmap(None, size, PROT_READ, MAP_SHARED, file.fileno(), 0)
            except (OSError, ValueError):
                continue
            if address != _FAILED:
                maps[number] = address, size
                _addresses.add(address)
                weakref.finalize(self, _unmap, address, size)
        self._maps = maps
        return maps

    def _scratch(self, size: int) -> Scratch:
        if self._process != os.getpid():  # a fork must not write to the memory of its parent
            self._free, self._process = [], os.getpid()
        try:
            scratch = self._free.pop()
        except IndexError:  # not asked before: another thread may take the last one meanwhile
            return Scratch(1 << size.bit_length())
        return scratch if len(scratch.memory) >= size else Scratch(1 << size.bit_length())

    def _copy(self, frames: Int64Array, scratch: Scratch) -> bool:
        """Copy frames, given by address and length, and return True if all of them were there."""
        libc, done = _libc(), 0
        for start in range(0, len(frames), _MOST_FRAMES):
            some = frames[start : start + _MOST_FRAMES]
            n = libc.pwritev(scratch.number, some.ctypes.data, len(some), done)
            if n != some[:, 1].sum():
                return False
            done += n
        self._resident += done + len(frames) * _PAGES_OF_FAULT
        if self._resident > _MOST_RESIDENT < self._maps[:, 1].sum():
            self._resident = 0
            for address, size in self._maps.tolist():
                if size > 0:
                    libc.madvise(address, size, MADV_DONTNEED)
        return True


def _unmap(address: int, size: int) -> None:
    _addresses.discard(address)  # first, since another thread's map may take the address at once
    _libc().munmap(address, size)


def _joined(addresses: Int64Array, lengths: Int64Array) -> Int64Array:
    """Return (address, length) of the frames, with adjacent frames joined into one."""
    ends = addresses + lengths
    first = np.flatnonzero(np.append(True, addresses[1:] != ends[:-1]))
    return np.stack([addresses[first], np.add.reduceat(lengths, first)], axis=1)
