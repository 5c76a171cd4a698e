"""Hashes of one and of many, and the state of the GIL below and above the threshold."""

from ffi_cookbook_lessons.cases import Raises, call, drive

LEAST = 65536


def hashed(data):
    """Return the hash FNV-1a of 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def cases(draw):
    """Yield hashes, errors, and then what the GIL does."""
    for n in (*draw.sizes(100), LEAST - 1, LEAST):
        data = draw.choice([bytes, bytearray])(draw.data(n))
        yield call("digest", data, gives=hashed(data), says=f"digest(<{n} bytes>)")
    for n in (*draw.sizes(9), 300):
        items = [draw.data(draw.randint(0, 300)) for _ in range(n)]
        says = f"digest_all(<{n} items>)"
        yield call("digest_all", items, gives=hashed(b"".join(items)), timed=n == 300, says=says)
    for items in ([b"a", None], [bytearray(3), bytearray(4), 5], [b"x" * LEAST, 2.5]):
        yield call("digest_all", items, gives=Raises(TypeError), says="digest_all of wrong items")
    yield call("digest", "text", gives=Raises(TypeError))
    yield call("digest_all", (b"a",), gives=Raises(TypeError))

    def state(function, argument, what, gives):
        rule = "gil-held" if gives == "released" else "gil-released"
        says = f"the GIL in {function} of {what}"
        return drive("how", function, argument, gives=gives, rule=rule, repeat=0, says=says)

    short, long = draw.randint(0, LEAST - 1), draw.randint(LEAST, 2 * LEAST)
    for n, gives in ((short, "held"), (LEAST - 1, "held"), (LEAST, "released"), (long, "released")):
        yield state("digest", bytes(n), f"{n} bytes", gives)
        yield state("digest_all", [bytes(n - n // 3), bytes(n // 3)], f"{n} bytes in two", gives)
    yield state("digest_all", [bytes(16)] * (LEAST // 16), "4096 items of 16 bytes", "released")
    yield state("digest_all", [bytes(16)] * 100, "100 items of 16 bytes", "held")
    yield drive(
        "resized",
        LEAST,
        gives="refused",
        rule="use-after-free",
        repeat=0,
        mistakes=(("alone", "gil-held"),),
        says="digest, while another thread resizes the bytearray",
    )
    sizes = [LEAST, 100, 20_000]
    yield drive(
        "cleared",
        sizes,
        gives=("cleared", [hashed(bytes(sum(sizes)))]),
        rule="use-after-free",
        repeat=0,
        mistakes=((("alone", []), "gil-held"),),
        says="digest_all, while another thread clears the list",
    )
