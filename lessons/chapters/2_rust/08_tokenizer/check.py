"""Texts of all kinds of characters, and what our binding in pure Python makes of them."""

import numpy as np

import ffi_cookbook
from ffi_cookbook import tokenizer
from ffi_cookbook_lessons.cases import Made, Raises, drive


def drawn_ranks(draw, words):
    """Return the ranks of a vocabulary in which many merges compete for the same letters."""
    tokens = [*(bytes([value]) for value in range(256)), b"xx"]
    while len(tokens) < 350:
        word = draw.choice(words).encode()
        start = draw.randrange(len(word))
        token = word[start : start + draw.randint(2, 5)]
        cuts = range(1, len(token))
        if token not in tokens and any(token[:i] in tokens and token[i:] in tokens for i in cuts):
            tokens.append(token)
    return {token: rank for rank, token in enumerate(tokens)}


def cases(draw):
    """Yield texts to encode, ids to decode, wrong arguments, and calls that may take long."""
    words = ["low", "lower", "lowest", "new", "wider", "'s", " 42", "漢字", "über", "\n\n", "don't"]
    words += ["".join(draw.choices("lowest", k=9)) for _ in range(5)]
    ranks = drawn_ranks(draw, words)
    model = tokenizer.Model.from_ranks(ranks, pattern="gpt2")
    tables = [model.sections[f"unicode_{name}"].copy() for name in ("index", "blocks")]
    made = Made("model", (model.ranks, model.tokens, *tables))
    ours = ffi_cookbook.load("python").Tokenizer(model)

    def text():
        parts = [draw.choice([*words, " ", "  ", "x1", "!?'", "\t", "\u3000"]) for _ in range(9)]
        return "".join(parts) + draw.text(6)

    texts = [
        text(),
        "",
        " ",
        words[2],
        "a  b \n c",
        "xxx",  # of equal merges the leftmost comes first
        "it's John'll' 've",
        *(text() for _ in range(8)),
    ]
    for number, given in enumerate(texts):
        repeat = 0 if number else 100
        expected = ours.encode(given)
        for name, value, gives in (
            ("encode", given, expected),
            ("encode", given.encode(), expected),
            ("count", given, len(expected)),
            ("decode", expected, given.encode()),
        ):
            says = f"{name}({value!r:.60})"
            yield drive(name, made, value, gives=gives, says=says, repeat=repeat)
    lone = "a\ud800b"
    says = f"encode({lone!r})"
    yield drive("encode", made, lone, gives=ours.encode(lone), repeat=0, says=says)
    yield drive("construct", made, gives=None, says="Tokenizer(model)")

    refused = [
        ("encode", 5, TypeError, "", "wrong-exception"),
        ("encode", None, TypeError, "", "wrong-exception"),
        ("encode", bytearray(b"abc"), TypeError, "", "wrong-exception"),
        ("encode", b"ab\xff", ValueError, "byte 2", "no-exception"),
        ("count", ["abc"], TypeError, "", "wrong-exception"),
        ("decode", [1, 2], TypeError, "", "wrong-dtype"),
        ("decode", np.array([1, 2], np.int64), TypeError, "", "wrong-dtype"),
        ("decode", np.array([[1], [2]], np.uint32), TypeError, "", "no-exception"),
    ]
    n = len(model.tokens)
    for position, bad in ((0, n), (3, draw.randint(n, 2**32 - 1))):
        ids = np.full(position + 2, 97, np.uint32)
        ids[position] = bad
        message = f"the id {bad} at position {position} is not"
        refused.append(("decode", ids, ValueError, message, "no-exception"))
    for name, argument, kind, message, rule in refused:
        says = f"{name}({argument!r})"
        gives = Raises(kind, message)
        yield drive(name, made, argument, gives=gives, rule=rule, says=says)
    says = "decode(ids[::2])"
    gives = Raises(Exception)
    yield drive("decode_strided", made, 6, gives=gives, rule="not-contiguous", says=says)
    for name in ("encode", "count"):
        says = f"{name}(text='abc')"
        gives = Raises(TypeError)
        yield drive("by_keyword", made, name, gives=gives, rule="wrong-signature", says=says)
    says = "calls that other threads run beside"
    gives = ["encode", "count", "decode"]
    yield drive(
        "threads_run", made, gives=gives, rule="gil-held", repeat=0, modes=("release",), says=says
    )
    long = "".join(draw.choices(["lo", "w", "es", "t"], k=40_000))
    says = f"count of one word of {len(long)} letters"
    gives = ours.count(long)
    yield drive("count", made, long, gives=gives, repeat=0, modes=("release",), says=says)
    page = " ".join(draw.choices(words, k=200))
    says = "encode of 200 words"
    yield drive("encode", made, page, gives=ours.encode(page), timed=True, says=says)
