"""Check index_records as the chapter on ctypes does, then portions, signals and threads."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, call, drive
from ffi_cookbook_lessons.catalogue import find

LEAST, PORTION = 65536, 1024


def cases(draw):
    """Yield answers and errors first, then what the patterns of this chapter are for."""
    other = find("ctypes_and_cffi/index").check()
    yield from other.cases(draw)
    few = b"".join(other.frame(draw.data(3)) for _ in range(9))
    says = "index_records(cursor=..., spans=..., buffer=..., verify=False)"
    yield drive("by_keywords", few, 9, gives=9, rule="wrong-signature", says=says)
    yield call("index_records", few, gives=Raises(TypeError), says="index_records(data)")
    for spans in (np.zeros((3, 2)), [[0, 0]]):
        yield call(
            "index_records",
            bytearray(few),
            spans,
            np.zeros(4, np.int64),
            rule="wrong-dtype",
            gives=Raises(TypeError),
            says="index_records with unfit spans",
        )

    n = draw.randint(4 * PORTION + 1, 5 * PORTION - 1)
    data = b"".join([other.frame(draw.data(1))] * n)
    rows = np.array([(17 * i + 12, 1) for i in range(n)], np.int64)
    for name, some, size, state in (("few", few, 9, "held"), ("many", data, n, "released")):
        portions = -(-size // PORTION)
        yield drive(
            "portions",
            some,
            size,
            gives=(size, portions, state),
            repeat=0,
            rule="gil-held" if name == "many" else "gil-released",
            mistakes=(("nothing", "wrong-answer"),),
            says=f"the portions and the GIL in index_records of {size} records",
        )
    portion = draw.randint(0, 3)
    yield drive(
        "interrupted",
        data,
        n,
        portion,
        gives=((portion + 1) * PORTION, rows),
        repeat=9,
        rule="not-interruptible",
        mistakes=(("nothing", "wrong-answer"),),
        says=f"a signal in portion {portion} of index_records, and a second call",
    )
    mistakes = (("alone", "gil-held"), ("no portion", "wrong-answer"))
    says = "index_records, while another thread overwrites the cursor"
    gives = (rows, np.array([0, len(data), n, n], np.int64))
    yield drive(
        "overwritten", data, n, repeat=0, rule="race", mistakes=mistakes, gives=gives, says=says
    )
    yield drive(
        "resized",
        bytearray(data),
        n,
        gives="refused",
        repeat=0,
        rule="use-after-free",
        mistakes=mistakes,
        after=(bytearray(data), n),
        says="index_records, while another thread resizes the data",
    )
