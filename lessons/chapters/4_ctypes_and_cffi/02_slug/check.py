"""Titles of random words and of odd characters."""

import re

from ffi_cookbook_lessons.cases import Raises, call


def small(title):
    """Return what the title must become, or "" if nothing is left of it."""
    lower = re.sub("[A-Z]", lambda letter: letter[0].lower(), title)
    return re.sub(r"[^a-z0-9\x80-\U0010ffff]+", "-", lower).strip("-")


def cases(draw):
    """Yield titles short and long, and those that must be refused."""
    yield call("slug", "Größe & Länge, 2nd part", gives="größe-länge-2nd-part")
    for n in (1, 5, 40, 300):
        title = "x" + draw.text(n).replace("\0", "?")
        yield call("slug", title, gives=small(title))
    yield call("slug", "?!", gives=Raises(ValueError))
    yield call("slug", "", gives=Raises(ValueError))
    yield call("slug", "one\0two", gives=Raises(ValueError))
