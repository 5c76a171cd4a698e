"""Vocabularies in files: the real ones, read without the package, and one in every format."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ffi_cookbook.tokenizer import Model, save_tiktoken
from ffi_cookbook.tokenizer.tokens import byte_alphabet

EOT = "<|endoftext|>"
TEXT = "It's the  formats' test:\n\n  naïve 12345 ſ 日本語 \u0301x\t\t{};\r\n" + EOT + " Ġ" * 3
DATA = os.environ.get("COOKBOOK_DATA")
RANK_FILES = {
    "gpt2.tiktoken": ("gpt2", 50256),
    "p50k_base.tiktoken": ("p50k", 50256),
    "cl100k_base.tiktoken": ("cl100k", 100257),
    "o200k_base.tiktoken": ("o200k", 199999),
}


class RankFile:
    """A rank file, read without the package, and the arguments that load it."""

    def __init__(self, path: Path, pattern: str, eot: int) -> None:
        self.path, self.pattern, self.eot = path, pattern, eot
        rows = (line.split() for line in path.read_bytes().splitlines())
        self.ranks = {base64.b64decode(token): int(rank) for token, rank in rows}

    def load(self) -> Model:
        return Model.load(self.path, pattern=self.pattern, special_tokens={EOT: self.eot})


def merges_of(ranks: dict[bytes, int]) -> list[tuple[bytes, bytes]]:
    """Return the pair that makes each token: its bytes after all merges of lower rank."""

    def halves(token: bytes) -> list[bytes]:
        parts = [bytes([byte]) for byte in token]
        while len(parts) > 2:
            found = [ranks.get(parts[i] + parts[i + 1], len(ranks)) for i in range(len(parts) - 1)]
            i = found.index(min(found))
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        return parts

    ordered = sorted((rank, token) for token, rank in ranks.items() if len(token) > 1)
    return [(left, right) for left, right in (halves(token) for _, token in ordered)]


class Formats:
    """One vocabulary in every format."""

    def __init__(self, sample: dict[bytes, int], folder: Path) -> None:
        self.folder = folder
        alphabet = byte_alphabet()
        letters = {byte: letter for letter, byte in alphabet.items()}
        tokens = [*(bytes([byte]) for byte in alphabet.values()), *list(sample)[256:]]
        self.ranks = {token: rank for rank, token in enumerate(tokens)}
        self.spell: Callable[[bytes], str] = lambda token: "".join(letters[b] for b in token)
        self.merges = [(self.spell(a), self.spell(b)) for a, b in merges_of(self.ranks)]
        self.vocab = {self.spell(token): rank for token, rank in self.ranks.items()}
        self.eot = len(self.vocab)

    def write(self, name: str, content: str) -> Path:
        (self.folder / name).write_text(content, encoding="utf-8")
        return self.folder / name

    def tiktoken(self) -> Path:
        save_tiktoken(self.ranks, self.folder / "it.tiktoken")
        return self.folder / "it.tiktoken"

    def pair(self) -> list[Path]:
        lines = ["#version: 0.2", *(f"{left} {right}" for left, right in self.merges)]
        encoder = json.dumps(self.vocab | {EOT: self.eot})
        return [
            self.write("encoder.json", encoder),
            self.write("vocab.bpe", "\n".join(lines) + "\n"),
        ]

    def tokenizer_json(self, **changes: Any) -> Path:
        model = {"type": "BPE", "vocab": self.vocab, "merges": self.merges, "ignore_merges": False}
        plain = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        added = [{"id": self.eot, "content": EOT, "special": True, **plain}]
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
        file = {"added_tokens": added, "pre_tokenizer": byte_level, "model": model} | changes
        return self.write("tokenizer.json", json.dumps(file))


BYTES = [(bytes([byte]), byte) for byte in range(256)]


def tiktoken_file(rows: Iterable[tuple[bytes, object]]) -> str:
    return "".join(f"{base64.b64encode(token).decode() or '='} {rank}\n" for token, rank in rows)
