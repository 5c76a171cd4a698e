"""What a `Budget` of ids does with random texts, against all of their ids."""

from __future__ import annotations

import random

from ffi_cookbook.bindings.protocol import Tokenizer
from ffi_cookbook.tokenizer import Budget

PARTS = [*"  a b\n\n.,'中，。かé\u0301²1½हि②\u0958🙂\u3000\u2003", "the", " the", " the", " of"]


def check_budget(tokenizer: Tokenizer, names: list[str]) -> None:
    """Compare the counts, the first ids and the parts of texts in which these names occur."""
    rng, options = random.Random(1), {"allowed_special": "all"}
    budget = Budget(tokenizer, **options)
    for _ in range(150):
        text = "".join(rng.choices(PARTS + names, k=rng.randrange(120)))
        ids = tokenizer.encode(text, **options).tolist()
        limit, tokens = rng.randrange(90), rng.randrange(1, 30)
        assert budget.encode(text, limit).tolist() == ids[:limit], text
        assert budget.count(text, limit) == (len(ids) if len(ids) <= limit else None)
        for overlap in (0, rng.randrange(tokens)):
            last = 0
            for start, end, n_ids in budget.chunks(text, tokens, overlap):
                before = text[:start].removesuffix(" ")  # which may stand between two parts
                first = len(tokenizer.encode(before, **options))
                assert tokenizer.encode(text[start:end], **options).tolist() == ids[first:][:n_ids]
                assert 0 <= last - first <= overlap
                last = first + n_ids
            assert last == len(ids), text
