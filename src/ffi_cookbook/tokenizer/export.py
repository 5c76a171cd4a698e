"""Models as files that other libraries load: tokenizer.json and `.tiktoken`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.patterns import SPELLINGS, named
from ffi_cookbook.bindings._glue.bpe.specials import Flag
from ffi_cookbook.bindings._glue.bpe.tables import listed_ids, listed_pairs
from ffi_cookbook.files import PathLike, write_file
from ffi_cookbook.tokenizer import formats
from ffi_cookbook.tokenizer.huggingface import FLAGS
from ffi_cookbook.tokenizer.model import Model
from ffi_cookbook.tokenizer.tokens import Tokens, byte_alphabet
from ffi_cookbook.tokenizer.vocabulary import made_by_merges

_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def save_model(model: Model, path: PathLike) -> None:
    """Write a model as a tokenizer.json or, if the name ends in `.tiktoken`, as a file of ranks.

    A `.tiktoken` has neither the pattern nor the special tokens.

    Raises:
        ValueError: the format cannot say what the model does, or the name has another end.
    """
    writers = {".json": _tokenizer_json, ".tiktoken": _ranks}
    if (end := Path(path).suffix) not in writers:
        raise ValueError(f"the name must end in .json or .tiktoken, not be {str(path)!r}")
    if Steps.SPACES in model.flags:
        raise ValueError("a model with the spaces of SentencePiece cannot be written")
    write_file(path, writers[end](model))


def _ranks(model: Model) -> bytes:
    """Return a file of ranks, if ranks make every token as the merges do.

    That is so if the merges come in the order of the ids and make every token. Any other pair that
    spells a token is then never left side by side.
    """
    if model.steps:
        raise ValueError(f"ranks cannot say that a text needs {', '.join(model.steps)}")
    made, whole = [token for *_, token in _merges(model)], {*listed_ids(model.sections)}
    if made != sorted(made) or whole != {*model.ranks.values()} or _unmade(model):
        plain = Model.from_ranks(model.ranks, pattern=model.pattern)
        if _merges(plain) != _merges(model) or whole != {*listed_ids(plain.sections)}:
            raise ValueError("ranks cannot say the merges, which are not in the order of the ids")
    return formats.write_tiktoken(model.ranks)


def _merges(model: Model) -> list[tuple[int, int, int]]:
    """Return left, right and result of each merge, in their order."""
    pairs = listed_pairs(model.sections).items()
    listed = sorted((rank, pair, made) for pair, (rank, made) in pairs)
    return [(pair >> 32, pair & 0xFFFFFFFF, made) for _, pair, made in listed]


def _unmade(model: Model) -> bool:
    """Return True if a whole pretoken may become a token that the merges do not make."""
    listed = listed_ids(model.sections)
    tokens = Tokens.of([model.tokens[i] or b"" for i in listed], listed)
    return not made_by_merges(tokens, model.sections, tokens.byte_ids()).all()


def _tokenizer_json(model: Model) -> bytes:
    """Return a tokenizer.json that, when read, gives this model."""
    characters = {byte: character for character, byte in byte_alphabet().items()}
    texts = [(token or b"").decode("latin-1").translate(characters) for token in model.tokens]
    vocab = {texts[number]: number for number in model.ranks.values()}
    ids, flags = model.sections["special_ids"].tolist(), model.special_flags.tolist()
    specials = sorted(zip(ids, model.special_names, flags, strict=True))
    if sorted(ids) != [*range(len(vocab), len(vocab) + len(specials))]:
        vocab |= {name: number for number, name, _ in specials}  # or a reader would number them
    splits = [
        {"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False}
        for split in next(one for one, known in SPELLINGS.items() if known == named(model.pattern))
    ]
    file = {
        "version": "1.0",
        "added_tokens": [
            {"id": number, "content": name, "special": not flags & Flag.ORDINARY}
            | {option: bool(flags & getattr(Flag, option.upper())) for option in FLAGS}
            for number, name, flags in specials
        ],
        "normalizer": {"type": model.normalizer} if model.normalizer else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*splits, _BYTES]},
        "post_processor": _template(model) if any(model.around) else None,
        "decoder": _BYTES,
        "model": {
            "type": "BPE",
            "ignore_merges": _unmade(model),
            "vocab": vocab,
            "merges": [[texts[left], texts[right]] for left, right, _ in _merges(model)],
        },
    }
    data = json.dumps(file, ensure_ascii=False).encode()
    again = Model(formats.build([data], None, {}), "", model.__reduce__())
    facts = [
        (it.tokens, _merges(it), {*listed_ids(it.sections)}, it.special_flags.tolist(), it.around)
        for it in (again, model)
    ]
    if facts[0] != facts[1]:
        raise ValueError("a tokenizer.json cannot say which tokens this model has")
    return data


def _template(model: Model) -> dict[str, Any]:
    """Return the post_processor that puts ids around a text, and around each of a pair."""

    def piece(kind: str, name: str) -> dict[str, Any]:
        return {kind: {"id": name, "type_id": 0}}

    tokens = {i: model.tokens[i] or b"" for part in model.around for i in part}
    names = {i: token.decode("utf-8", "backslashreplace") for i, token in tokens.items()}
    before, after = ([piece("SpecialToken", names[i]) for i in part] for part in model.around)
    first, second = ([*before, piece("Sequence", letter), *after] for letter in "AB")
    special = {name: {"id": name, "ids": [i], "tokens": [name]} for i, name in names.items()}
    kind = "TemplateProcessing"
    return {"type": kind, "single": first, "pair": first + second, "special_tokens": special}
