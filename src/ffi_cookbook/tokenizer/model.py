"""The model: immutable memory that every tokenizer borrows."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import compress, pairwise
from pathlib import Path
from typing import Any, Literal, SupportsIndex

import numpy as np

from ffi_cookbook.bindings._glue.bpe import layout
from ffi_cookbook.bindings._glue.bpe.layout import Form, Steps
from ffi_cookbook.bindings._glue.bpe.specials import ALLOWED, PLAIN, REFUSED, Flag, ordinary_policy
from ffi_cookbook.bindings.protocol import Uint32Array
from ffi_cookbook.tokenizer import formats

Specials = Literal["all"] | Collection[str]
Recipe = tuple[Callable[..., "Model"], tuple[Any, ...]]


class Model:
    """A byte-level BPE vocabulary with its split pattern and special tokens.

    Attributes:
        blob: the model as docs/tokenizer.md lays it out, an array over bytes. Another class of
            model may have any buffer here: a tokenizer copies a mutable one. It raises ValueError
            if `steps` is not empty.
        normalizer: "NFC" or "NFKC" if texts are normalized first, or else None.
        steps: what no kernel does, but `Normalized`: normalization, flags of special tokens, the
            mixed white space of DeepSeek V2, the spaces of SentencePiece.
        flags: the same as bits, and what `decode` does.
        unknown_id: the id of unknown characters, if their bytes have none.
        sections: the arrays within the blob, by name.
        sha256: the hash of the files and parameters it was made from, in hexadecimal.
        pattern: the name of its split pattern.
        special_names: the special tokens, in the order in which kernels number them.
        ordinary_names: those among them that the file adds to the vocabulary but does not call
            special, such as `<think>` or runs of line breaks. They are found in every text.
        default_policy: `special_policy((), "all")`.
        around: the ids that the file's post_processor puts before a text, and after it.
    """

    def __init__(self, blob: layout.Blob, sha256: str, recipe: Recipe) -> None:
        """Make a model for `load` or `from_ranks`; `recipe` is what its pickle holds."""
        self._blob = blob
        self.flags, self.unknown_id = layout.steps_of(blob)
        form: Form = "NFKC" if Steps.NFKC in self.flags else "NFC"
        self.normalizer = form if self.flags & (Steps.NFC | Steps.NFKC) else None
        self.sections = layout.sections_of(blob)
        self.sha256 = sha256
        self.pattern = layout.pattern_of(blob).name
        self.special_flags = self.sections["defined"][self.sections["special_ids"]]
        self.steps: tuple[str, ...] = (self.normalizer,) if self.normalizer else ()
        if Steps.SPACES in self.flags:
            self.steps += ("the spaces of SentencePiece",)
        if (self.special_flags & Flag.INEXACT).any():
            self.steps += ("lstrip, rstrip and single_word",)
        if self.pattern == "deepseek2":
            self.steps += ("mixed white space",)
        self.special_names = tuple(layout.special_names_of(self.sections))
        ordinary = self.special_flags & Flag.ORDINARY != 0
        self.ordinary_names = frozenset(compress(self.special_names, ordinary.tolist()))
        self.default_policy = np.where(ordinary, ALLOWED, REFUSED).astype(np.uint8).tobytes()
        self.around = layout.around_of(blob)
        plain, every = (bytes([kind]) * len(ordinary) for kind in (PLAIN, ALLOWED))
        self._usual: dict[Any, bytes] = {
            ((), "all"): self.default_policy,
            ((), ()): ordinary_policy(self.default_policy) or plain,
            ("all", "all"): every,
            ("all", ()): every,
            (("",), ()): plain,  # for `Normalized`: not even ordinary tokens
        }
        self._recipe = recipe

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        pattern: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
        override: bool = False,
    ) -> Model:
        """Return the model of a tokenizer.json, tekken.json, `.tiktoken`, or vocab.bpe and its ids.

        Args:
            path: the file, or the two files (vocab.bpe and encoder.json).
            pattern: a name in docs/tokenizer.md, also r50k, p50k, llama3 or qwen2. None takes the
                one that a tokenizer.json or tekken.json has; the other formats need it.
            special_tokens: the names and ids of special tokens that the file does not list.
            override: load a tokenizer.json although its ids differ from those that Hugging Face
                gives, because it has another normalizer than NFC, another pre_tokenizer than
                `pattern`, truncation, padding or flags of added tokens. All of these are ignored.

        Raises:
            ValueError: the file is invalid, or its ids cannot be reproduced; every reason is named.
            TypeError: a name of `special_tokens` is not a str, or an id is not an integer.
        """
        given = (path,) if isinstance(path, (str, os.PathLike)) else path
        paths = sorted((os.path.abspath(one) for one in given), key=lambda one: one[-5:] == ".json")
        specials = _checked(special_tokens or {})
        if not isinstance(override, bool):
            raise TypeError(f"override must be True or False, not {override!r}")
        blob, key = formats.load(paths, pattern, specials, override)
        return cls(blob, key, (_reload, (paths, pattern, specials, key, override)))

    @classmethod
    def from_ranks(
        cls,
        ranks: Mapping[bytes, int],
        *,
        pattern: str,
        special_tokens: Mapping[str, int] | None = None,
    ) -> Model:
        """Return the model of ranks as `train` makes them.

        It is not cached, and its pickle holds the ranks.
        """
        return _from_bytes(formats.write_tiktoken(ranks), pattern, _checked(special_tokens or {}))

    @classmethod
    def describe(cls, path: str | os.PathLike[str], pattern: str | None = None) -> dict[str, Any]:
        """Return the parts that `load` recognises in a file, or the reasons why it is "refused"."""
        try:
            model = cls.load(path, pattern=pattern)
        except ValueError as error:
            return {"refused": str(error).split("; ")}
        return {
            "format": formats.format_of(Path(path).read_bytes()),
            "model": f"{'SentencePiece' if Steps.SPACES in model.flags else 'byte-level'} BPE",
            "pattern": model.pattern,
            "normalizer": model.normalizer,
            "ids": model.n_vocab,
            "special tokens": [*model.special_names],
            "of these, found in every text": sorted(model.ordinary_names),
            "ids before and after a text": model.around,
        }

    @property
    def blob(self) -> layout.Blob:
        """The model for a kernel."""
        if self.steps:
            raise ValueError(f"no kernel does {', '.join(self.steps)}: open it with tokenizer_of")
        return self._blob

    def without_steps(self) -> Model:
        """Return the model for a kernel whose caller does the steps."""
        other = Model(self._blob, self.sha256, self._recipe)
        other.steps = ()
        return other

    @property
    def n_vocab(self) -> int:
        """The number of ids: one more than the highest."""
        return len(self.sections["defined"])

    @property
    def tokens(self) -> list[bytes | None]:
        """The bytes of each id, or None for an unused id."""
        return self._tokens

    @property
    def ranks(self) -> dict[bytes, int]:
        """The id of each token that is not special."""
        return self._ranks

    @cached_property
    def _tokens(self) -> list[bytes | None]:
        data = self.sections["token_bytes"].tobytes()
        ranges = pairwise(self.sections["token_offsets"].tolist())
        used = self.sections["defined"].tolist()
        return [data[a:b] if kind else None for (a, b), kind in zip(ranges, used, strict=True)]

    @cached_property
    def _ranks(self) -> dict[bytes, int]:
        ordinary = (self.sections["defined"] == 1).nonzero()[0].tolist()
        return {token: i for i in ordinary if (token := self.tokens[i]) is not None}

    def special_policy(self, allowed_special: Specials, disallowed_special: Specials) -> bytes:
        """Return a byte for each special token: treat it as plain text, as its id, or as an error.

        The rules are tiktoken's, except that a name that the model does not have raises ValueError.
        Those in `ordinary_names` are found unless `disallowed_special` names them.
        """
        given = (allowed_special, disallowed_special)
        if {*map(type, given)} <= {str, tuple} and given in self._usual:
            return self._usual[given]
        allowed = self._named(allowed_special) | self.ordinary_names
        refused = self._named(disallowed_special)
        if isinstance(disallowed_special, str):
            refused -= allowed
        return bytes(
            REFUSED if name in refused else ALLOWED if name in allowed else PLAIN
            for name in self.special_names
        )

    def add_special_tokens(self, ids: Uint32Array) -> Uint32Array:
        """Return the ids of a text with those `around` it, as Hugging Face adds them."""
        before, after = self.around
        return np.concatenate([np.array(before, np.uint32), ids, np.array(after, np.uint32)])

    def _named(self, names: Specials) -> set[str]:
        if isinstance(names, str):
            if names != "all":
                raise TypeError(f'expected "all" or a collection of special tokens, not {names!r}')
            return set(self.special_names)
        named = set(names)
        if unknown := named.difference(self.special_names):
            raise ValueError(f"not special tokens of this model: {sorted(unknown)}")
        return named

    def __reduce__(self) -> Recipe:
        return self._recipe

    def __repr__(self) -> str:
        return f"<Model {self.sha256[:12]}: {self.n_vocab} ids, pattern {self.pattern}>"


def _checked(special_tokens: Mapping[str, int]) -> dict[str, int]:
    for name, token_id in special_tokens.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of a special token must be a str, not {name!r}")
        if not isinstance(token_id, SupportsIndex):
            raise TypeError(f"the id of {name!r} must be an integer, not {token_id!r}")
    return {name: operator.index(token_id) for name, token_id in special_tokens.items()}


def _from_bytes(data: bytes, pattern: str, specials: dict[str, int]) -> Model:
    blob = formats.build([data], pattern, specials)
    key = formats.key([data], pattern, specials)
    return Model(blob, key, (_from_bytes, (data, pattern, specials)))


def _reload(
    paths: list[str],
    pattern: str | None,
    specials: dict[str, int],
    sha256: str,
    override: bool = False,
) -> Model:
    model = Model.load(paths, pattern=pattern, special_tokens=specials, override=override)
    if model.sha256 != sha256:
        raise ValueError(f"{', '.join(paths)}: changed since the model was pickled")
    return model
