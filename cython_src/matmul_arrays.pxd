"""The contract of matmul, once for every caller: which arrays may be multiplied, and where the
product may be written. An array is described, and only its description is read before the product
is computed."""

from libc.stdint cimport INT64_MAX, int64_t
from libc.stdlib cimport free, malloc

from bpe_error cimport Error, fail
from matmul_batch cimport Batch, multiply_batch, plan_batch, workspace_of
from matmul_kernel cimport Matrix, Product, Tile

cdef enum:
    OVERLAP = 25
    NO_MEMORY = 26
    DTYPE = 27
    DIMENSIONS = 28
    INNER_SIZE = 29
    BATCH_SIZE = 30
    SHAPE = 31
    LAYOUT = 32
    THREADS = 33

cdef enum:
    ARGUMENT_A, ARGUMENT_B, ARGUMENT_OUT

cdef struct Array:
    char *data
    int dtype                   # the size of an element in bytes: 4 or 8
    int ndim                    # 2 or 3; otherwise nothing else is read
    Py_ssize_t[3] shape
    Py_ssize_t[3] strides       # in bytes, of any sign

cdef struct Matrices:
    # An array as a batch of matrices, which has one matrix where the array has two dimensions.
    Py_ssize_t count, rows, columns, next
    Matrix first


cdef inline int refuse(Error *error, int code, int argument, int64_t expected,
                       int64_t actual) noexcept nogil:
    return fail(error, code, 0, 0, argument, expected, actual)


cdef inline Matrices matrices(const Array *array) noexcept nogil:
    cdef int d = array.ndim - 2     # the dimension of the rows
    cdef Py_ssize_t count = 1 if d == 0 else array.shape[0]
    cdef Py_ssize_t next = 0 if count == 1 else array.strides[0]
    return Matrices(count, array.shape[d], array.shape[d + 1], next,
                    Matrix(array.data, array.strides[d], array.strides[d + 1]))


cdef inline bint is_batch(const Array *array) noexcept nogil:
    return array.ndim == 2 or array.ndim == 3


cdef inline bint is_brief(const Array *a, const Array *b) noexcept nogil:
    """Return True if the product of two matrices has at most 32,768 multiply-adds: a few
    microseconds, for which a caller keeps its lock. The arrays are not checked."""
    cdef double brief = 1 << 15     # multiply-adds
    return (a.ndim == 2 and b.ndim == 2
            and <double>a.shape[0] * <double>a.shape[1] * <double>b.shape[1] <= brief)


cdef inline bint is_empty(const Array *array) noexcept nogil:
    cdef int i
    for i in range(array.ndim):
        if array.shape[i] == 0:
            return True
    return False


cdef inline int product_of(const Array *a, const Array *b, Array *out, Error *error) noexcept nogil:
    """Fill in `out` except its data. It then describes the C-contiguous product of a and b."""
    cdef Py_ssize_t[3] sizes
    cdef Py_ssize_t stride = a.dtype, size
    cdef Matrices x, y
    cdef int i
    if a.dtype not in (4, 8):
        return refuse(error, DTYPE, ARGUMENT_A, 0, a.dtype)
    if b.dtype != a.dtype:
        return refuse(error, DTYPE, ARGUMENT_B, a.dtype, b.dtype)
    if not is_batch(a):
        return refuse(error, DIMENSIONS, ARGUMENT_A, 0, a.ndim)
    if not is_batch(b):
        return refuse(error, DIMENSIONS, ARGUMENT_B, 0, b.ndim)
    x, y = matrices(a), matrices(b)
    if x.columns != y.rows:
        return refuse(error, INNER_SIZE, ARGUMENT_B, x.columns, y.rows)
    if x.count != y.count and x.count != 1 and y.count != 1:
        return refuse(error, BATCH_SIZE, ARGUMENT_B, x.count, y.count)
    sizes = [y.count if x.count == 1 else x.count, x.rows, y.columns]
    out.dtype = a.dtype
    out.ndim = max(a.ndim, b.ndim)
    for i in range(out.ndim - 1, -1, -1):
        out.shape[i] = sizes[3 - out.ndim + i]
        out.strides[i] = stride
        size = max(out.shape[i], 1)
        if stride > INT64_MAX // size:
            return refuse(error, NO_MEMORY, ARGUMENT_OUT, 0, 0)
        stride *= size
    return 0


