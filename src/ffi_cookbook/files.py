"""Files that appear under their names when they are complete.

A file is written under a temporary name in its final folder, and then renamed. A reader that opens
the name finds the old file or the new one, and never a part. The temporary name cannot be
predicted, and the file is made exclusively, so that no link planted there is followed and two
threads that write the same file do not meet.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import BinaryIO, Self, TypeAlias

PathLike: TypeAlias = str | os.PathLike[str]

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_FLAGS = (
    _NEW | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)

_AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_MOST_PARTS = 1024 if hasattr(os, "writev") else 0  # IOV_MAX


class Written(ABC):
    """An output that the end of a `with` block completes and an exception within it discards."""

    @abstractmethod
    def close(self) -> None:
        """Complete what has been written and publish it; do nothing if that has been done."""

    @abstractmethod
    def discard(self) -> None:
        """Remove what has been written, unless it is published already."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self.discard()


class NewFile(Written):
    """A file being written, which replaces the one of its name in the end.

        with NewFile("ranks.tiktoken") as file:
            file.write(data)

    The end of the `with` block publishes the file; an exception within it discards the file. A name
    that is a link is replaced, and the file it points to stays as it is. A pipe or a device, which
    is not a regular file, cannot be replaced: it is written to at once. A forked process can
    neither write to a file of its parent nor discard it. An existing file is replaced when the disk
    has the new one, so that a loss of power cannot cost both.

    Args:
        target: the name of the file when it is complete.
        mode: the permissions of a new file, from which the umask takes some away.

    Raises:
        OSError: with the target's name as `filename`.
    """

    def __init__(self, target: PathLike, mode: int = 0o666) -> None:
        self.target = os.fsdecode(target)
        self._handle, self._temporary, self._process = -1, "", os.getpid()
        try:
            special = not stat.S_ISREG(os.stat(self.target).st_mode)
        except FileNotFoundError:
            special = False
        if special:  # a folder raises IsADirectoryError
            self._handle = os.open(self.target, os.O_WRONLY | getattr(os, "O_BINARY", 0))
            return
        folder, name = os.path.split(self.target)
        if not name:
            code = errno.EISDIR if folder else errno.ENOENT
            raise OSError(code, os.strerror(code), self.target)
        temporary = os.path.join(folder, f".{name[:100]}.{os.urandom(8).hex()}.part")
        with _named(self.target):
            self._handle = os.open(temporary, _FLAGS, mode)
        self._temporary = temporary

    def write(self, *parts: bytes | bytearray | memoryview) -> None:
        """Append all of these parts, at once and without a buffer in between."""
        self._check_process()
        try:
            written = 0
            if 1 < len(parts) <= _MOST_PARTS:
                written = os.writev(self._handle, parts)
            for part in parts:
                rest = memoryview(part).cast("B")
                rest, written = rest[written:], max(written - len(rest), 0)
                while rest:
                    rest = rest[os.write(self._handle, rest) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.target) from error

    def close(self) -> None:
        """Complete the file, and give it its name."""
        self._check_process()
        handle, self._handle = self._handle, -1
        if handle < 0:
            return
        with _named(self.target):
            try:
                if self._temporary and os.path.exists(self.target):
                    os.fsync(handle)
            finally:
                os.close(handle)
            if self._temporary:
                os.replace(self._temporary, self.target)
        self._temporary = ""

    def discard(self) -> None:
        """Remove what has been written; do nothing once the file is published."""
        handle, self._handle = self._handle, -1
        temporary, self._temporary = self._temporary, ""
        with contextlib.suppress(OSError):
            if handle >= 0:
                os.close(handle)
        with contextlib.suppress(OSError):
            if temporary and os.getpid() == self._process:
                os.unlink(temporary)

    def _check_process(self) -> None:
        """Raise RuntimeError in a fork, whose parent writes the same file."""
        if os.getpid() != self._process:
            raise RuntimeError(f"{self.target} must be written by the process that has opened it")

    def __del__(self) -> None:
        if hasattr(self, "_temporary"):
            self.discard()


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Raise an OSError of the block with the name that the user knows, not the temporary one."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


def write_file(target: PathLike, *parts: bytes | memoryview, mode: int = 0o666) -> None:
    """Write a file that consists of these parts; see `NewFile`."""
    with NewFile(target, mode) as file:
        file.write(*parts)


def open_regular(path: PathLike, *, follow: bool = True, buffering: int = -1) -> BinaryIO:
    """Open a regular file for reading.

    Another user could plant something else under that name: a pipe would block until somebody
    writes to it, and a device may never end.

    Args:
        follow: whether the name may be a link.
        buffering: as for `open`.

    Raises:
        OSError: the file cannot be opened.
        ValueError: it is not a regular file.
    """
    handle = os.open(path, _AT_ONCE if follow else _AT_ONCE | getattr(os, "O_NOFOLLOW", 0))
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return open(handle, "rb", buffering)
    os.close(handle)
    raise ValueError(f"{os.fsdecode(path)}: not a regular file")
