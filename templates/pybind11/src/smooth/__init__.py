"""Moving averages and a CRC-32."""

import sys

if sys.version_info < (3, 12):  # the import would never return; 3.12 refuses
    import _xxsubinterpreters as interpreters

    if interpreters.get_current() != interpreters.get_main():
        raise ImportError("smooth works in the main interpreter only")

from smooth._native import Average, crc32, ema

__all__ = ["Average", "crc32", "ema"]
