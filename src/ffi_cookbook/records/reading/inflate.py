"""The reading of gzip and zlib streams."""

from __future__ import annotations

import zlib
from typing import Any, Literal, TypeAlias

from ffi_cookbook.wire import is_header

Compression: TypeAlias = Literal["infer", "gzip", "zlib"] | None
"""Capitals are accepted too, and "" for None, as TensorFlow spells them."""

WINDOW_BITS = {"gzip": 31, "zlib": 15}  # zlib's numbers of the two formats

_OTHERS = {b"(\xb5/\xfd": "zstd", b"\4\x22M\x18": "lz4", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
"""The first bytes of files that are refused by name."""

_READ_SIZE = 1 << 17


class Inflate:
    """The decompressed bytes of a file; as in gzip, several streams may follow one another.

    A stream that ends too early raises EOFError, a damaged one zlib.error.
    """

    def __init__(self, head: bytes, file: Any, compression: Literal["gzip", "zlib"]) -> None:
        self._compressed, self._file = head, file
        self._window_bits = WINDOW_BITS[compression]
        self._stream: Any = None
        self._damage: zlib.error | None = None

    def readinto(self, buffer: memoryview, /) -> int:
        """Fill the front of a non-empty buffer, and return the number of bytes, 0 at the end."""
        while not self._damage:
            self._compressed = self._compressed or self._file.read(_READ_SIZE)
            at_end = not self._compressed
            if self._stream is None or self._stream.eof:
                if at_end:
                    return 0
                if self._stream is not None:
                    self._compressed = self._compressed.lstrip(b"\0")  # gzip files may be padded
                    if not self._compressed:
                        continue
                self._stream = zlib.decompressobj(self._window_bits)
            data = self._decompress(len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
            if at_end and not self._stream.eof:
                raise EOFError("the compressed stream ends too early")
        raise self._damage

    def _decompress(self, most: int) -> bytes:
        """Return up to `most` bytes, or the bytes before the damage, if there are any."""
        before = self._stream.copy()
        try:
            data: bytes = self._stream.decompress(self._compressed, most)
        except zlib.error as error:
            self._damage = error
            return _before_damage(before, self._compressed)
        self._compressed = self._stream.unconsumed_tail or self._stream.unused_data
        return data


def _before_damage(stream: Any, compressed: bytes) -> bytes:
    """Return the data of a stream up to its damage.

    zlib drops the output of a call that fails. So the byte at which it fails is approached in ever
    smaller steps, and then the output of that byte is taken one byte at a time.
    """
    data, at = bytearray(), 0
    for step in (4096, 64, 1):
        try:
            while True:
                before = stream.copy()
                data += stream.decompress(compressed[at : at + step])
                at += step
        except zlib.error:
            stream = before
    last = compressed[at : at + 1]
    try:
        while last:
            data += stream.decompress(last, 1)
            last = stream.unconsumed_tail
    except zlib.error:
        pass
    return bytes(data)


def checked(compression: Any, *others: str) -> Any:
    """Return a compression in lower case, and None for none.

    Args:
        others: what is accepted beside "gzip", "zlib" and None.

    Raises:
        ValueError: the compression is none of these.
    """
    known = *others, "gzip", "zlib"
    name = compression.lower() if isinstance(compression, str) else compression
    if name and name not in known:
        names = ", ".join(map(repr, known))
        raise ValueError(f"compression must be {names} or None, not {compression!r}")
    return name or None


def infer(
    head: bytes | memoryview, compression: Compression, name: str | None
) -> Literal["gzip", "zlib"] | None:
    """Return `compression`; for "infer" find it from the first bytes of the file `name`.

    A file whose first 8 bytes are followed by their CRC is a plain TFRecord file. Raise ValueError
    for a compression that cannot be read.
    """
    if compression != "infer":
        return compression
    head = bytes(head)
    if is_header(head):
        return None
    if head.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    for magic, other in _OTHERS.items():
        if head.startswith(magic):
            what = f"{name or '<buffer>'} is compressed ({other})"
            raise ValueError(f"{what}, and only gzip and zlib are read: decompress it first")
    return "zlib" if _is_zlib(head) and head[4:8] != bytes(4) else None


def _is_zlib(head: bytes) -> bool:
    """Return True if a zlib stream may begin with these bytes.

    They must be RFC 1950's CMF (8: deflate; a window of up to 32 KiB) and FLG (a check, and no
    preset dictionary), and then bytes that deflate accepts.
    """
    if len(head) < 2:
        return False
    method, window, preset = head[0] & 15, head[0] >> 4, head[1] & 0x20
    if method != 8 or window > 7 or preset or int.from_bytes(head[:2], "big") % 31:
        return False
    try:
        zlib.decompressobj().decompress(head)
    except zlib.error:
        return False
    return True
