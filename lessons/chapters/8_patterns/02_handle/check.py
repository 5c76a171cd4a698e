"""Recorders in use, closed, forgotten, broken, and shared."""

from itertools import accumulate

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield what a recorder does, then all ways in which it ends."""
    for n in draw.sizes(9):
        pieces = [draw.data(draw.randint(0, 50)) for _ in range(n)]
        says = f"the sizes of a tape with {n} pieces"
        yield drive("sizes", pieces, gives=list(accumulate(map(len, pieces), initial=0)), says=says)
    yield drive("new", "", gives=Raises(ValueError), says='Recorder("")')
    for what in ("write", "size", "with"):
        says = f"{what} after close, close"
        yield drive("after_close", what, gives=Raises(ValueError), repeat=20, says=says)
    yield drive("after_close", "", gives=None, says="close, close")
    for how in ("closed", "with", "exception", "collected", "cycle"):
        says = f"the recorders that stay open ({how})"
        mistakes = (("none was opened", "wrong-answer"),)
        yield drive(
            "open_after", how, gives=0, rule="leaked-memory", repeat=0, mistakes=mistakes, says=says
        )
    says = "the exceptions of closing a broken recorder twice"
    yield drive("raised", gives=["OSError", None], rule="exception-lost", says=says)
    yield drive(
        "shared",
        gives="closed after it wrote",
        rule="use-after-free",
        repeat=0,
        mistakes=(("nothing was written", "wrong-answer"),),
        says="close, while another thread writes",
    )
