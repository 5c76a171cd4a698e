"""Listeners that are forgotten by all but C, that raise, and that are too many."""

import gc
import weakref


class Listening:
    """A function that notes what it hears, and raises its error if it has one."""

    def __init__(self, heard, error=None):
        self.heard, self.error = heard, error

    def __call__(self, value):
        self.heard.append(value)
        if self.error:
            raise self.error


def heard(exercise, listeners, values):
    """Return what each listener hears."""
    notes = [[] for _ in range(listeners)]
    numbers = [exercise.listen(Listening(note)) for note in notes]
    try:
        for value in values:
            exercise.send(value)
    finally:
        for number in numbers:
            exercise.remove(number)
    exercise.send(0.0)
    return notes


def alive(exercise):
    """Return True if a function to which only C refers is alive."""
    listener = Listening([])
    found = weakref.ref(listener)
    number = exercise.listen(listener)
    del listener
    gc.collect()
    answer = found() is not None
    exercise.remove(number)
    return answer


def forgotten(exercise):
    """Return True if a function is freed after it was removed."""
    listener = Listening([])
    found = weakref.ref(listener)
    exercise.remove(exercise.listen(listener))
    del listener
    gc.collect()
    return found() is None


def raised(exercise, messages, error):
    """Return what is heard, and the text of the exception of `send`, where some listeners raise."""
    kinds = {"ValueError": ValueError, "KeyError": KeyError}
    notes = []
    numbers = [
        exercise.listen(Listening(notes, kinds[error](text) if text else None)) for text in messages
    ]
    caught = None
    try:
        exercise.send(1.5)
    except Exception as found:
        caught = f"{type(found).__name__}: {found.args[0]}"
    finally:
        for number in numbers:
            exercise.remove(number)
    exercise.send(0.5)  # the exception is not raised twice
    return notes, caught


def crowded(exercise):
    """Add one listener too many."""
    numbers = []
    try:
        for _ in range(17):
            numbers.append(exercise.listen(Listening([])))
    finally:
        for number in numbers:
            exercise.remove(number)
