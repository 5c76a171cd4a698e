"""str, bytes and other buffers."""

from __future__ import annotations

from typing import Protocol

from bindings.protocol.arrays import Buffer


class Text(Protocol):
    """The patterns of bindings/<binding>/patterns/text."""

    def str_in(self, text: str, /) -> int:
        """Sum of the UTF-8 bytes of text."""

    def str_out(self) -> str:
        """A new str of the UTF-8 text that native code keeps: "hello world"."""

    def bytes_in(self, data: bytes, /) -> int:
        """Sum of the bytes."""

    def bytes_out(self) -> bytes:
        """New bytes, copied from memory that native code keeps: b"hello world"."""

    def bytes_map(self, data: bytes, /) -> bytes:
        """New bytes: every bit inverted, so that 0 becomes 255."""

    def buffer_in(self, data: Buffer, /) -> int:
        """Sum of the bytes of any C-contiguous buffer (bytes, bytearray, memoryview, array),
        borrowed for the call."""
