"""The tokenizer in plain Python equals tiktoken, with every vocabulary and difficult text."""

from __future__ import annotations

import tiktoken

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.patterns import NAMES
from ffi_cookbook.bindings.python.tokenizer import Tokenizer
from ffi_cookbook.tokenizer import replace_surrogates, sample_texts
from support.rank_files import EOT, TEXT, RankFile

NASTY = [
    TEXT,
    "",
    " ",
    "\ud800 lone \udc00 joined \ud83d\ude00",
    "'ſ x'ſy 'S 'LL's 'RE 'ß K 'Kd",
    "ǅa Ǆa ʰA aʰB ªb º \u0345x x\u0301y \u0301",
    "²½Ⅷ٣123456 १२३४",
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028 \u3000x\u200b \u180e",
    "a   b\n\n  c \r\n\t d/ //\r\n \n",
    "\u1c89\ua7cb\U00010d50\U00016d40\U000105c0\u0897",
    "ab" * 2000 + " " * 2000 + "!" * 2000,
    "".join(map(chr, range(0x20, 0x3000, 7))),
    "".join(chr(first) + " " for first, _, kind in unicode16.runs() if kind),
]


def test_the_reference_equals_tiktoken(rank_file: RankFile) -> None:
    regex = NAMES[rank_file.pattern].regex
    judge = tiktoken.Encoding(
        "it", pat_str=regex, mergeable_ranks=rank_file.ranks, special_tokens={EOT: rank_file.eot}
    )
    tokenizer = Tokenizer(rank_file.load())
    for text in [*NASTY, *sample_texts(100_000)]:
        ids = tokenizer.encode(text, disallowed_special=())
        assert ids.tolist() == judge.encode(text, disallowed_special=())
        assert tokenizer.decode(ids) == replace_surrogates(text).encode()
        assert tokenizer.count(text) == len(ids)
