"""Text that is hard on a tokenizer: every class of character, every case of the patterns."""

from __future__ import annotations

import random

SPACES = "".join(map(chr, [*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)]))
SPACES += "\u2028\u2029\u202f\u205f\u3000"
ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0123456789",
    SPACES,
    "   \n\n\r\t",
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "éÉßſKøÅǅǈᾳƿ",
    "ªºʰˠەހकअあ漢字한글ไทย",
    "\u0300\u0301\u0308\u064b\u093f\u0e31\ufe0f\U000e0100",
    "٠١२³½Ⅷ〇௧𝟘",
    "😀👍🏽👨‍👩‍👧🇩🇪€∑→\u200d\u200b\ufeff\ufffd",
    "\x00\x01\x1c\x1d\x1e\x1f\x7f\x80\x9f",
    "\U0001d400\U0001f130\U00020000\U0010ffff\ue000",
]
CONTRACTIONS = "'s 't 're 've 'm 'll 'd 'S 'T 'RE 'Ve 'M 'lL 'D 'ſ 's' ' '' 'x 'l 'r x'ſ B'ſ'Sl"
PLAIN = "hello Hello HELLO HeLLo don't it's I'VE world's 12345 1 22 333 4444 / ... _"
BLANKS = [" ", "  ", "   ", "\n", "\r\n", "\n\n", " \n", "\n ", "\t", " \t ", "//\n", "...\n\r"]
WORDS = [*CONTRACTIONS.split(), *PLAIN.split(), *BLANKS]


def nasty(rng: random.Random) -> str:
    """Return a short text of a few runs of characters, words and single code points."""
    parts = []
    for _ in range(rng.randrange(1, 9)):
        kind = rng.random()
        if kind < 0.35:
            parts.append(rng.choice(WORDS))
        elif kind < 0.9:
            parts.append(
                "".join(rng.choices(rng.choice(ALPHABETS), k=rng.choice([1, 1, 2, 3, 5, 9])))
            )
        elif kind < 0.95:
            parts.append(rng.choice(rng.choice(ALPHABETS)) * rng.randrange(1, 70))
        else:
            code = rng.randrange(0x110000)
            parts.append(chr(code) if not 0xD800 <= code < 0xE000 else "")
    return "".join(parts)
