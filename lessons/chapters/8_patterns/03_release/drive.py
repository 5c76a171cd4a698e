"""Check whether C worked without the GIL, and what another thread could do meanwhile."""

import ctypes
import threading

import meeting


def prepare(subject):
    """Declare the functions of digest.c and meeting.h that are for the checker."""
    library = ctypes.CDLL(subject.__file__)
    meeting.prepare(subject, library)
    subject.held, subject.released, subject.forget = (
        getattr(library, f"digest_{name}") for name in ("held", "released", "forget")
    )


def how(subject, function, argument):
    """Return "held", "released" or "both": the state of the GIL while the function hashes."""
    subject.forget()
    getattr(subject, function)(argument)
    held, released = subject.held(), subject.released()
    return "both" if held and released else "held" if held else "released"


def during(subject, call, other):
    """Return what `other` returns while a thread is in `call`, and what `call` returns."""
    results = []
    subject.forget()
    call()
    if subject.held():
        return "alone", results
    subject.expect(2)
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    meeting.entered(subject, thread)
    found = other()
    met = subject.join()
    subject.expect(0)
    thread.join()
    return found if met else "alone", results


def cleared(subject, sizes):
    """Return the hash of a list whose last references another thread drops meanwhile."""
    items = [bytearray(size) for size in sizes]

    def clear():
        items.clear()
        return [bytearray(b"x" * size) for size in sizes] and "cleared"

    return during(subject, lambda: subject.digest_all(items), clear)


def resized(subject, size):
    """Return "refused" if a bytearray cannot be resized while it is hashed."""
    data = bytearray(size)

    def resize():
        try:
            data.extend(data)
        except BufferError:
            return "refused"
        return "resized"

    return during(subject, lambda: subject.digest(data), resize)[0]
