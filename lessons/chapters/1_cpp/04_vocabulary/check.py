"""Vocabularies of random tokens, with the numbers that a dict gives them."""

from ffi_cookbook_lessons.cases import drive


def cases(draw):
    """Yield tokens that repeat, lookups that succeed and fail, and the limits of the numbers."""
    different = [b"%d" % i + draw.data(draw.randint(0, 30)) for i in range(40)]
    tokens = [b"the", b"cat", b"the", b"", b"the\0cat", *draw.choices(different, k=60)]
    numbers = {}
    for token in tokens:
        numbers.setdefault(token, len(numbers))
    gives = ([numbers[token] for token in tokens], list(numbers))
    yield drive("add", tokens, gives=gives, says=f"vocabulary_add of {len(tokens)} tokens")

    wanted = [b"dog", *draw.sample(sorted(numbers), 5), b"the\0", b"ca"]
    gives = ([numbers.get(token, -1) for token in wanted * 2], len(numbers))
    yield drive("find", tokens, wanted, gives=gives, says="vocabulary_find, twice each, then add")

    known = list(numbers)
    for number in (-1, 0, len(known) - 1, len(known), len(known) + 1):
        gives = known[number] if 0 <= number < len(known) else None
        says = f"vocabulary_text of number {number} among {len(known)}"
        yield drive("text_of", tokens, number, gives=gives, says=says)
    yield drive("text_of", [], 0, gives=None, says="vocabulary_text of number 0 among 0")

    for first in (b"short", b"a token that is longer than the others"):
        yield drive("stays", [first, *different], gives=first, says="text 0 after 40 more tokens")
