"""Signals that arrive at a certain step of a search."""

import contextlib
import ctypes
import signal
import threading


def prepare(subject):
    """Declare the functions of search.c that are for the checker."""
    library = ctypes.CDLL(subject.__file__)
    library.search_forget.argtypes = [ctypes.c_long]
    for name in ("steps", "runs", "held"):
        getattr(library, f"search_{name}").restype = ctypes.c_long
    subject.library = library


@contextlib.contextmanager
def handled(handler):
    """Let a function handle the signal."""
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(subject, number, at, kind):
    """Return what a search raises if a signal arrives at a step, and how soon, in steps."""

    def handler(number, frame):
        raise KeyboardInterrupt if kind == "KeyboardInterrupt" else TimeoutError("no time")

    subject.library.search_forget(at)
    with handled(handler):
        try:
            subject.smallest_factor(number)
            raised = "nothing"
        except (KeyboardInterrupt, TimeoutError) as error:
            raised = type(error).__name__
    late = subject.library.search_steps() - at
    subject.library.search_forget(-1)
    return raised, "in time" if late <= 100_000 else f"{late} steps later"


def gone_on(subject, number, at):
    """Return a search's result if a handler that raises nothing runs, itself with a search."""
    notes = []
    subject.library.search_forget(at)
    with handled(lambda number, frame: notes.append(subject.smallest_factor(35))):
        return subject.smallest_factor(number), notes


def looks(subject, number):
    """Return how the search was divided, and the state of the GIL meanwhile."""
    subject.library.search_forget(-1)
    subject.smallest_factor(number)
    if subject.library.search_held():
        return "the GIL is held"
    few = subject.library.search_runs() <= subject.library.search_steps() // 1000 + 2
    return "few looks" if few else "many looks"


def in_a_thread(subject, number):
    """Return the result of a search in a thread other than the main one."""
    found = []
    thread = threading.Thread(target=lambda: found.append(subject.smallest_factor(number)))
    thread.start()
    thread.join()
    return found
