"""`ffi-cookbook tokenizer train`: a vocabulary from files of text."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ffi_cookbook.tokenizer.train import Tell

STANDARD = "-"
"""The file name that means standard input or standard output."""


def read(path: str) -> bytes:
    """Return the bytes of a file, or of standard input for the name -."""
    if path == STANDARD:
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def train(options: argparse.Namespace) -> None:
    """Train a vocabulary on the files and write it.

    Raises:
        ValueError: the new file exists already, a text is not valid UTF-8, or an option is wrong.
        OSError: a file cannot be read or written.
    """
    from ffi_cookbook import tokenizer
    from ffi_cookbook.bindings.errors import Code, TokenizerError
    from ffi_cookbook.tokenizer.rankfiles import write_tiktoken

    if options.output != STANDARD and os.path.lexists(options.output):
        raise ValueError(f"{options.output} exists already")
    sizes: list[int] = []

    def texts() -> Iterator[bytes]:
        for path in options.files:
            text = read(path)
            sizes.append(len(text))
            yield text

    known = all(map(os.path.isfile, options.files))
    size = sum(map(os.path.getsize, options.files)) if known else None
    try:
        with _bars(counting=size, merging=options.vocab_size) as progress:
            ranks = tokenizer.train(
                texts(),
                options.vocab_size,
                options.pattern,
                workers=options.workers,
                progress=progress,
            )
    except TokenizerError as error:
        if error.code != Code.UTF8:
            raise
        raise ValueError(f"{options.files[error.index]}: {error}") from None
    if options.output == STANDARD:
        sys.stdout.buffer.write(write_tiktoken(ranks))
    else:
        with open(options.output, "xb") as file:
            file.write(write_tiktoken(ranks))
    if len(ranks) < options.vocab_size:
        print(
            f"{len(ranks)} tokens instead of {options.vocab_size}: "
            "the text has no more pairs to merge",
            file=sys.stderr,
        )
    print(
        f"{options.output}: {len(ranks)} tokens of {sum(sizes)} bytes, pattern {options.pattern}",
        file=sys.stderr if options.output == STANDARD else sys.stdout,
    )


@contextmanager
def _bars(**totals: int | None) -> Iterator[Tell]:
    """Show a progress bar for each of the steps, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda what, done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        tasks = {what: bar.add_task(what, total=total) for what, total in totals.items()}
        yield lambda what, done: bar.update(tasks[what], completed=done)
