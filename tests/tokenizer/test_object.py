"""The Tokenizer object: construction, ownership, pickling, and invalid blobs."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from ffi_cookbook.tokenizer import Model, save_tiktoken
from support.vocabularies import EOT, small_model, vocabulary

pytestmark = pytest.mark.part("Tokenizer")


def test_pickle_and_model(backend: ModuleType) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    assert tokenizer.model is words.model
    with pytest.raises(AttributeError):
        tokenizer.model = None
    again = pickle.loads(pickle.dumps(tokenizer))
    assert type(again) is type(tokenizer)
    assert again.encode("hello world").tolist() == tokenizer.encode("hello world").tolist()


def test_a_pickle_is_small(backend: ModuleType, sample: dict[bytes, int], tmp_path: Path) -> None:
    """The pickle of a model from files holds their names and checksums."""
    save_tiktoken(sample, tmp_path / "sample.tiktoken")
    specials = {EOT: 9000, "<|fim|>": 9001}
    model = Model.load(tmp_path / "sample.tiktoken", pattern="o200k", special_tokens=specials)
    pickled = pickle.dumps(backend.Tokenizer(model))
    assert len(pickled) <= 1024
    assert pickle.loads(pickled).encode(EOT, allowed_special="all").tolist() == [9000]


def test_empty(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    assert tokenizer.encode("").shape == (0,)
    assert tokenizer.count("") == 0
    assert tokenizer.split("").shape == (0,)
    assert tokenizer.encode_into(b"", np.empty(0, np.uint32)) == 0
    ids, offsets = tokenizer.encode_batch([])
    assert ids.shape == (0,)
    assert offsets.tolist() == [0]


def test_only_a_model_makes_a_tokenizer(backend: ModuleType) -> None:
    class NoModel:
        special_names = ()
        default_policy = b""
        blob = np.zeros(4096, np.uint8)

    for blob in (NoModel.blob, NoModel.blob[::-1], bytes(4096), None):
        NoModel.blob = blob  # type: ignore[assignment]
        with pytest.raises((TypeError, ValueError)):
            backend.Tokenizer(NoModel())
    for bad in (None, 5, "gpt2.tiktoken", object()):
        named = f"model must be a ffi_cookbook.tokenizer.Model, not {type(bad).__name__}"
        with pytest.raises(TypeError, match=named):
            backend.Tokenizer(bad)
    with pytest.raises(TypeError):
        backend.Tokenizer()


@pytest.mark.filterwarnings("ignore:nanobind.*uninitialized:RuntimeWarning")
def test_a_tokenizer_made_by_new_alone(backend: ModuleType) -> None:
    """Every use of it is refused without a crash."""
    for use in (
        lambda made: made.count("a"),
        lambda made: made.model,
        lambda made: made.encode(""),
    ):
        with pytest.raises((TypeError, AttributeError)):
            use(backend.Tokenizer.__new__(backend.Tokenizer))


@pytest.mark.part("Tokenizer", native=True)
def test_a_policy_that_does_not_fit_the_model(backend: ModuleType) -> None:
    """A policy with one byte too few or too many for the special tokens is refused."""
    good = small_model()
    for policy in (good.default_policy[1:], good.default_policy + b"\x01"):
        model = SimpleNamespace(
            blob=good.blob,
            special_names=good.special_names,
            default_policy=policy,
            special_policy=lambda *_, policy=policy: policy,
        )
        with pytest.raises(ValueError, match="model"):
            backend.Tokenizer(model).encode("text")
        with pytest.raises(ValueError, match="model"):
            backend.Tokenizer(model).encode_batch(["text"], allowed_special="all")
