"""Random phrases, their offsets and hashes, and closed lists."""

from ffi_cookbook_lessons.cases import Raises, drive


def phrase(draw, most):
    """Return a phrase without line breaks."""
    return "p" + draw.text(draw.randint(0, most)).replace("\n", " ").replace("\0", "0")


def hash_of(phrases):
    """Return the sum of the FNV-1a hashes of the phrases."""
    total = 0
    for text in phrases:
        value = 0xCBF29CE484222325
        for byte in text.encode():
            value = (value ^ byte) * 0x100000001B3 % 2**64
        total += value
    return total % 2**64


def as_int(value):
    """Return what a C int keeps of a value."""
    low = value % 2**32
    return low - (low >> 31 << 32)


def cases(draw):
    """Yield searches, hashes, and uses of a closed list."""
    for n in (1, 3, draw.randint(10, 60)):
        phrases = [phrase(draw, 20) for _ in range(n)]
        while n == 1 and hash_of(phrases) < 2**63:  # what a signed type makes negative
            phrases = [phrase(draw, 20)]
        wanted = [draw.choice(phrases) for _ in range(3)] + ["never", phrase(draw, 30)]
        offsets = {}
        at = 0
        for text in phrases:
            offsets.setdefault(text, at)
            at += len(text.encode()) + 1
        gives = [offsets.get(text) for text in wanted]
        yield drive("found", phrases, wanted, gives=gives, says=f"find in {n} phrases")
        value = hash_of(phrases)
        mistakes = ((as_int(value), "undeclared-type"), (value - 2**64, "undeclared-type"))
        yield drive("hashed", phrases, gives=value, mistakes=mistakes, says=f"hash of {n} phrases")
    for method in ("find", "hash"):
        says = f"{method} after close() and close()"
        yield drive("closed", phrases, method, gives=Raises(ValueError), says=says)
