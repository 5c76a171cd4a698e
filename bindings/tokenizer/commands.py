"""`ffi-cookbook tokenizer`: train a vocabulary on files of text."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from bindings.tokenizer.patterns import NAMES
from bindings.tokenizer.train import Tell, save_tiktoken, train


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the project's command line."""
    parser = commands.add_parser("tokenizer", help="train a tokenizer's vocabulary")
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("train", help="write a .tiktoken file of the most frequent merges")
    action.add_argument("files", metavar="FILE", nargs="+", help="a text in UTF-8")
    action.add_argument("--output", required=True, metavar="NEW_FILE", help="the .tiktoken file")
    action.add_argument("--vocab-size", type=int, default=32768, help="tokens (default: 32768)")
    action.add_argument("--pattern", choices=NAMES, default="o200k", help="how text is split")
    action.add_argument("--workers", type=int, default=1, help="processes that count (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Runs it: 0 when the file is written, 2 when it cannot be."""
    try:
        if os.path.exists(options.output):
            raise ValueError(f"{options.output} is there already")
        _train(options)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _train(options: argparse.Namespace) -> None:
    size = sum(os.path.getsize(path) for path in options.files)
    with _bars(counting=size, merging=options.vocab_size) as progress:
        ranks = train(
            (Path(path).read_bytes() for path in options.files),
            options.vocab_size,
            options.pattern,
            workers=options.workers,
            progress=progress,
        )
    save_tiktoken(ranks, options.output)
    print(f"{options.output}: {len(ranks)} tokens of {size} bytes, pattern {options.pattern}")


@contextmanager
def _bars(**totals: int) -> Iterator[Tell]:
    """A progress bar each on a terminal."""
    columns = (
        *(TextColumn("{task.description}"), BarColumn()),
        *(TextColumn("{task.completed:,.0f} of {task.total:,.0f}"), TimeElapsedColumn()),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        tasks = {what: bar.add_task(what, total=total) for what, total in totals.items()}
        yield lambda what, done: bar.update(tasks[what], completed=done)
