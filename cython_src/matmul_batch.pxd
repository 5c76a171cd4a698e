"""A batch of products, each computed by matmul_kernel.pxd. Threads take whole items, unless more
threads can work inside each item. If all rows are multiplied by the same b, the batch is one
product."""

from matmul_kernel cimport SMALL, Product, multiply, plan
from parallel cimport most_threads, run_parallel

cdef struct Batch:
    Product item                        # the first product
    Py_ssize_t count, a_next, b_next    # bytes to the next item's operands; 0 if they share one
    int parts                           # the number of parts into which the batch is divided


cdef inline void plan_batch(Batch *x, Py_ssize_t threads) noexcept nogil:
    """Set x.parts and x.item.parts, and the workspace of each part."""
    cdef Product *p = &x.item
    cdef double work = <double>p.m * p.k * p.n * x.count / SMALL
    if p.m == 1:
        p.a.row = x.a_next
    if x.b_next == 0 and x.a_next == p.m * p.a.row:
        p.m *= x.count
        x.count = 1
    threads = most_threads(<Py_ssize_t>max(1, min(threads, work)))
    plan(p, threads)
    x.parts = <int>max(1, min(threads, min(x.count, work)))
    if x.parts >= p.parts:
        p.parts = 1
    else:
        x.parts = 1


cdef inline size_t workspace_of(const Batch *x) noexcept nogil:
    return x.parts * x.item.parts * x.item.workspace_size


cdef inline void multiply_items(void *job, int part) noexcept nogil:
    cdef const Batch *x = <const Batch *>job
    cdef Product p = x.item
    cdef Py_ssize_t i, share = x.count // x.parts, more = x.count % x.parts  # in the first parts
    cdef Py_ssize_t begin = part * share + min(part, more)
    p.workspace += part * p.workspace_size
    for i in range(begin, begin + share + (part < more)):
        p.a.data = x.item.a.data + i * x.a_next
        p.b.data = x.item.b.data + i * x.b_next
        p.out = x.item.out + i * p.m * p.n * p.tile.itemsize
        multiply(&p)


cdef inline void multiply_batch(Batch *x) noexcept nogil:
    if x.item.m > 0 and x.item.n > 0:
        run_parallel(multiply_items, x, x.parts)
