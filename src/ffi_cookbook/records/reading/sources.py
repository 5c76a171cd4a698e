"""The files of an argument: one source, a pattern that several match, or an iterable of both."""

from __future__ import annotations

import errno
import glob
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from mmap import mmap
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ffi_cookbook.files import open_regular

INDEX_MAGIC = b"\x89CKIDX\r\n"
TOKEN_INDEX_MAGIC = b"MMIDIDX\0\0"
_TEXT_INDEX = re.compile(rb"\d+[ \t]+\d+\r?\n")
_SHARD = re.compile(r"(.*?)(\d+)(-of-(\d+)(?:[^\d/\\][^/\\]*)?)", re.DOTALL)

Source: TypeAlias = Any
"""A path (str or os.PathLike), a URL for fsspec to open (a str with :// in it), a binary file
object (`read` and `readinto`), or a buffer. An `mmap` is refused, since its file may be cut short
in the meantime, which ends the process; a view of one is memory like any other."""

Sources: TypeAlias = Any
"""A Source, a pattern, or an iterable of both. A pattern has `*`, `?`, `[...]` or `**` in it, in a
URL only `*`. It stands for the files that match, in sorted order, except indexes of other files.
`**` does not follow links to folders."""


class SourceList(NamedTuple):
    """The single sources, and whether an iterable or a pattern was given."""

    sources: list[Source]
    many: bool


def find(source: Sources) -> SourceList:
    """Return the single sources that an argument names.

    Raises:
        FileNotFoundError: a pattern matches nothing.
        TypeError: the argument is not a source that can be read.

    Warns:
        UserWarning: a pattern matches `name-00000-of-00002`, and there is no `name-00001-of-00002`.
    """
    if _is_single(source):
        matching = _matching(source)
        return SourceList([source], False) if matching is None else SourceList(matching, True)
    unordered = isinstance(source, Set | Mapping)
    if unordered or hasattr(source, "read") or not isinstance(source, Iterable):
        raise refused("source", source)
    found: list[Source] = []
    for number, one in enumerate(list(source)):  # another thread may change a list
        if not _is_single(one):
            raise refused(f"source[{number}]", one)
        matching = _matching(one)
        found += [one] if matching is None else matching
    return SourceList(found, True)


def name_of(source: Source) -> str | None:
    """Return the path, URL or file name of a source, or None if it has none."""
    if isinstance(source, str | os.PathLike):
        return os.fsdecode(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else None


def is_index(path: str, files: Any = None) -> bool:
    """Return True for an index of records or of tokens, of this project or in text.

    Args:
        files: the file system of fsspec that has the file. A file on it is not read unless its name
            is that of an index, since each reading is a request.
    """
    try:
        if files is None:
            with open_regular(path, buffering=0) as file:
                head = file.read(64)
        else:
            head = files.cat_file(path, 0, 64) if path.endswith(".idx") else b""
    except (OSError, ValueError):
        return False  # what cannot be read is an error of its reader
    is_text = path.endswith(".idx") and _TEXT_INDEX.match(head) is not None
    return is_text or head.startswith((INDEX_MAGIC, TOKEN_INDEX_MAGIC))


def _is_single(source: Any) -> bool:
    if isinstance(source, str | os.PathLike) or hasattr(source, "readinto"):
        return True
    if isinstance(source, np.ndarray) and source.dtype.kind not in "biufcV":
        return False  # an array of paths, not of bytes
    if isinstance(source, mmap):
        return False
    try:
        memoryview(source).release()
    except TypeError:
        return False
    return True


def refused(name: str, source: Any) -> TypeError:
    """Return the error for an argument, or an item of one, that is not a source."""
    found = type(source).__name__
    if isinstance(source, mmap):
        return TypeError(f"{name} must not be an mmap: pass the path of its file, or a memoryview")
    if hasattr(source, "read"):
        return TypeError(f"{name} must be a file opened in binary mode, with readinto, not {found}")
    order = ", which has no order: pass sorted(...)" if isinstance(source, Set) else ""
    return TypeError(
        f"{name} must be a path, a URL, a pattern, a binary file, a buffer or an iterable of "
        f"these, not {found}{order}"
    )


def _matching(source: Source) -> list[str] | None:
    """Return the sorted files that a pattern matches, or None if it is not a pattern."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = os.fsdecode(source)
    is_url = isinstance(source, str) and "://" in path
    if not any(mark in path for mark in ("*" if is_url else "*?[")):
        return None
    if is_url:
        try:
            files, root = fsspec_of(path).core.url_to_fs(path)
        except ValueError as error:
            raise ValueError(
                f"{path:.200} is not a URL that fsspec opens: {error!s:.200}"
            ) from None
        found = [one for one in files.glob(root) if not is_index(one, files)]
        _warn_of_missing(path, found, files.glob)
        found = [files.unstrip_protocol(one) for one in found]
    elif os.path.lexists(path):
        return None  # a file may have any name
    else:
        paths = {one for one in _expanded(path) if not os.path.isdir(one)}
        found = [one for one in paths if not is_index(one)]
        _warn_of_missing(path, found, glob.glob)
    if not found:
        raise FileNotFoundError(errno.ENOENT, "No file matches the pattern", path)
    return sorted(found)


def _warn_of_missing(
    pattern: str, found: list[str], expand: Callable[[str], Iterable[str]]
) -> None:
    """Warn of each set of files, such as `name-00003-of-00010`, of which one does not exist."""
    sets = dict[tuple[str, str, int], list[str]]()
    for path in found:
        if match := _SHARD.fullmatch(path):
            front, number, behind, n = match.groups()
            sets.setdefault((front, behind, int(n)), []).append(number)
    for (front, behind, n), numbers in sets.items():
        if len(numbers) >= n:
            continue
        there = set(expand(f"{glob.escape(front)}*{glob.escape(behind)}"))
        width = min(map(len, numbers))
        first = int(f"{front}{n:0{width}}{behind}" in there)  # some count from 1
        names = (f"{front}{i:0{width}}{behind}" for i in range(first, first + n))
        if missing := next((name for name in names if name not in there), None):
            words = f"{missing} is missing: {pattern} matches {len(numbers)} of {n} files"
            warnings.warn(words, UserWarning, stacklevel=4)


def _expanded(pattern: str) -> Iterator[str]:
    """Yield the names that a pattern matches, some of them more than once.

    `**` does not follow links to folders: two links that lead back to their own folder would double
    the number of paths with each step.
    """
    parts = pattern.replace(os.altsep or os.sep, os.sep).split(os.sep)
    if "**" not in parts:
        yield from glob.iglob(pattern)
        return
    at = parts.index("**")
    root, rest = os.sep.join([*parts[:at], ""]), os.sep.join(parts[at + 1 :]) or "*"
    for start in glob.iglob(root) if root else [""]:
        for folder, below, _ in os.walk(start or os.curdir):
            below[:] = [name for name in below if not name.startswith(".")]
            inside = folder if start else folder[len(os.curdir + os.sep) :]
            yield from _expanded(os.path.join(glob.escape(inside), rest))


def fsspec_of(url: str) -> Any:
    """Return the module fsspec, which opens URLs."""
    try:
        import fsspec  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError(f"{url}: to read from a URL, install fsspec") from error
    return fsspec
