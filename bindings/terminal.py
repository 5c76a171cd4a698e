"""Text for a terminal, from files and names that anybody may have written."""

from __future__ import annotations


def printable(text: object) -> str:
    """Return the text with every character that does not print as itself escaped, so that nothing
    in it can move the cursor, set colours or reverse what is read."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in str(text)
    )
