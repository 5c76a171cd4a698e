"""Cycles through cells, and modules that are freed."""

import gc
import importlib.util
import sys
import weakref

SPARE = []


class Witness:
    """An object that is counted to see whether it is freed."""

    def __init__(self, owned=None):
        self.owned = owned


def prepare(subject):
    """Let the collector look only at what is made from here on."""
    gc.collect()
    gc.freeze()


def alive(kind, name):
    """Return the number of objects of that type and name, after collecting all cycles."""
    gc.collect()
    named = (item for item in gc.get_objects() if type(item) is kind)
    return sum(getattr(item, "__name__", name) == name for item in named)


def held(subject, first, second):
    """Return what a cell holds, before and after another value is set."""
    cell = subject.cell(first)
    before = cell.get()
    return [before, cell.set(second), cell.get()]


def freed(subject):
    """Return True if a value is freed with its cell."""
    witness = Witness()
    cell = subject.cell(witness)
    last = weakref.ref(witness)
    del witness, cell
    return last() is None


class Collector:
    """An object that collects garbage when it is freed."""

    def __del__(self):
        gc.collect()


def freed_while_collecting(subject, n):
    """Free n cells, each of which starts the collector when its value is freed."""
    for _ in range(n):
        subject.cell(Collector())


def replaced(subject):
    """Return True if a value is freed when another one is set."""
    witness = Witness()
    cell = subject.cell(witness)
    last = weakref.ref(witness)
    del witness
    cell.set(None)
    return last() is None


def collected(subject, length):
    """Return True if a cycle through that many cells and one object is collected."""
    before = alive(Witness, "")
    witness = Witness()
    cell = witness
    for _ in range(length):
        cell = subject.cell(cell)
    witness.owned = cell
    del witness, cell
    return alive(Witness, "") == before


def cleared(subject):
    """Return True if a cycle is collected that only a cell can break, since a tuple cannot."""
    before = alive(Witness, "")
    cell = subject.cell(None)
    cell.set((cell, Witness()))
    del cell
    return alive(Witness, "") == before


def references_to_type(subject, n):
    """Return the change in the number of references to the type after n cells."""
    SPARE.extend([subject.Cell] * 10 * n)  # so that releasing too often does not free the type
    before = sys.getrefcount(subject.Cell)
    for _ in range(n):
        subject.cell(1.5)
    return sys.getrefcount(subject.Cell) - before


def types_kept(subject, n):
    """Return the number of references to the type that cells do not release."""
    return max(0, references_to_type(subject, n))


def types_lost(subject, n):
    """Return the number of references to the type that cells release but do not own."""
    return max(0, -references_to_type(subject, n))


def another(subject):
    """Return a new module of the same file."""
    spec = importlib.util.spec_from_file_location("exercise", subject.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_types(subject):
    """Return True if a second module has a type of its own."""
    module = another(subject)
    return type(module.cell(1)) is module.Cell and module.Cell is not subject.Cell


def module_collected(subject, with_cell):
    """Return True if a module's type is freed with it, even if a cell in it holds the type."""
    before = alive(type, "Cell")
    module = another(subject)
    if with_cell:
        module.Cell.example = module.cell(module)
    del module
    return alive(type, "Cell") == before
