"""Count the calls from Python to the functions of the module _geo."""

import sys


def crossings(exercise, places, latitude, longitude):
    """Return the number of calls to C, or 3 if there are no more."""
    import _geo

    counted = 0

    def count(frame, event, called):
        nonlocal counted
        if event == "c_call" and getattr(called, "__self__", None) is _geo.lib:
            counted += 1

    sys.setprofile(count)
    try:
        exercise.distances(places, latitude, longitude)
    finally:
        sys.setprofile(None)
    return max(counted, 3)
