"""The kernels of the C library, as far as the pages of this folder use them: see c_src/cookbook.h.

Cython writes `#include "cookbook.h"` and takes sizes and layouts from there, so that a struct may
be declared without the members that no page uses, and the number of an enum's constant is left out.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

cdef extern from "cookbook.h" nogil:
    const char *ck_isa()
    const char *ck_compiler()

    # ---- cookbook/errors.h -------------------------------------------------------------------

    enum:
        CK_OK, CK_ARGUMENT, CK_INTERRUPTED

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

    ctypedef struct ck_bpe_trainer:
        pass

    ck_bpe_trainer *ck_bpe_trainer_open()
    void ck_bpe_trainer_close(ck_bpe_trainer *trainer)
    int ck_bpe_trainer_add(ck_bpe_trainer *trainer, const uint8_t *text, size_t size,
                           const int64_t *ends, size_t n, ck_error *error)
    int ck_bpe_trainer_merge(ck_bpe_trainer *trainer, ck_buffer *merges, ck_error *error)
