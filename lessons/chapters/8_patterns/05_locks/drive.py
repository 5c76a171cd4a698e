"""Threads that want the journal while another thread's function is called under its lock."""

import functools
import threading
import time

import meeting

prepare = meeting.prepare


def heard(subject, entries):
    """Return what a function hears, and check that it hears nothing after listening has ended."""
    notes = []
    subject.listen(notes.append)
    before = subject.size()
    for entry in entries:
        subject.write(entry)
    subject.listen(None)
    subject.write("nobody listens")
    return notes, subject.size() - before


def raising(subject, text):
    """Return the exception that `write` raises, and what is heard after it."""

    def fail(entry):
        raise LookupError(text + entry)

    subject.listen(fail)
    try:
        subject.write("entry")
        found = None
    except LookupError as error:
        found = error.args[0]
    notes = []
    subject.listen(notes.append)
    subject.write("next")
    subject.listen(None)
    return found, notes


def meanwhile(subject, function, *arguments):
    """Return what is heard if one thread calls the function while another one is in `write`."""
    notes, inside = [], threading.Event()

    def slow(entry):
        if not inside.is_set():
            inside.set()
            time.sleep(0.05)  # without the GIL, and with the journal's lock
        notes.append(entry)

    subject.listen(slow)
    other = threading.Thread(target=subject.write, args=("first",))
    other.start()
    inside.wait()
    getattr(subject, function)(*arguments)
    other.join()
    subject.listen(None)
    return notes


def replaced(subject):
    """Return what is heard if the function is replaced while it is called."""
    notes, inside = [], threading.Event()

    @functools.cache  # uses itself after the call
    def slow(entry):
        inside.set()
        time.sleep(0.05)
        notes.append(entry)

    subject.listen(slow)
    del slow
    other = threading.Thread(target=subject.write, args=("first",))
    other.start()
    inside.wait()
    subject.listen(None)
    other.join()
    return notes


def removed(subject):
    """Return what is heard if the function is removed just before the journal calls it."""
    notes = []
    subject.listen(notes.append)
    subject.expect(2)
    other = threading.Thread(target=subject.write, args=("first",))
    other.start()
    while not subject.count():
        pass
    threading.Timer(0.05, subject.join).start()  # and now the journal calls it
    subject.listen(None)
    other.join()
    subject.expect(0)
    return notes or ["first"]
