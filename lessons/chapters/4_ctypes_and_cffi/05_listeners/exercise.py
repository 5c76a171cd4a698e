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

lib = ctypes.CDLL(str(Path(__file__).with_name("libbus.so")))


def listen(function):
    """Have the function called with each value, and return the number of the listener."""
    return 0  # TODO


def remove(number):
    """Remove a listener."""


def send(value):
    """Call all listeners, and raise their first exception."""
