"""The exception of the pattern `error_fields`."""

from __future__ import annotations


class PatternError(ValueError):
    """A failure with fields that native code fills in: the code and the byte offset."""

    def __init__(self, code: int, offset: int) -> None:
        super().__init__(code, offset)
        self.code = code
        self.offset = offset

    def __str__(self) -> str:
        return f"failed with code {self.code} at byte {self.offset}"
