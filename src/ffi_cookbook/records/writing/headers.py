"""The heads of protobuf messages: the tag, with wire type 2 (bytes), and then the size."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

Around = Callable[[str, int], bytes]
"""Returns the bytes before a feature, given its name and size: `entry_head` or `step_head`."""


@lru_cache(8192)
def packed_head(around: Around, name: str, kind: int, size: int) -> bytes:
    """Return the bytes before a packed run or a single string: the heads of all messages around it.

    The records of a file have few different heads, so they are cached.
    """
    head = message_head(1, size)
    head = message_head(kind, len(head) + size) + head
    return around(name, len(head) + size) + head


def plain_name(name: object) -> str:
    """Return a name as a plain str: the `__eq__` of a subclass could mislead a cache."""
    if not isinstance(name, str):
        raise TypeError(f"a feature's name must be a str, not {type(name).__name__}")
    return str.__str__(name)


def entry_head(name: str, size: int) -> bytes:
    """Return the bytes before the value of an entry of a map."""
    head = message(1, name.encode()) + message_head(2, size)
    return message_head(1, len(head) + size) + head


def step_head(name: str, size: int) -> bytes:
    """Return the bytes before a step of a feature list."""
    return message_head(1, size)


def message(number: int, content: bytes) -> bytes:
    """Return a message as a field of another one."""
    return message_head(number, len(content)) + content


@lru_cache(8192)
def message_head(number: int, size: int) -> bytes:
    """Return the tag of the field and the varint of the size."""
    return bytes((number << 3 | 2,)) + varint(size)


@lru_cache(8192)
def varint(value: int) -> bytes:
    """Return the varint of an integer that is not negative."""
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