cdef inline bint same_shape(const Array *x, const Array *y) noexcept nogil:
    cdef int i
    if x.ndim != y.ndim:
        return False
    for i in range(x.ndim):
        if x.shape[i] != y.shape[i]:
            return False
    return True


cdef inline bint is_contiguous(const Array *out, const Array *product) noexcept nogil:
    """Return True if `out` is aligned and has the strides of `product`. The stride of a dimension
    of one element does not matter."""
    cdef int i
    for i in range(out.ndim):
        if out.shape[i] > 1 and out.strides[i] != product.strides[i]:
            return False
    return <size_t>out.data % <size_t>out.dtype == 0


cdef inline bint overlaps(const Array *array, const Array *out) noexcept nogil:
    """Return True if the memory from the first to the last element of `array` overlaps that of
    `out`, which is contiguous. Addresses wrap around, because strides may be any numbers."""
    cdef size_t first = <size_t>array.data, last = first + <size_t>array.dtype, extent
    cdef size_t low = <size_t>out.data, high = low + <size_t>out.dtype
    cdef int i
    for i in range(array.ndim):
        extent = (<size_t>array.shape[i] - 1) * <size_t>array.strides[i]
        if array.strides[i] < 0:
            first += extent
        else:
            last += extent
    for i in range(out.ndim):
        if out.shape[i] > 1:
            high += (<size_t>out.shape[i] - 1) * <size_t>out.strides[i]
    return first < high and low < last and not is_empty(array)


cdef inline int check_out(const Array *a, const Array *b, const Array *out, const Array *product,
                          Error *error) noexcept nogil:
    cdef const Py_ssize_t *sizes = product.shape + product.ndim - 2
    if out.dtype != product.dtype:
        return refuse(error, DTYPE, ARGUMENT_OUT, product.dtype, out.dtype)
    if not is_batch(out):
        return refuse(error, DIMENSIONS, ARGUMENT_OUT, 0, out.ndim)
    if not same_shape(out, product):
        return fail(error, SHAPE, product.shape[0] if product.ndim == 3 else -1, 0, ARGUMENT_OUT,
                    sizes[0], sizes[1])
    if is_empty(out):
        return 0
    if not is_contiguous(out, product):
        return refuse(error, LAYOUT, ARGUMENT_OUT, 0, 0)
    if overlaps(a, out) or overlaps(b, out):
        return refuse(error, OVERLAP, ARGUMENT_OUT, ARGUMENT_OUT, 0)
    return 0


cdef inline int multiply_arrays(const Array *a, const Array *b, const Array *out, int64_t threads,
                                Tile tile, Error *error) noexcept nogil:
    """Compute out = a @ b with `tile`, the microkernel for their dtype. Return 0, or another code
    after filling `error`, before anything is written."""
    cdef Array product
    cdef int code = product_of(a, b, &product, error)
    if code == 0 and threads < 1:
        code = refuse(error, THREADS, ARGUMENT_A, 1, threads)
    if code == 0:
        code = check_out(a, b, out, &product, error)
    if code != 0:
        return code
    cdef Matrices x = matrices(a), y = matrices(b), z = matrices(out)
    cdef Product item = Product(x.first, y.first, out.data, x.rows, x.columns, y.columns, tile,
                                NULL, 0, 1)
    cdef Batch batch = Batch(item, z.count, x.next, y.next, 1)
    plan_batch(&batch, threads)
    cdef size_t size = workspace_of(&batch)
    if size > 0:
        batch.item.workspace = <char *>malloc(size)
        if batch.item.workspace == NULL:
            return refuse(error, NO_MEMORY, ARGUMENT_OUT, 0, 0)
    multiply_batch(&batch)
    free(batch.item.workspace)
    return 0
