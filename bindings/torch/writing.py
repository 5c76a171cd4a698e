"""What a writer of records needs, through torch: a checksum, and integers as varints.

Shows:  an operator that returns a number, and one that returns a tensor of an unknown size.
Build:  bindings/torch/writing.cpp.
Bites:  torch.compile cannot know a number that depends on data: crc32c has no fake kernel.
"""

from __future__ import annotations

from bindings.integers import check_integers
from bindings.protocol import Buffer, Int64Array
from bindings.torch.library import lend, lend_bytes, ops

# ---- kernels -------------------------------------------------------------------------------

_crc32c = ops.crc32c.default
_encode_varints = ops.encode_varints.default


def crc32c(buffer: Buffer, /) -> int:
    """See bindings.protocol.Backend.crc32c."""
    crc: int = _crc32c(lend_bytes("buffer", buffer))
    return crc


def encode_varints(values: Int64Array, /) -> bytes:
    """See bindings.protocol.Backend.encode_varints."""
    return _encode_varints(lend(check_integers("values", values))).numpy().tobytes()  # type: ignore[no-any-return]
