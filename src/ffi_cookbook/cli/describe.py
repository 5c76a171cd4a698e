"""`ffi-cookbook describe`: what is recognised in the files of tokenizers."""

from __future__ import annotations

import argparse

from ffi_cookbook.terminal import printable
from ffi_cookbook.tokenizer.model import Model


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    command.add_argument("file", metavar="FILE", help="a tokenizer.json, for example")
    command.add_argument("--pattern", help="the pattern, which a file of ranks does not name")


def run(options: argparse.Namespace) -> int:
    """Print what the file is, and return 1 if it is refused."""
    parts = Model.describe(options.file, options.pattern)
    for name, value in parts.items():
        for one in value if name == "refused" else [value]:
            text = f"{len(one)}: {' '.join(one[:8])}" if isinstance(one, list) else one
            print(f"{name}: {printable(text)}")
    return int("refused" in parts)
