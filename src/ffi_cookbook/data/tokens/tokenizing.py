"""tokenize: encode a corpus into files of token ids, on threads; a killed run can be resumed."""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.bindings.protocol import Backend, Text, Tokenizer
from ffi_cookbook.data.order.checks import check_least
from ffi_cookbook.data.tokens.documents import Texts, corpus_of, documents
from ffi_cookbook.data.tokens.token_files import TokenWriter
from ffi_cookbook.files import PathLike, open_regular, write_file
from ffi_cookbook.tokenizer import Model, tokenizer_of

PROGRESS = "progress.json"
_AT_ONCE = 4 << 20  # characters or bytes of text encoded by one call
_SAMPLE = 64 << 10  # bytes at the beginning and at the end of a file by which it is recognized
_LEFT_OVER = re.compile(r"\.(\d{5}\.(bin|idx)|progress\.json)\.[0-9a-f]{16}\.part")


class Place(NamedTuple):
    """Where a run stands: the file, and the number of its documents that are written."""

    file: int
    documents: int


class Group(NamedTuple):
    """Documents of one file, which are encoded by one call, and the place after them."""

    path: str
    texts: list[Text]
    behind: Place


class Progress(NamedTuple):
    """What a run has written so far.

    Attributes:
        shards: complete files of tokens.
        documents, tokens: in these and in the one being written.
        path: the file of the corpus that is being read.
    """

    shards: int
    documents: int
    tokens: int
    path: str


def tokenize(
    paths: Any,
    out: PathLike,
    model: Model,
    *,
    end: str | None = "<|endoftext|>",
    field: str = "text",
    texts: bool = False,
    shard_tokens: int = 100_000_000,
    threads: int = 2,
    backend: str | Backend | None = None,
    progress: Callable[[Progress], Any] | None = None,
) -> Progress:
    """Write the tokens of a corpus to `out/00000.bin`, `out/00001.bin` and so on.

    A `.bin` file has the ids, and its index, `.idx`, the documents, as Megatron-LM has them.
    nanoGPT reads the `.bin` files of a model with up to 65536 ids, and needs no index.

    Each document is encoded by itself and followed by the id of `end`. The ids depend on the
    corpus, the model and `end` alone. A shard appears when it is complete; a run that was
    interrupted or killed continues after the last complete shard when it is called again with the
    same arguments. Two runs at once need two folders.

    Args:
        paths: a text file, a URL, a pattern, or an iterable of these; see `documents` for the
            kinds of file.
        out: a folder; it is made if there is none.
        model: the tokenizer's model. Names of special tokens in a document are plain text.
        end: the special token after each document, or None for nothing.
        field: the key, column or feature with the text, where a file has several.
        texts: True if `paths` is an iterable of the documents themselves: str, bytes of UTF-8, or
            dicts with one in `field`, as a `datasets.Dataset` has. A run that continues takes it
            from its beginning again.
        shard_tokens: a shard ends with the document that reaches this number, or some MB of text
            later.
        threads: how many encode.
        backend: a binding's name; None takes the fastest one that is available.
        progress: called after each group of documents.

    Raises:
        FileNotFoundError: there is no such file, or a pattern matches nothing.
        ValueError: a document that is not text; `end` is not a special token of the model; the
            backend has no tokenizer; `out` has the shards of another corpus, model or options; or a
            shard in it is missing or has another size. A corpus is another one if a name differs,
            or the size, the first or the last 64 KiB of a file on disk, or a text of an iterable
            that an earlier run has taken.
    """
    corpus = corpus_of(paths, texts)
    shard_tokens = check_least("shard_tokens", shard_tokens, 1)
    if not isinstance(model, Model):
        raise TypeError(f"model must be a Model, not {type(model).__name__}")
    last, binding = _id_of(model, end), open_backend(backend)
    if not hasattr(binding, "Tokenizer"):
        raise ValueError(f"backend must be one with a tokenizer, not {backend!r}")
    folder = os.fsdecode(out)
    os.makedirs(folder, exist_ok=True)
    names = list(map(str, corpus))
    sizes = [os.path.getsize(name) if os.path.isfile(name) else None for name in names]
    run: dict[str, Any] = {"corpus": names, "corpus_bytes": sizes}
    run["corpus_crc32"] = [_crc32_of(name) if os.path.isfile(name) else None for name in names]
    run |= {"model": model.sha256, "end": last}
    run |= {"field": field, "shard_tokens": shard_tokens}
    done, place, shards, crc32 = _resumed(folder, run)
    tokenizer = tokenizer_of(binding, model)
    groups = _groups(corpus, field, place, crc32)
    for first in groups:
        path = os.path.join(folder, f"{done.shards:05}.bin")
        with TokenWriter(path, model.n_vocab) as file:
            before = done.tokens
            for group in chain([first], groups):
                _write(file, tokenizer, group, last, threads)
                done = Progress(
                    done.shards,
                    done.documents + len(group.texts),
                    before + file.n_tokens,
                    group.path,
                )
                if progress:
                    progress(done)
                if file.n_tokens >= shard_tokens:
                    break
        done = done._replace(shards=done.shards + 1)
        shards[os.path.basename(path)] = os.path.getsize(path)
        state = {**run, "done": done._asdict(), "place": group.behind._asdict(), "shards": shards}
        state["texts_crc32"] = getattr(corpus[group.behind.file], "crc32", None)
        write_file(os.path.join(folder, PROGRESS), json.dumps(state).encode())
    return done


