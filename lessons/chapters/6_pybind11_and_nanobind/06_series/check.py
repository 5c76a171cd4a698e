"""The class Series, whichever library it is written with."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield values of each kind, then views, errors, copies, and cycles."""
    for n in (1, draw.randint(2, 9), draw.randint(10, 40)):
        numbers, name = draw.floats(n), draw.text(6)
        for values in (np.array(numbers), np.array(numbers, np.float32), numbers, tuple(numbers)):
            says = f"Series of a {type(values).__name__} of {n} numbers"
            yield drive("shown", name, values, gives=[name, np.array(numbers), n], says=says)
        says = "scaled(2.0)"
        yield drive("scaled", name, numbers, 2.0, gives=[name, np.array(numbers) * 2], says=says)
    says = "series.values after the series"
    yield drive("kept", 50, gives=True, mistakes=((False, "dangling"),), says=says)
    says = "whether values is a view, and writable"
    mistakes = (
        ([False, True], "copied"),
        ([False, False], "copied"),
        ([True, True], "changed-input"),
    )
    yield drive("viewed", gives=[True, False], mistakes=mistakes, says=says)
    yield drive("made", "x", [], gives=Raises(ValueError, "must have values"))
    for wrong in (None, 3.5, "ab", np.ones((2, 2)), [None]):
        yield drive("made", "x", wrong, gives=Raises(TypeError))
    yield drive("made", 5, [1.0], gives=Raises(TypeError))
    yield drive("set", gives=["new", [1, 2], None], says="name and label, when they are set")
    yield drive("equal", gives=[True, False, False, False], says="== of series")
    says = "copy.copy and pickle"
    yield drive("copied", draw.floats(5), ["a", 1], gives=[True, ["a", 1]] * 2, says=says)
    says = "a series that is its own label"
    yield drive("collected", gives=True, repeat=0, mistakes=((False, "not-collected"),), says=says)
    says = "a label whose series goes"
    yield drive("freed", gives=True, mistakes=((False, "leaked-object"),), says=says)
