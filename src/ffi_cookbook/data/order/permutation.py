"""A permutation of range(n) that is computed, not stored.

The numbers are laid out on a grid of columns x rows, with at most one row more than needed. A
Feistel network permutes its cells: round by round it moves a cell along one axis by a hash of its
place on the other,

    column, row  ->  column + hash(row), row  ->  column + hash(row), row + hash(column)  -> ...

modulo the size of the axis, which can be undone whatever the hash is. A result of n or more, in
the last row, is permuted again until it is below n (cycle walking). So each of range(n) is hit
exactly once.

Source: J. Black and P. Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002.
"""

from __future__ import annotations

import math

import numpy as np

from ffi_cookbook.bindings.protocol import Int64Array, Uint32Array

_ROUNDS = 8
_FACTORS = np.uint32(0x7FEB352D), np.uint32(0x846CA68B)  # odd; of C. Wellons' "lowbias32"
LARGEST = 2**62 - 2**32  # so that both axes fit 31 bits


class Permutation:
    """A permutation of range(n), another one for each seed and key."""

    def __init__(self, n: int, seed: int, *key: int) -> None:
        if not 0 <= n <= LARGEST:
            raise ValueError(f"n must be between 0 and {LARGEST}, not {n}")
        columns = math.isqrt(max(n - 1, 0)) + 1
        self._n, self._sizes = n, (columns, -(-n // columns))
        seeds = np.random.SeedSequence(seed, spawn_key=key)
        self._keys = seeds.generate_state(_ROUNDS, np.uint32)

    def __call__(self, places: Int64Array) -> Int64Array:
        """Return the numbers at these places, int64 of shape (k,) like them, each of range(n)."""
        found = self._network(places)
        outside = np.flatnonzero(found >= self._n)
        while len(outside):
            again = self._network(found[outside])
            found[outside] = again
            outside = outside[again >= self._n]
        return found

    def _network(self, cells: Int64Array) -> Int64Array:
        rows = cells // self._sizes[0]
        axes = (cells - rows * self._sizes[0]).astype(np.uint32), rows.astype(np.uint32)
        hashed, work = np.empty((2, len(cells)), np.uint32)
        for number, key in enumerate(self._keys):
            side = number % 2
            size = self._sizes[1 - side]
            _hash(axes[side], key, hashed, work)
            moved = axes[1 - side]
            moved += ((hashed.astype(np.uint64) * np.uint64(size)) >> np.uint64(32)).astype(
                np.uint32
            )
            np.subtract(moved, np.uint32(size), out=work)  # wraps to a large number below `size`
            np.minimum(moved, work, out=moved)
        return axes[1] * np.int64(self._sizes[0]) + axes[0]


def _hash(values: Uint32Array, key: np.uint32, out: Uint32Array, work: Uint32Array) -> None:
    """Write a hash of each value to `out`; its highest bits depend on all bits of the value."""
    np.add(values, key, out=out)
    out *= _FACTORS[0]
    np.right_shift(out, np.uint32(15), out=work)
    out ^= work
    out *= _FACTORS[1]
