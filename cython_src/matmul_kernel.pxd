"""GEMM, out = a @ b, as Goto and BLIS do it.

    for each NC columns of b:           a block of b, KC x NC, stays in L3
      for each KC rows of them:         pack b into B panels, each NR wide
        for each MC rows of a:          pack a into A panels, each MR high
          macrokernel: for each NR columns and MR rows of out
            microkernel: MR x NR sums stay in registers while k runs from 0 to KC

matmul_tile.pxi is the microkernel. Packing copies the blocks into panels in the order in which it
reads them, padded with zeros at the edges.

Every element of `out` is one chain of fused multiply-adds in the order of k. So its bytes depend
neither on blocks, threads and strides nor on the instruction set.
"""

cimport cython
from libc.stdint cimport uintptr_t
from libc.string cimport memcpy, memset

from isa cimport AVX2, AVX512, Isa
from matmul_avx2 cimport f32_tile as f32_avx2, f64_tile as f64_avx2
from matmul_avx512 cimport f32_tile as f32_avx512, f64_tile as f64_avx512
from matmul_portable cimport f32_tile as f32_portable, f64_tile as f64_portable
from parallel cimport run_parallel

cdef enum:
    KC = 384            # a B panel and a packed block of a stay in L2
    MC = 256            # the rows of that block of a
    NC = 4032           # a block of b in L3; a multiple of three vectors of any kind
    MAX_MR = 8
    MAX_NR_BYTES = 192
    SMALL = 1 << 21     # the least multiply-adds that are worth a thread

ctypedef fused real:
    float
    double

cdef struct Tile:
    # The microkernel: out (rows, vectors) += an A panel (depth, rows) @ a B panel (depth, vectors).
    void (*run)(const char *a, const char *b, char *out, Py_ssize_t stride, Py_ssize_t depth,
                int vectors) noexcept nogil
    Py_ssize_t itemsize, rows, vector  # rows: MR; vector: the bytes of a vector

cdef struct Matrix:
    const char *data
    Py_ssize_t row, col  # strides in bytes, of any sign and alignment

cdef struct Product:
    Matrix a, b
    char *out  # C-contiguous and aligned
    Py_ssize_t m, k, n
    Tile tile
    char *workspace
    Py_ssize_t workspace_size  # of each part
    int parts


cdef inline Tile tile_for(Isa isa, bint single) noexcept nogil:
    if isa == AVX512:
        return Tile(f32_avx512, 4, 8, 64) if single else Tile(f64_avx512, 8, 8, 64)
    if isa == AVX2:
        return Tile(f32_avx2, 4, 4, 32) if single else Tile(f64_avx2, 8, 4, 32)
    return Tile(f32_portable, 4, 4, 16) if single else Tile(f64_portable, 8, 4, 16)


@cython.cdivision(True)
cdef inline Py_ssize_t pieces(Py_ssize_t n, Py_ssize_t size) noexcept nogil:
    """Return the number of pieces of `size` that cover n. (In range() a variable step would be a
    Python object.)"""
    return (n + size - 1) // size


# ---- packing -------------------------------------------------------------------------------------


cdef inline void pack(real *panel, Py_ssize_t slots, Py_ssize_t count, Py_ssize_t depth,
                      const char *source, Py_ssize_t stride, Py_ssize_t k_stride) noexcept nogil:
    """Pack one panel: for each k, `count` elements `stride` bytes apart, and zeros up to
    `slots`."""
    cdef Py_ssize_t k, i
    for k in range(depth):
        if stride == sizeof(real):
            memcpy(panel + k * slots, source + k * k_stride, count * sizeof(real))
        for i in range(count, slots):
            panel[k * slots + i] = 0
    if stride != sizeof(real):
        for i in range(count):
            for k in range(depth):
                memcpy(panel + k * slots + i, source + i * stride + k * k_stride, sizeof(real))


cdef inline void pack_block(char *panels, Py_ssize_t width, Py_ssize_t unit, Py_ssize_t count,
                            Py_ssize_t depth, const char *source, Py_ssize_t stride,
                            Py_ssize_t k_stride, Py_ssize_t itemsize) noexcept nogil:
    """Pack a block into panels of `width` slots. The last one is as narrow as possible, in whole
    units.

        b, KC x NC           panels of width 2
        0 1 | 2 3            0 1 4 5 8 9 | 2 3 6 7 ..
        4 5 | 6 7    ->
        8 9 | ..
    """
    cdef Py_ssize_t panel, size, slots
    for panel in range(pieces(count, width)):
        size = min(width, count - panel * width)
        slots = pieces(size, unit) * unit
        if itemsize == sizeof(float):
            pack(<float *>panels, slots, size, depth, source, stride, k_stride)
        else:
            pack(<double *>panels, slots, size, depth, source, stride, k_stride)
        panels += width * depth * itemsize
        source += width * stride