def _crc32_of(path: str) -> int:
    """Return the CRC-32 of the beginning and the end of a file."""
    with open_regular(path) as file:
        beginning = file.read(_SAMPLE)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _SAMPLE, 0))
        return zlib.crc32(file.read(_SAMPLE), zlib.crc32(beginning))


def _write(
    file: TokenWriter, tokenizer: Tokenizer, group: Group, last: int | None, threads: int
) -> None:
    """Append the ids of some documents, and `last` after each."""
    try:
        ids, offsets = tokenizer.encode_batch(group.texts, threads, disallowed_special=())
    except TokenizerError as error:
        number = group.behind.documents - len(group.texts) + error.index + 1
        raise ValueError(f"{group.path}, document {number}: {error}") from None
    sizes = np.diff(offsets)
    if last is not None:
        ids, sizes = np.insert(ids, offsets[1:], np.uint32(last)), sizes + 1
    file.write(ids, sizes)


def _groups(corpus: list[Any], field: str, place: Place, crc32: int | None) -> Iterator[Group]:
    """Yield the documents from a place on, some of one file at once.

    Args:
        crc32: of the documents before the place, if an iterable has them.
    """
    for number, source in enumerate(corpus[place.file :], place.file):
        skipped = place.documents if number == place.file else 0
        some, size, seen = list[Text](), 0, skipped
        found = documents(source, field)
        passed = sum(1 for _ in islice(found, skipped))
        if skipped and isinstance(source, Texts) and (passed, source.crc32) != (skipped, crc32):
            raise ValueError(f"paths must have the {skipped} texts first that a run has taken")
        for document in found:
            some.append(document)
            size, seen = size + len(document), seen + 1
            if size >= _AT_ONCE:
                yield Group(str(source), some, Place(number, seen))
                some, size = [], 0
        if some:
            yield Group(str(source), some, Place(number, seen))


def _resumed(
    folder: str, run: dict[str, Any]
) -> tuple[Progress, Place, dict[str, int], int | None]:
    """Return what earlier runs have written, where they stopped, and the sizes of their shards.

    The last item is the CRC-32 of the documents of an iterable that they have taken.
    """
    for name in os.listdir(folder):
        if _LEFT_OVER.fullmatch(name):  # left by a run that was killed
            os.unlink(os.path.join(folder, name))
    try:
        with open_regular(os.path.join(folder, PROGRESS)) as file:
            state = json.load(file)
            done, place = Progress(**state["done"]), Place(**state["place"])
            shards = dict[str, int](state["shards"])
        if min(done.shards, done.documents, done.tokens, *place) < 0:
            raise ValueError("a number is negative")
    except FileNotFoundError:
        return Progress(0, 0, 0, ""), Place(0, 0), {}, None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"{os.path.join(folder, PROGRESS)} is damaged: {error}") from None
    for name, value in run.items():
        if state.get(name) != value:
            raise ValueError(f"{folder} has the shards of another run: {name} was another one")
    for name, size in shards.items():
        path = os.path.join(folder, name)
        if not os.path.isfile(path) or os.path.getsize(path) != size:
            raise ValueError(f"{path} is not as it was written: it must have {size} bytes")
    return done, place, shards, state.get("texts_crc32")


def _id_of(model: Model, name: str | None) -> int | None:
    if name is None:
        return None
    if name not in model.special_names:
        known = ", ".join(model.special_names) or "none"
        raise ValueError(f"end must be a special token of the model ({known}), not {name!r}")
    return int(model.sections["special_ids"][model.special_names.index(name)])
