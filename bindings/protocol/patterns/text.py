"""str, bytes and other buffers."""

from __future__ import annotations

from typing import Protocol

from ffi_cookbook.bindings.protocol.arrays import Buffer


class Text(Protocol):
    """The patterns of bindings/<binding>/patterns/text."""

    def str_in(self, text: str, /) -> int:
        """Return the sum of the UTF-8 bytes of text."""

    def str_out(self) -> str:
        """Return a new str of UTF-8 text that native code owns: "hello world"."""

    def bytes_in(self, data: bytes, /) -> int:
        """Return the sum of the bytes."""

    def bytes_out(self) -> bytes:
        """Return new bytes, copied from memory that native code owns: b"hello world"."""

    def bytes_map(self, data: bytes, /) -> bytes:
        """Return new bytes with every bit inverted, so that 0 becomes 255."""

    def buffer_in(self, data: Buffer, /) -> int:
        """Return the sum of the bytes of any C-contiguous buffer, borrowed for the call.

        The buffer may be bytes, a bytearray, a memoryview or an array.
        """
