"""The columns of a data set from texts, as the fast tokenizers of transformers return them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from ffi_cookbook.bindings._glue.text import copied, integers
from ffi_cookbook.bindings.protocol import Int64Array, Tokenizer
from ffi_cookbook.tokenizer.normalized import Normalized
from ffi_cookbook.tokenizer.offsets import character_offsets

Padding = bool | Literal["longest", "max_length", "do_not_pad"]
Truncation = bool | Literal["longest_first", "only_first", "do_not_truncate"]


class BatchEncoder:
    """An encoder of texts with the results of a `PreTrainedTokenizerFast`.

    A call returns `input_ids`, `attention_mask` and any other requested columns as lists, for
    `datasets.map` to store.

    No tokens are put around a text, as `Model.add_special_tokens` does: a caller who trains a model
    with such tokens writes them into the text, because special tokens in it become their ids.

    Args:
        tokenizer: a tokenizer of any binding; the encoder can be pickled if the tokenizer can.
        pad_token_id: the id that fills up rows; `padding` needs it.
        padding_side: "right" or "left".
        threads: the most threads that a call uses.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        *,
        pad_token_id: int | None = None,
        padding_side: Literal["right", "left"] = "right",
        threads: int = 1,
    ) -> None:
        if padding_side not in ("right", "left"):
            raise ValueError(f'padding_side must be "right" or "left", not {padding_side!r}')
        self.tokenizer = tokenizer
        self.pad_token_id = pad_token_id
        self.padding_side = padding_side
        self.threads = threads

    def __call__(
        self,
        text: str | Sequence[str],
        *,
        padding: Padding = False,
        truncation: Truncation = False,
        max_length: int | None = None,
        return_tensors: Literal["np"] | None = None,
        return_attention_mask: bool = True,
        return_offsets_mapping: bool = False,
    ) -> dict[str, Any]:
        """Return the columns of one text, as flat lists, or of a list or tuple of texts.

        Args:
            text: a str, or a list or tuple of them.
            padding: True or "longest": rows become as long as the longest; "max_length": rows
                become as long as `max_length`, and longer ones stay as they are.
            truncation: True, "longest_first" or "only_first", which mean the same since a row is
                one text: rows are cut to `max_length`.
            max_length: a number of ids.
            return_tensors: "np" for int64 arrays of shape (texts, ids), which needs rows of one
                length.
            return_attention_mask: 1 for an id of the text, 0 for padding.
            return_offsets_mapping: the (start, end) of each id in characters of its text, as in
                `character_offsets`; (0, 0) for padding.

        Raises:
            ValueError: the options contradict each other.
            TypeError: `text` is something else.
        """
        texts = (text,) if isinstance(text, str) else copied(text)
        cut = truncation not in (False, "do_not_truncate")
        if cut and truncation not in (True, "longest_first", "only_first"):
            raise ValueError(f"unknown truncation {truncation!r}")
        if (cut or padding == "max_length") and (max_length is None or max_length < 0):
            raise ValueError(f"max_length must be a number of ids, not {max_length}")
        limit = max_length or 0
        if return_tensors not in (None, "np"):
            raise ValueError(f'return_tensors must be "np" or None, not {return_tensors!r}')
        ids, places = self.tokenizer.encode_batch(texts, self.threads, allowed_special="all")
        sizes, most = np.diff(places), min(limit, len(ids))
        stays = np.arange(len(ids)) < np.repeat(places[:-1] + most, sizes) if cut else slice(None)
        lengths = np.minimum(sizes, most) if cut else sizes
        widths, left = self._widths(lengths, padding, limit), self.padding_side == "left"
        runs = (widths - lengths, lengths) if left else (lengths, widths - lengths)
        real = np.repeat(np.tile([not left, left], len(texts)), np.stack(runs, 1).ravel())
        columns = {"input_ids": np.full(len(real), self.pad_token_id or 0, np.int64)}
        columns["input_ids"][real] = ids[stays]
        if return_attention_mask:
            columns["attention_mask"] = real.astype(np.int64)
        if return_offsets_mapping:
            if isinstance(self.tokenizer, Normalized) and any(
                self.tokenizer.changes(one, ids) for one in texts
            ):
                raise ValueError("NFC or lstrip changes a text, so its ids have no offsets in it")
            offsets = character_offsets(self.tokenizer, ids)
            begins = np.append(offsets[:, 0], 0)[places[:-1]]  # the first character of each text
            offsets -= np.repeat(begins, sizes)[:, None]
            columns["offset_mapping"] = np.zeros((len(real), 2), np.int64)
            columns["offset_mapping"][real] = offsets[stays]
        if not return_tensors:
            lists = {name: _lists(cells, widths) for name, cells in columns.items()}
            return {name: it[0] for name, it in lists.items()} if isinstance(text, str) else lists
        if (widths != widths[:1]).any():
            raise ValueError("rows of several lengths cannot be an array: pass padding=True")
        shape = len(widths), widths.max(initial=0)
        return {name: it.reshape(*shape, *it.shape[1:]) for name, it in columns.items()}

    def _widths(self, sizes: Int64Array, padding: Padding, limit: int) -> Int64Array:
        """Return the width that each row gets."""
        if padding in (False, "do_not_pad"):
            return sizes
        if self.pad_token_id is None:
            raise ValueError("padding needs a pad_token_id")
        if padding in (True, "longest"):
            return np.full_like(sizes, sizes.max(initial=0))
        if padding != "max_length":
            raise ValueError(f"unknown padding {padding!r}")
        return np.maximum(sizes, limit)


def _lists(cells: Int64Array, widths: Int64Array) -> list[list[Any]]:
    """Return rows that lie end to end."""
    places = pairwise([0, *np.cumsum(widths).tolist()])
    if cells.ndim > 1:
        flat = [*zip(*cells.T.tolist(), strict=True)]
        return [flat[a:b] for a, b in places]
    ids = integers(cells)
    return [ids[a:b].tolist() for a, b in places]
