"""A class for the bus, and an object for each listener."""

from ctypes import CDLL, CFUNCTYPE, c_double, c_int, c_void_p
from pathlib import Path

TYPE = CFUNCTYPE(None, c_double, c_void_p)


class Listener:
    def __init__(self, bus, function):
        self.bus, self.function = bus, function
        self.pointer = TYPE(self)

    def __call__(self, value, context):
        try:
            self.function(value)
        except Exception as error:
            self.bus.first = self.bus.first or error


class Bus:
    def __init__(self):
        library = CDLL(str(Path(__file__).with_name("libbus.so")))
        self.add = CFUNCTYPE(c_int, TYPE, c_void_p)(("bus_listen", library))
        self.drop = CFUNCTYPE(None, c_int)(("bus_remove", library))
        self.call = CFUNCTYPE(None, c_double)(("bus_send", library))
        self.listeners = [None] * 16
        self.first = None

    def listen(self, function):
        listener = Listener(self, function)
        number = self.add(listener.pointer, 0)
        if number < 0:
            listener.pointer = None
            raise RuntimeError("the bus is full")
        self.listeners[number] = listener
        return number

    def remove(self, number):
        self.drop(number)
        listener, self.listeners[number] = self.listeners[number], None
        listener.pointer = None  # it refers to the listener, and the listener to it

    def send(self, value):
        self.first = None
        self.call(value)
        error, self.first = self.first, None
        if error:
            raise error


_bus = Bus()
listen, remove, send = _bus.listen, _bus.remove, _bus.send
