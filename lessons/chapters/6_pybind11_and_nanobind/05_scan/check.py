"""Values above a limit, exceptions of the callback, and the thread in which it runs."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield searches without a hit first, then with hits, then exceptions."""
    yield drive("watched", np.zeros(5), 1.0, gives=[0, []], says="watch without a hit")
    for n in (1, draw.randint(2, 9), draw.randint(10, 30)):
        values = np.array(draw.floats(n))
        limit = float(sorted(values)[n // 2])
        hits = [(i, float(value)) for i, value in enumerate(values) if value > limit]
        yield drive("watched", values, limit, gives=[len(hits), hits], says=f"watch of {n} values")
    yield drive("in_thread", gives=False, says="whether the callback runs in the calling thread")
    values = np.arange(float(draw.randint(8, 12)))
    last = draw.randint(2, 5)  # with values behind it
    expected = ["KeyError", list(range(last + 1))]
    says = "watch, whose callback raises KeyError"
    yield drive("raising", values, last, gives=expected, rule="exception-lost", says=says)
    for fault in ("dtype", "dimensions", "strides", "list"):
        yield drive("refused", fault, gives=Raises(TypeError))
