"""Moving averages and a CRC-32."""

from smooth._native import Average, crc32, ema

__all__ = ["Average", "crc32", "ema"]
