"""Check what a cell holds, and that everything is freed."""

from collections.abc import Iterator

from lessons.cases import Case, Draw, drive


def cases(draw: Draw) -> Iterator[Case]:
    """Yield the cases whose failure crashes all others first, then values, cycles and modules."""
    yield drive("types_lost", 100, gives=0, rule="released-borrowed", repeat=0,
                says="references to the type after 100 cells")  # fmt: skip
    first, second = draw.floats(1) * 2, draw.text(12)
    yield drive("held", first, second, gives=[first, None, second],
                says="get() and set() of a cell")  # fmt: skip
    yield drive("freed", gives=True, rule="leaked-object", says="if an unreachable cell is freed")
    yield drive("freed_while_collecting", 10, gives=None, repeat=0,
                says="cells whose value collects garbage when it is freed")  # fmt: skip
    yield drive("replaced", gives=True, rule="leaked-object", says="set() with another value")
    for length in (1, draw.randint(2, 9)):
        yield drive("collected", length, gives=True, rule="not-collected", repeat=0,
                    says=f"a cycle with {length} cells")  # fmt: skip
    yield drive("cleared", gives=True, rule="not-collected", repeat=0,
                says="a cycle of a cell and a tuple")  # fmt: skip
    yield drive("types_kept", 100, gives=0, rule="reference-kept", repeat=0,
                says="references to the type after 100 cells")  # fmt: skip
    yield drive("own_types", gives=True, repeat=0, says="a second module of the same file")
    yield drive("module_collected", False, gives=True, rule="not-collected", repeat=0,
                says="if an unreachable module is freed")  # fmt: skip
    yield drive("module_collected", True, gives=True, rule="not-collected", repeat=0,
                says="a module whose type owns a cell that owns the module")  # fmt: skip
