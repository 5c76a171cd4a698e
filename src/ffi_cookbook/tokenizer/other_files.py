"""What a file is that is not a vocabulary, but was found where one was expected."""

from __future__ import annotations

import re
from typing import Any

_BEGINNINGS = {
    rb"\s*\Z": "an empty file",
    rb"version https://git-lfs": "a Git LFS pointer, which `git lfs pull` replaces with the file",
    rb"(?i)\s*<(!|html|head|body|\?xml|error)": "HTML or XML, such as the error page of a server",
    rb"\n[\x03-\x7f]\n(?s:.){,200}?\0": "a SentencePiece model",
    rb"\x1f\x8b|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|PK\x03\x04": "a compressed file",
    rb"\s*\[": "a JSON array",
    rb"(?!\xff\xfe|\xfe\xff)(?s:.){,4096}?\0": "a binary file",
}


def other_file(data: bytes) -> str | None:
    """Return what a file is, judged by its beginning, or None if it may be a vocabulary."""
    return next((kind for start, kind in _BEGINNINGS.items() if re.match(start, data)), None)


def other_json(content: dict[str, Any]) -> str:
    """Return what a JSON object is that has no model."""
    if isinstance(content.get("config"), dict) and isinstance(content.get("vocab"), list):
        return "Mistral's tekken.json"
    if content and all(type(value) is int for value in content.values()):
        return "ids of tokens (vocab.json or encoder.json) without their merges"
    keys = ", ".join(repr(key[:30]) for key in [*content][:6])
    return f"a JSON object with the keys {keys or '(none)'}"
