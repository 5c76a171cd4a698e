import ctypes
from pathlib import Path

Listener = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_void_p)

lib = ctypes.CDLL(str(Path(__file__).with_name("libbus.so")))
lib.bus_listen.argtypes = [Listener, ctypes.c_void_p]
lib.bus_listen.restype = ctypes.c_int
lib.bus_remove.argtypes = [ctypes.c_int]
lib.bus_remove.restype = None
lib.bus_send.argtypes = [ctypes.c_double]
lib.bus_send.restype = None

_listeners = {}  # keeps each callback alive for as long as C has its address
_errors = []


def listen(function):
    """Have the function called with each value, and return the number of the listener."""

    def call(value, context):
        try:
            function(value)
        except BaseException as error:
            _errors.append(error)

    callback = Listener(call)
    number = lib.bus_listen(callback, None)
    if number < 0:
        raise RuntimeError("there is no room for another listener")
    _listeners[number] = callback
    return number


def remove(number):
    """Remove a listener."""
    lib.bus_remove(number)
    _listeners.pop(number, None)  # after C has forgotten it


def send(value):
    """Call all listeners, and raise their first exception."""
    _errors.clear()
    lib.bus_send(value)
    if _errors:
        error = _errors[0]
        _errors.clear()
        raise error
