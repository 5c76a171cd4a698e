# The C functions of the patterns: see c_src/cookbook/patterns.h.

from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef extern from "cookbook.h" nogil:
    void ck_noop()
    void ck_take_int(int64_t a)
    int64_t ck_give_int()
    bint ck_invert(bint flag)
    int64_t ck_add_int(int64_t a, int64_t b)
    double ck_add_float(double a, double b)
    double ck_six_scalars(int64_t a, double b, int64_t c, double d, int64_t e, double f)
    double ck_keywords(double x, double scale, double offset)
    void ck_order(int64_t a, int64_t b, int64_t *smaller, int64_t *larger)

    int64_t ck_sum_bytes(const uint8_t *data, size_t size)
    const char *ck_text(size_t *size)
    double ck_weigh(const uint8_t *key, size_t size, double value)
    void ck_inverted(const uint8_t *data, size_t size, uint8_t *out)

    double ck_sum_floats(const double *data, size_t size)
    double ck_sum_strided(const double *data, size_t size, Py_ssize_t stride)
    void ck_iota(double *out, size_t size)
    void ck_scale(double *data, size_t size, double factor)
    void ck_doubled(const double *data, size_t size, double *out)

    ctypedef struct ck_point:
        double x, y

    ctypedef struct ck_counter:
        int64_t value

    double ck_point_sum(ck_point point)
    ck_point ck_make_point(double x, double y)
    void ck_counter_start(ck_counter *counter, int64_t value)
    int64_t ck_counter_add(ck_counter *counter, int64_t n)
    bint ck_counter_next(ck_counter *counter, int64_t *item)

    ctypedef struct ck_failure:
        int code
        int64_t offset

    int ck_fail(int code)
    int ck_fail_at(int code, int64_t offset, ck_failure *failure)
    uint64_t ck_work(uint64_t state, uint64_t rounds)

    double ck_score(const uint8_t *text, size_t size, int64_t n, double x)
    void ck_scaled(const double *data, size_t size, double factor, double *out)

cdef extern from "cookbook.h":
    # The library hands on what the function returns, and knows nothing of an exception that it set:
    # `except *` makes Cython look for one after each call.
    ctypedef double (*ck_callback)(double x, void *context) except? -1
    double ck_call(ck_callback function, void *context, double x) except *
