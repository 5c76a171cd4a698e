"""Models that are written, and loaded by Hugging Face's tokenizers and by tiktoken."""

from __future__ import annotations

from pathlib import Path

import pytest
import tiktoken.load
import tokenizers

from ffi_cookbook.bindings._glue.bpe.patterns import NAMES
from ffi_cookbook.tokenizer import Model, save_model, tokenizer_of
from support.backends import binding
from support.rank_files import EOT, TEXT, Formats
from support.vocabularies import random_texts, small_model

TEXTS = [TEXT, *(text.encode("utf-8", "ignore").decode() for text in random_texts(300))]
TEXTS += [f"x<a>  y{EOT}12 e\u0301"]


@pytest.mark.parametrize("name", sorted({pattern.name for pattern in NAMES.values()}))
def test_ranks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The special tokens have the first of the ids that are left, and others."""
    specials = {EOT: 600, "<a>": 601} if name == "cl100k" else {EOT: 700, "<a>": 604}
    model = Model.from_ranks(small_model().ranks, pattern=name, special_tokens=specials)
    save_model(model, tmp_path / "it.json")
    hugging_face = tokenizers.Tokenizer.from_file(str(tmp_path / "it.json"))
    again = Model.load(tmp_path / "it.json")
    for tokenizer in (tokenizer_of(binding("capi"), one) for one in (model, again)):
        for text in TEXTS:
            ids = tokenizer.encode(text, allowed_special="all").tolist()
            assert hugging_face.encode(text).ids == ids
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    for one in (model, again):
        path = tmp_path / "it.tiktoken"
        if name == "deepseek2":
            with pytest.raises(ValueError, match="that a text needs mixed white space"):
                save_model(one, path)
            continue
        save_model(one, path)
        assert tiktoken.load.load_tiktoken_bpe(str(path)) == model.ranks
        loaded = Model.load(path, pattern=name, special_tokens=specials)
        assert loaded.blob.tobytes() == model.blob.tobytes()


def test_refused(every_format: Formats, tmp_path: Path) -> None:
    vocab = {token: len(every_format.vocab) - i for token, i in every_format.vocab.items()}
    path = every_format.tokenizer_json(
        model={"vocab": vocab, "merges": every_format.merges}, added_tokens=[]
    )
    with pytest.raises(ValueError, match="not in the order of the ids"):
        save_model(Model.load(path), tmp_path / "it.tiktoken")
    with pytest.raises(ValueError, match=r"must end in \.json or \.tiktoken"):
        save_model(Model.load(path), tmp_path / "it.bin")
    named = Model.from_ranks(small_model().ranks, pattern="gpt2", special_tokens={"Ġt": 600})
    with pytest.raises(ValueError, match="the added token 'Ġt' has the id 600"):
        save_model(named, tmp_path / "it.json")  # where the text of the token " t" is the same
    assert not [*tmp_path.glob("it.*")]
