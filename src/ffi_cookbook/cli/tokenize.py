"""`ffi-cookbook tokenize`: the tokens of a corpus of text, in files for training."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ffi_cookbook.data.tokens.tokenizing import Progress

END = "<|endoftext|>"
PATTERNS = ["gpt2", "cl100k", "o200k", "qwen2", "qwen35", "deepseek", "deepseek2", "tekken", "kimi"]
PATTERNS += ["starcoder", "bloom", "r50k", "p50k", "llama3"]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the project's command line."""
    parser = commands.add_parser(
        "tokenize",
        help="write the tokens of a corpus of text for training",
        description="Write the tokens of text files as DIR/00000.bin, 00001.bin ... "
        "The same command continues after an interruption.",
    )
    parser.add_argument(
        "corpus",
        metavar="FILE",
        nargs="+",
        help=".txt, .json, .jsonl, .ndjson, plain, .gz or .zst; .tfrecord, plain or .gz; .parquet",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="made if there is none")
    parser.add_argument(
        "-m",
        "--model",
        nargs="+",
        required=True,
        metavar="MODEL",
        help="a .tiktoken file, a tokenizer.json, or vocab.bpe and encoder.json",
    )
    parser.add_argument(
        "--pattern", choices=PATTERNS, help="how text is split; a .tiktoken file needs it"
    )
    parser.add_argument(
        "--override",
        action="store_true",
        help="ignore what else is in a tokenizer.json, such as its normalizer, although the ids "
        "differ from those of Hugging Face",
    )
    parser.add_argument(
        "--end",
        metavar="TOKEN=ID",
        help=f"the special token after each document (default: the {END} of the model, else none)",
    )
    parser.add_argument("--field", default="text", help="key, column or feature (default: text)")
    parser.add_argument(
        "--format",
        choices=["megatron", "nanogpt"],
        default="megatron",
        help="of the files (default: megatron, which has an index of the documents)",
    )
    parser.add_argument(
        "--shard-tokens", type=int, default=100_000_000, help="default: 100,000,000"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="default: all")
    parser.add_argument("--backend", help="the binding (default: the fastest that works here)")


def run(options: argparse.Namespace) -> int:
    """Write the tokens, and return 0, or 2 if that fails."""
    from ffi_cookbook.data import tokenize
    from ffi_cookbook.tokenizer import Model

    try:
        name, special = _end(options.end)
        model = Model.load(
            options.model,
            pattern=options.pattern,
            special_tokens=special,
            override=options.override,
        )
        if options.end is None and END in model.special_names:
            name = END
        with _bar(options.corpus) as report:
            done = tokenize(
                options.corpus,
                options.out,
                model,
                end=name,
                field=options.field,
                format=options.format,
                shard_tokens=options.shard_tokens,
                threads=options.threads,
                backend=options.backend,
                progress=report,
            )
    except (OSError, ValueError, ImportError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"documents: {done.documents:,}; tokens: {done.tokens:,}; shards: {done.shards:,}")
    return 0


def _end(given: str | None) -> tuple[str | None, dict[str, int] | None]:
    """Return the name of the special token that an option names, and the ids it defines."""
    if given is None:
        return None, None
    name, _, number = given.rpartition("=")
    if not name or not number.isdecimal():
        raise ValueError(f"--end must be TOKEN=ID, not {given!r}")
    return name, {name: int(number)}


@contextmanager
def _bar(corpus: list[str]) -> Iterator[Callable[[Progress], Any]]:
    """Show the files that are done, where standard error is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(corpus))

        def report(done: Any) -> None:
            words = f"documents: {done.documents:,}; tokens: {done.tokens:,}"
            place = corpus.index(done.path) if done.path in corpus else None
            bar.update(task, description=words, completed=place)

        yield report
