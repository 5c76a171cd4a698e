"""Text that is safe to print on a terminal, even if a file or a name contains anything."""

from __future__ import annotations


def printable(text: object) -> str:
    """Escape every character of the text that does not print as itself.

    So nothing in it can move the cursor, set colours or reverse the text that is read.
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in str(text)
    )
