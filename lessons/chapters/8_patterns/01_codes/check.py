"""Values of all bytes, and every code with its exception."""

import errno

from ffi_cookbook_lessons.cases import Raises, call, drive

SEITE = "the page is gone: Seite über Bord"


def cases(draw):
    """Yield values, then errors, then the memory that neither may leave unfreed."""
    pairs = [(f"n{draw.randint(0, 9)}", draw.data(n)) for n in draw.sizes(200)]
    pairs += [("ä€😀", b"\0zero\0"), ("", b"no name"), ("nul\0in", b"x")]
    found = dict(pairs)
    says = f"put, then get, of {len(pairs)} values"
    yield drive("stored", pairs, gives=[found[name] for name, _ in pairs], says=says)
    yield call("get", "absent", gives=Raises(KeyError, "'absent'"))
    yield call("get", "!2", gives=Raises(ValueError, SEITE), says='get("!2"), where C returns 2')
    yield call("put", "!2", b"", gives=Raises(ValueError, SEITE), says='put("!2", b"")')
    yield drive("crowded", gives=Raises(MemoryError, "64 values"), says="put of 65 values")
    for name in ("ENOENT", "EACCES", draw.choice(["ENOSPC", "EIO", "EMFILE"])):
        number = getattr(errno, name)
        kind = type(OSError(number, "")).__name__
        says = f"the exception of get, where C sets errno to {name}"
        yield drive("system_error", f"?{number}", gives=(kind, number, f"?{number}"), says=says)
    code = draw.randint(5, 99)
    for text in (str(code), SEITE):
        yield call("get", f"!{code}", gives=Raises(RuntimeError, text))
        yield call("put", f"!{code}", b"", gives=Raises(RuntimeError, text))
    yield call("get", f"!-{code}", gives=Raises(RuntimeError, f"-{code}"))
    for name in (pairs[0][0], "absent", "!2", "?13", f"!{code}"):
        says = f"what get and put of {name!r} leave behind"
        yield drive("outstanding", name, gives=0, rule="leaked-memory", repeat=0, says=says)
