"""Calls by name, and the docstring."""


def named(subject, seconds, options):
    """Call clock with every argument given by name."""
    return subject.clock(seconds=seconds, **options)


def documented(subject):
    """Return True if something follows the signature in the docstring."""
    return len(subject.clock.__doc__.strip().splitlines()) > 1
