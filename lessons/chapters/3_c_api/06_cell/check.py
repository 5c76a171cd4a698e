"""Check what a cell holds, and that everything is freed."""

from ffi_cookbook_lessons.cases import drive


def cases(draw):
    """Yield the cases whose failure crashes all others first, then values, cycles and modules."""
    says = "references to the type after 100 cells"
    yield drive("types_lost", 100, gives=0, rule="released-borrowed", repeat=0, says=says)
    first, second = draw.floats(1) * 2, draw.text(12)
    says = "get() and set() of a cell"
    yield drive("held", first, second, gives=[first, None, second], says=says)
    yield drive("freed", gives=True, rule="leaked-object", says="if an unreachable cell is freed")
    says = "cells whose value collects garbage when it is freed"
    yield drive("freed_while_collecting", 10, gives=None, repeat=0, says=says)
    yield drive("replaced", gives=True, rule="leaked-object", says="set() with another value")
    for length in (1, draw.randint(2, 9)):
        says = f"a cycle with {length} cells"
        yield drive("collected", length, gives=True, rule="not-collected", repeat=0, says=says)
    says = "a cycle of a cell and a tuple"
    yield drive("cleared", gives=True, rule="not-collected", repeat=0, says=says)
    says = "references to the type after 100 cells"
    yield drive("types_kept", 100, gives=0, rule="reference-kept", repeat=0, says=says)
    yield drive("own_types", gives=True, repeat=0, says="a second module of the same file")
    says = "if an unreachable module is freed"
    yield drive("module_collected", False, gives=True, rule="not-collected", repeat=0, says=says)
    says = "a module whose type owns a cell that owns the module"
    yield drive("module_collected", True, gives=True, rule="not-collected", repeat=0, says=says)
