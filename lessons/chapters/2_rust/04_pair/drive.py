"""Calls with a keyword, and what Python sees of the function."""

import inspect


def replace_pair(module, ids, pair, new):
    """Return the result of a call by keyword."""
    return module.replace_pair(ids, pair, new=new)


def positional(module, *arguments):
    """Return the result of a call without keywords."""
    return module.replace_pair(*arguments)


def signature(module):
    """Return the signature as a text."""
    return str(inspect.signature(module.replace_pair))


def has_docstring(module):
    """Return True if the function has a docstring."""
    return bool((module.replace_pair.__doc__ or "").strip())