# ---- blocks --------------------------------------------------------------------------------------


cdef inline void edge_tile(const Tile *tile, const char *a, const char *b, char *out,
                           Py_ssize_t stride, Py_ssize_t depth, int vectors, Py_ssize_t rows,
                           Py_ssize_t width) noexcept nogil:
    """Compute an edge tile, of which only rows x width lies in the matrix, in memory of its own."""
    cdef char[MAX_MR][MAX_NR_BYTES] aside
    cdef Py_ssize_t r
    for r in range(tile.rows):
        memset(aside[r], 0, vectors * tile.vector)
    for r in range(rows):
        memcpy(aside[r], out + r * stride, width)
    tile.run(a, b, aside[0], MAX_NR_BYTES, depth, vectors)
    for r in range(rows):
        memcpy(out + r * stride, aside[r], width)


cdef inline void multiply_block(const Tile *tile, const char *a, const char *b, char *out,
                                Py_ssize_t stride, Py_ssize_t height, Py_ssize_t breadth,
                                Py_ssize_t depth) noexcept nogil:
    """The macrokernel: multiply a packed block of a by one of b. `breadth` and `stride` are in
    bytes."""
    cdef Py_ssize_t i, j, rows, width, row_panel, column_panel
    cdef const char *a_panel
    cdef int vectors
    for column_panel in range(pieces(breadth, 3 * tile.vector)):
        j = column_panel * 3 * tile.vector
        width = min(3 * tile.vector, breadth - j)
        vectors = <int>pieces(width, tile.vector)
        a_panel = a
        for row_panel in range(pieces(height, tile.rows)):
            i = row_panel * tile.rows
            rows = min(tile.rows, height - i)
            if rows == tile.rows and width == vectors * tile.vector:
                tile.run(a_panel, b, out + i * stride + j, stride, depth, vectors)
            else:
                edge_tile(tile, a_panel, b, out + i * stride + j, stride, depth, vectors, rows,
                          width)
            a_panel += tile.rows * depth * tile.itemsize
        b += 3 * tile.vector * depth


cdef inline void multiply_part(void *job, int part) noexcept nogil:
    """Compute one thread's share of the rows."""
    cdef const Product *p = <const Product *>job
    cdef const Tile *tile = &p.tile
    cdef Py_ssize_t size = tile.itemsize, stride = p.n * size, lanes = tile.vector // size
    cdef Py_ssize_t share = pieces(pieces(p.m, tile.rows), p.parts) * tile.rows
    cdef Py_ssize_t begin = min(p.m, part * share), end = min(p.m, begin + share)
    cdef char *workspace = p.workspace + part * p.workspace_size
    cdef char *b_panels = <char *>(<uintptr_t>(workspace + 63) & ~<uintptr_t>63)
    cdef char *a_panels = b_panels + (min(KC, p.k) * tile.vector
                                      * pieces(min(NC, p.n), lanes))
    cdef Py_ssize_t i, j, k, i_block, j_block, k_block, height, breadth, depth
    memset(p.out + begin * stride, 0, (end - begin) * stride)
    for j_block in range(pieces(p.n, NC)):
        j = j_block * NC
        breadth = min(NC, p.n - j)
        for k_block in range(pieces(p.k, KC)):
            k = k_block * KC
            depth = min(KC, p.k - k)
            pack_block(b_panels, 3 * lanes, lanes, breadth, depth,
                       p.b.data + k * p.b.row + j * p.b.col, p.b.col, p.b.row, size)
            for i_block in range(pieces(end - begin, MC)):
                i = begin + i_block * MC
                height = min(MC, end - i)
                pack_block(a_panels, tile.rows, tile.rows, height, depth,
                           p.a.data + i * p.a.row + k * p.a.col, p.a.row, p.a.col, size)
                multiply_block(tile, a_panels, b_panels, p.out + i * stride + j * size, stride,
                               height, breadth * size, depth)


# ---- what a caller calls -------------------------------------------------------------------------


cdef inline void plan(Product *p, Py_ssize_t threads) noexcept nogil:
    """Set p.parts <= threads (from `most_threads`), and the workspace that each part needs."""
    cdef Py_ssize_t rows = pieces(min(MC, p.m), p.tile.rows) * p.tile.rows
    cdef Py_ssize_t breadth = min(NC, p.n) * p.tile.itemsize
    breadth = pieces(breadth, p.tile.vector) * p.tile.vector
    cdef double work = <double>p.m * p.k * p.n / SMALL
    p.parts = <int>max(1, min(threads, min(pieces(p.m, p.tile.rows), work)))
    p.workspace_size = min(KC, p.k) * (rows * p.tile.itemsize + breadth) + 2 * 64


cdef inline void multiply(Product *p) noexcept nogil:
    if p.m > 0 and p.n > 0:  # otherwise there is nothing to do, however large k is
        run_parallel(multiply_part, p, p.parts)
