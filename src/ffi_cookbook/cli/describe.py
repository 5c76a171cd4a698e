"""`ffi-cookbook describe`: what is recognised in the files of tokenizers."""

from __future__ import annotations

import argparse
import sys

from ffi_cookbook.terminal import printable
from ffi_cookbook.tokenizer.describe import describe


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the project's command line."""
    words = "what is recognised in the files of tokenizers, or why one cannot be loaded"
    parser = commands.add_parser("describe", help=words, description=words)
    parser.add_argument("file", metavar="FILE", nargs="+", help="a tokenizer.json, for example")
    parser.add_argument("--pattern", help="the pattern, which a file of ranks does not name")


def run(options: argparse.Namespace) -> int:
    """Print every file; return 1 if one is refused, and 2 if one cannot be read."""
    worst = 0
    for path in options.file:
        try:
            parts = describe(path, options.pattern)
        except OSError as error:
            print(printable(error), file=sys.stderr)
            worst = 2
            continue
        worst = max(worst, int("refused" in parts))
        print(printable(path))
        for name, value in parts.items():
            for one in value if name == "refused" else [value]:
                text = f"{len(one)}: {' '.join(one[:8])}" if isinstance(one, list) else one
                print(f"    {name}: {printable(text)}")
    return worst
