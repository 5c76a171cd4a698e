"""The C library, as far as the pages of this folder use it: see c_src/cookbook.h.

Cython writes `#include "cookbook.h"` and takes sizes and layouts from there, so that a struct may
be declared without the members that no page uses, and the number of an enum's constant is left out.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef extern from "cookbook.h" nogil:
    const char *ck_isa()
    const char *ck_compiler()

    # ---- cookbook/errors.h -------------------------------------------------------------------

    enum:
        CK_OK, CK_INTERRUPTED

    ctypedef struct ck_error:
        int64_t code, offset, record, field, expected, actual

    # ---- cookbook/matmul.h -------------------------------------------------------------------

    enum:
        CK_FLOAT32, CK_FLOAT64

    ctypedef struct ck_array:
        void *data
        int32_t dtype, ndim
        int64_t[3] shape, strides

    int ck_matmul_shape(const ck_array *a, const ck_array *b, ck_array *out, ck_error *error)
    int ck_matmul(const ck_array *a, const ck_array *b, const ck_array *out, int64_t threads,
                  ck_error *error)
    bint ck_matmul_is_brief(const ck_array *a, const ck_array *b)

    # ---- cookbook/records.h ------------------------------------------------------------------

    ctypedef struct ck_bytes:
        const uint8_t *data
        size_t size

    ctypedef struct ck_arena:
        uint8_t *data
        size_t size

    enum:
        CK_FRAMING

    uint32_t ck_crc32c(const uint8_t *data, size_t size, uint32_t before)
    void ck_frame_record(const uint8_t *data, size_t size, uint8_t *out)
    size_t ck_encode_varints(const int64_t *values, size_t n, uint8_t *out)

    enum:
        CK_VERIFY, CK_FINAL, CK_RESYNC

    ctypedef struct ck_cursor:
        int64_t rows

    ctypedef struct ck_span:
        pass

    ctypedef struct ck_column:
        pass

    ctypedef struct ck_batch:
        ck_bytes schema
        ck_arena arena
        ck_column *columns
        size_t n_columns
        int64_t max_records

    ctypedef struct ck_fixed_field:
        pass

    ctypedef struct ck_fixed_batch:
        int64_t record_size
        const ck_fixed_field *fields
        size_t n_fields
        ck_arena arena
        int64_t max_records

    int ck_index_records(ck_bytes buffer, ck_span *spans, size_t capacity, uint32_t options,
                         ck_cursor *cursor, ck_error *error)
    int ck_decode_examples(ck_bytes buffer, const ck_batch *batch, uint32_t options,
                           ck_cursor *cursor, ck_error *error)
    int ck_gather_examples(ck_bytes buffer, const ck_span *spans, const ck_batch *batch,
                           uint32_t options, ck_cursor *cursor, ck_error *error)
    int ck_decode_fixed(ck_bytes buffer, const ck_fixed_batch *batch, uint32_t options,
                        ck_cursor *cursor, ck_error *error)

    # ---- cookbook/tokenizer.h ----------------------------------------------------------------

    ctypedef struct ck_interrupt:
        int (*ask)(void *context) noexcept

    ctypedef struct ck_bpe:
        pass

    ctypedef struct ck_buffer:
        void *data
        size_t capacity, n

    ctypedef struct ck_texts:
        const uint8_t *const *data
        const size_t *sizes
        size_t n

    enum:
        CK_MAX_THREADS

    ck_bpe *ck_bpe_open(const uint8_t *blob, size_t size, uint32_t options, ck_error *error)
    void ck_bpe_close(ck_bpe *model)
    size_t ck_bpe_n_special(const ck_bpe *model)
    int ck_bpe_encode(ck_bpe *model, const uint8_t *text, size_t size, const uint8_t *specials,
                      ck_buffer *ids, ck_interrupt *interrupt, ck_error *error)
    int ck_bpe_encode_batch(ck_bpe *model, const ck_texts *texts, const uint8_t *specials,
                            ck_buffer *ids, int64_t *id_offsets, int threads,
                            ck_interrupt *interrupt, ck_error *error)
    int ck_bpe_split(const ck_bpe *model, const uint8_t *text, size_t size, ck_buffer *ends,
                     ck_interrupt *interrupt, ck_error *error)
    int ck_bpe_decode(const ck_bpe *model, const uint32_t *ids, size_t n, ck_buffer *data,
                      ck_interrupt *interrupt, ck_error *error)

    # ---- cookbook/patterns.h -----------------------------------------------------------------

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

    int64_t ck_add_three(int64_t a, int64_t b, int64_t c)
    double ck_score(const uint8_t *text, size_t size, int64_t n, double x)
    void ck_stamp(const uint8_t *data, size_t size, uint8_t mark, uint8_t *out)
    void ck_scaled(const double *data, size_t size, double factor, double *out)
    void ck_shifted(const double *data, size_t size, int64_t n, const uint8_t *text,
                    size_t text_size, double *out)

cdef extern from "cookbook.h":
    # The library hands on what the function returns, and knows nothing of an exception that it set:
    # `except *` makes Cython look for one after each call.
    ctypedef double (*ck_callback)(double x, void *context) except? -1
    double ck_call(ck_callback function, void *context, double x) except *
