"""CRCs of random bytes, at once and in two parts, against zlib."""

import zlib

from ffi_cookbook_lessons.cases import Raises, call


def signed(crc):
    """Return 32 bits read as a C int."""
    return crc - (crc >> 31 << 32)


def cases(draw):
    """Yield data with a CRC below and above 2**31, and what is not bytes."""
    high = False
    for n in draw.sizes(200):
        data = draw.data(n)
        crc = zlib.crc32(data)
        yield call("crc32", data, gives=crc, mistakes=((signed(crc), "undeclared-type"),))
        before = draw.getrandbits(32)
        yield call("crc32", data, before, gives=zlib.crc32(data, before))
    while not high:
        data = b"\0" + draw.data(9)
        high = zlib.crc32(data) >> 31
    crc = zlib.crc32(data)
    yield call("crc32", data, gives=crc, mistakes=((signed(crc), "undeclared-type"),))
    yield call("crc32", "123456789", gives=Raises(Exception), rule="undeclared-type")
    yield call("crc32", [1, 2, 3], gives=Raises(Exception))
