"""Sums in one process, in children, and with threads at the moment of the fork."""

from collections.abc import Iterator

from ffi_cookbook_lessons.cases import Case, Draw, drive

STILL = "the child stands still"


def cases(draw: Draw) -> Iterator[Case]:
    """Yield one process first, then forks."""
    yield drive("made", gives=0, repeat=0, says="the pools that importing makes")
    lists = [draw.floats(n) for n in draw.sizes(50)]

    def total(values: list[float]) -> float:
        return sum((value * value for value in values), 0.0)

    yield drive(
        "several",
        lists,
        gives=([total(values) for values in lists], 0),
        timed=True,
        says="five sums, and the pools made for them",
    )
    values = draw.floats(20)
    for depth, what in ((1, "a child"), (2, "a child's child")):
        yield drive(
            "forked",
            values,
            depth,
            gives=[total(values)] * 2,
            rule="deadlock",
            repeat=0,
            says=f"the sums in {what}, then in the parent",
        )
    yield drive(
        "kept",
        values,
        gives=0,
        rule="leaked-memory",
        repeat=0,
        says="the pools that the parent makes after a fork",
    )
    yield drive(
        "unused",
        values,
        gives=0.1,
        repeat=0,
        mistakes=((STILL, "deadlock"),),
        says="the pools of a child, before a sum and after two",
    )
    yield drive(
        "shared",
        values,
        gives=False,
        rule="race",
        repeat=0,
        says="two threads in one pool at the same time",
    )
    yield drive(
        "forked_meanwhile",
        values,
        gives=total(values),
        rule="deadlock",
        repeat=0,
        says="the sum in a child that is forked while a thread waits for a sum",
    )
