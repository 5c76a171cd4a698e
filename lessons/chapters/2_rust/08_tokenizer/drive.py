"""Tokenizers of a stand-in for ffi_cookbook.tokenizer.Model."""

import meeting
import numpy as np


class Model:
    """A stand-in for a model."""

    pattern = "gpt2"

    def __init__(self, ranks, tokens, index, blocks):
        self.ranks, self.tokens = ranks, tokens
        self.sections = {"unicode_index": index, "unicode_blocks": blocks}
        self.made = None


model = Model


def tokenizer_of(module, model):
    """Return the model's tokenizer, which is made once."""
    if model.made is None:
        model.made = module.Tokenizer(model)
    return model.made


def construct(module, model):
    """Make a tokenizer and release it."""
    module.Tokenizer(model)


def encode(module, model, text):
    """Return the ids of a text."""
    return tokenizer_of(module, model).encode(text)


def count(module, model, text):
    """Return the number of ids of a text."""
    return tokenizer_of(module, model).count(text)


def decode(module, model, ids):
    """Return the bytes of ids."""
    return tokenizer_of(module, model).decode(ids)


def decode_strided(module, model, n):
    """Return the bytes of every other id."""
    return tokenizer_of(module, model).decode(np.arange(n, dtype=np.uint32)[::2])


def by_keyword(module, model, name):
    """Call a method by keyword."""
    return getattr(tokenizer_of(module, model), name)(text="abc")


def threads_run(module, model):
    """Return the names of the methods during which another thread could run."""
    made = tokenizer_of(module, model)
    text = "lower lowest new wider " * 5_000
    ids = np.tile(made.encode(text), 20)
    arguments = {"encode": text, "count": text, "decode": ids}
    return [
        name for name, value in arguments.items() if meeting.runs_beside(getattr(made, name), value)
    ]
