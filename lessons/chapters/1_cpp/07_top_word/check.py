"""Texts of words that repeat, and the number of allocations for a long one."""

from collections import Counter

from ffi_cookbook_lessons.cases import drive


def expected(text):
    """Return the count, the start and the length of the top word."""
    words = text.replace(b"\n", b" ").split(b" ")
    counts = Counter(word for word in words if word)
    if not counts:
        return 0, 0, 0
    word, count = max(counts.items(), key=lambda item: item[1])  # the first one of several
    start = 0
    for item in words:
        if item == word:
            break
        start += len(item) + 1
    return count, start, len(word)


def cases(draw):
    """Yield short texts and long ones, ties, and texts without words."""
    for text in (
        b"to be or not to be",
        b"b a a b",
        b"one",
        b"  one\n\ntwo two",
        b"",
        b" \n ",
        b"x\0 x",
    ):
        yield drive("top_word", text, gives=expected(text))
    words = [
        b"%d" % i + bytes(draw.choices(b"abcdefgh\t.,", k=draw.randint(20, 40))) for i in range(60)
    ]
    for n in (100, 1000):
        text = b" ".join(draw.choices(words, k=n))
        says = f"top_word of {n} words"
        yield drive("top_word", text, gives=expected(text), says=says, repeat=20)
    text = b"\n".join(draw.choices(words, k=20_000))
    answer = "at most 500 allocations"
    says = "20,000 words, 60 of them different"
    yield drive(
        "allocations", text, 500, gives=answer, repeat=0, rule="too-many-allocations", says=says
    )
