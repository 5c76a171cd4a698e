"""Let C call Python, and let an exception come through.

libbus.so lies beside this file, with

    typedef void (*bus_listener)(double value, void *context);
    int bus_listen(bus_listener call, void *context);   a number, or -1: there is room for 16
    void bus_remove(int number);
    void bus_send(double value);                        calls all listeners

Write listen(function), remove(number) and send(value):

    >>> number = exercise.listen(lambda value: print("heard", value))
    >>> exercise.send(2.5)
    heard 2.5
    >>> exercise.remove(number)

C has the address of the function from `listen` to `remove`, so the function must stay alive that
long, and no longer, even if nobody else refers to it. If there is no room, `listen` raises
RuntimeError.

C has no exceptions. If listeners raise any, all are still called, and then `send` raises the first.
"""

import ctypes
from pathlib import Path

#: lib = ctypes.CDLL(str(Path(__file__).with_name("libbus.so")))
# BEGIN SOLUTION
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
# END SOLUTION


def listen(function):
    """Have the function called with each value, and return the number of the listener."""
    #: return 0  # TODO
    # BEGIN SOLUTION

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
    # END SOLUTION


def remove(number):
    """Remove a listener."""
    # BEGIN SOLUTION
    lib.bus_remove(number)
    _listeners.pop(number, None)  # after C has forgotten it
    # END SOLUTION


def send(value):
    """Call all listeners, and raise their first exception."""
    # BEGIN SOLUTION
    _errors.clear()
    lib.bus_send(value)
    if _errors:
        error = _errors[0]
        _errors.clear()
        raise error
    # END SOLUTION
