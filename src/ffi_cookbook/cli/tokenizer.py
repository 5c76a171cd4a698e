"""`ffi-cookbook tokenizer`: train a vocabulary; encode, decode, count or split text with one."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from ffi_cookbook.cli.training import read, train

if TYPE_CHECKING:
    from ffi_cookbook.bindings.protocol import Tokenizer

PATTERNS = ("gpt2", "cl100k", "o200k", "qwen2", "qwen35", "deepseek", "tekken", "kimi", "starcoder")
PATTERNS += ("r50k", "p50k", "llama3")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the project's command line."""
    parser = commands.add_parser(
        "tokenizer", help="train a vocabulary; encode, decode, count or split"
    )
    actions = parser.add_subparsers(dest="action", required=True)
    action = actions.add_parser("train", help="write a .tiktoken file of the most frequent merges")
    action.add_argument("files", metavar="FILE", nargs="+", help="a text in UTF-8, or - for stdin")
    action.add_argument("--output", required=True, metavar="NEW_FILE", help="- for stdout")
    action.add_argument("--vocab-size", type=int, default=32768, help="tokens (default: 32768)")
    action.add_argument("--pattern", choices=PATTERNS, default="o200k", help="how text is split")
    action.add_argument("--workers", type=int, default=1, help="processes that count (default: 1)")
    for name, words in (
        ("encode", "print the ids of a text, one a line"),
        ("decode", "write the bytes of ids, which are numbers between white space"),
        ("count", "print the number of ids of a text"),
        ("split", "print the pretokens of a text, each as a JSON string on a line"),
    ):
        action = actions.add_parser(name, help=words)
        action.add_argument("file", metavar="FILE", help="- for stdin")
        add_model(action)
        action.add_argument(
            "--special-token",
            metavar="TOKEN=ID",
            action="append",
            default=[],
            help="a special token that the file does not list; may be repeated",
        )
        if name == "encode":
            action.add_argument(
                "--allowed-special",
                metavar="TOKEN",
                action="append",
                default=[],
                help="a special token that becomes its id, or all; others are plain text; "
                "may be repeated",
            )
        action.add_argument("--backend", help="the binding (default: the fastest that works here)")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a model."""
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


def special_token(given: str, option: str) -> tuple[str, int]:
    """Return the name and the id in TOKEN=ID, the value of an option."""
    name, _, number = given.rpartition("=")
    if not name or not number.isdecimal():
        raise ValueError(f"{option} must be TOKEN=ID, not {given!r}")
    return name, int(number)


def run(options: argparse.Namespace) -> int:
    """Run the action, and return 0, or 2 if it fails."""
    try:
        if options.action == "train":
            train(options)
        else:
            _use(options)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, ImportError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _use(options: argparse.Namespace) -> None:
    from ffi_cookbook.backends import open_backend
    from ffi_cookbook.tokenizer import Model, tokenizer_of

    specials = dict(special_token(given, "--special-token") for given in options.special_token)
    model = Model.load(
        options.model,
        pattern=options.pattern,
        special_tokens=specials,
        override=options.override,
    )
    tokenizer = tokenizer_of(open_backend(options.backend), model)
    data = read(options.file)
    try:
        if options.action == "encode":
            _encode(tokenizer, data, options.allowed_special)
        else:
            _ACTIONS[options.action](tokenizer, data)
    except UnicodeDecodeError as error:
        raise ValueError(f"{options.file} is not valid UTF-8 at byte {error.start}") from None
    except ValueError as error:
        raise ValueError(f"{options.file}: {error}") from None


def _encode(tokenizer: Tokenizer, data: bytes, allowed: list[str]) -> None:
    ids = tokenizer.encode(
        data.decode(),
        allowed_special="all" if allowed == ["all"] else allowed,
        disallowed_special=(),
    )
    print(*ids.tolist(), sep="\n", end="\n" if len(ids) else "")


def _decode(tokenizer: Tokenizer, data: bytes) -> None:
    import numpy as np

    ids = []
    for word in data.split():
        if not word.isdigit() or int(word) >= 2**32:
            raise ValueError(f"{word.decode('utf-8', 'replace')!r} is not an id")
        ids.append(int(word))
    sys.stdout.buffer.write(tokenizer.decode(np.array(ids, np.uint32)))


def _count(tokenizer: Tokenizer, data: bytes) -> None:
    print(tokenizer.count(data.decode()))


def _split(tokenizer: Tokenizer, data: bytes) -> None:
    import json

    start = 0
    for end in tokenizer.split(data.decode()).tolist():
        pretoken = data[start:end].decode()
        print(json.dumps(pretoken, ensure_ascii=not pretoken.isprintable()))
        start = end


_ACTIONS = {"decode": _decode, "count": _count, "split": _split}
