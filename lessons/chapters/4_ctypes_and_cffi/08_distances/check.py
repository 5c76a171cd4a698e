"""Distances of random places, against the angle between two vectors, and the calls to C."""

import math

import numpy as np

from ffi_cookbook_lessons.cases import Near, call, drive


def vector(latitude, longitude):
    """Return the place as a vector of length one."""
    up, east = math.radians(latitude), math.radians(longitude)
    return np.array([math.cos(up) * math.cos(east), math.cos(up) * math.sin(east), math.sin(up)])


def distance(a, b):
    """Return the distance between two places in km."""
    x, y = vector(*a), vector(*b)
    return 6371.0088 * math.atan2(np.linalg.norm(np.cross(x, y)), float(x @ y))


def cases(draw):
    """Yield distances for several numbers of places, and the number of calls for many."""

    def places(n):
        rows = [[draw.uniform(-80, 80), draw.uniform(-179, 179)] for _ in range(n)]
        return np.array(rows, np.float64).reshape(n, 2)

    for n in draw.sizes(200):
        here, there = (draw.uniform(-80, 80), draw.uniform(-179, 179)), places(n)
        wanted = np.array([distance(row, here) for row in there], np.float64)
        yield call("distances", there, *here, gives=Near(wanted, 1e-9))
    says = "the number of C calls for 500 places (3 if at most 3),"
    many = places(500)
    rule = "too-many-crossings"
    yield drive("crossings", many, 1.0, 2.0, gives=3, rule=rule, says=says, repeat=0)
