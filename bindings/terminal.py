"""Text that is safe to print on a terminal, whatever a file or a name contains."""

from __future__ import annotations


def printable(text: object) -> str:
    """Return the text with every character that does not print as itself escaped.

    So nothing in it can move the cursor, set colours or reverse the text that is read.
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in str(text)
    )
