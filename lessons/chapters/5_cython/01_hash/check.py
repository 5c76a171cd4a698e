"""Hashes of random bytes, what must be refused, and the objects that a call makes."""

from ffi_cookbook_lessons.cases import Raises, call


def fnv1a(data):
    """Return the hash in plain Python."""
    code = 0xCBF29CE484222325
    for byte in data:
        code = (code ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return code


def cases(draw):
    """Yield hashes of all sizes, then the refusals."""
    for n in draw.sizes(200):
        data = draw.data(n)
        yield call("fnv1a", data, gives=fnv1a(data))
    data = bytes(range(128, 256)) + draw.data(3000)
    yield call("fnv1a", data, gives=fnv1a(data), objects=20, timed=True)
    yield call("fnv1a", "text", gives=Raises(TypeError))
    yield call("fnv1a", None, gives=Raises(TypeError))
