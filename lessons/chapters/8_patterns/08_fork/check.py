"""Sums in one process, in children, and with threads at the moment of the fork."""

from ffi_cookbook_lessons.cases import drive

STILL = "the child stands still"


def cases(draw):
    """Yield one process first, then forks."""
    yield drive("made", gives=0, repeat=0, says="the pools that importing makes")
    lists = [draw.floats(n) for n in draw.sizes(50)]

    def total(values):
        return sum((value * value for value in values), 0.0)

    says = "five sums, and the pools made for them"
    gives = ([total(values) for values in lists], 0)
    yield drive("several", lists, gives=gives, timed=True, says=says)
    values = draw.floats(20)
    for depth, what in ((1, "a child"), (2, "a child's child")):
        says = f"the sums in {what}, then in the parent"
        gives = [total(values)] * 2
        yield drive("forked", values, depth, gives=gives, rule="deadlock", repeat=0, says=says)
    says = "the pools that the parent makes after a fork"
    yield drive("kept", values, gives=0, rule="leaked-memory", repeat=0, says=says)
    says = "the pools of a child, before a sum and after two"
    yield drive("unused", values, gives=0.1, repeat=0, mistakes=((STILL, "deadlock"),), says=says)
    says = "two threads in one pool at the same time"
    yield drive("shared", values, gives=False, rule="race", repeat=0, says=says)
    says = "the sum in a child that is forked while a thread waits for a sum"
    gives = total(values)
    yield drive("forked_meanwhile", values, gives=gives, rule="deadlock", repeat=0, says=says)
