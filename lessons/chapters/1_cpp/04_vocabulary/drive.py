"""Calls to the functions of a vocabulary, with text that is freed after each call."""

import contextlib
import ctypes

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.free.restype, libc.free.argtypes = None, [ctypes.c_void_p]


def prepare(library):
    """Declare the prototypes."""
    handle, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
    prototypes = {
        "vocabulary_new": (handle,),
        "vocabulary_add": (ctypes.c_int, handle, text, size),
        "vocabulary_find": (ctypes.c_int, handle, text, size),
        "vocabulary_text": (text, handle, ctypes.c_int, ctypes.POINTER(size)),
        "vocabulary_free": (None, handle),
    }
    for name, (result, *arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


@contextlib.contextmanager
def vocabulary(library):
    """Yield a vocabulary, which is freed at the end."""
    handle = library.vocabulary_new()
    yield handle
    library.vocabulary_free(handle)


def given(function, handle, token):
    """Call a function with a copy of the token, which is overwritten and freed afterwards."""
    place = libc.malloc(len(token) + (not token))
    ctypes.memmove(place, token, len(token))
    answer = function(handle, place, len(token))
    ctypes.memset(place, 0x23, len(token))
    libc.free(place)
    return answer


def text(library, handle, number):
    """Return the token with that number, or None."""
    n = ctypes.c_size_t()
    place = library.vocabulary_text(handle, number, n)
    return None if place is None else ctypes.string_at(place, n.value)


def add(library, tokens):
    """Return the numbers of the tokens, and then the token of each number."""
    with vocabulary(library) as handle:
        numbers = [given(library.vocabulary_add, handle, token) for token in tokens]
        return numbers, [text(library, handle, number) for number in sorted(set(numbers))]


def find(library, tokens, wanted):
    """Return the numbers of the wanted tokens, each looked up twice, and of one added later."""
    with vocabulary(library) as handle:
        for token in tokens:
            given(library.vocabulary_add, handle, token)
        numbers = [given(library.vocabulary_find, handle, token) for token in wanted * 2]
        return numbers, given(library.vocabulary_add, handle, b"a new token")


def text_of(library, tokens, number):
    """Return the token with that number, or None."""
    with vocabulary(library) as handle:
        for token in tokens:
            given(library.vocabulary_add, handle, token)
        return text(library, handle, number)


def stays(library, tokens):
    """Return the text of token 0, through a pointer from before the other ones were added."""
    with vocabulary(library) as handle:
        given(library.vocabulary_add, handle, tokens[0])
        n = ctypes.c_size_t()
        place = library.vocabulary_text(handle, 0, n)
        for token in tokens[1:]:
            given(library.vocabulary_add, handle, token)
        return ctypes.string_at(place, n.value)
