/* The public interface of the kernels, in C.
 *
 * Rules that hold for all functions:
 *   - They know nothing of Python.
 *   - The caller owns the memory that it passes, before, during and after a call. A function frees
 *     the memory that it allocates for one call before it returns: a copy of a large table, the
 *     table of CRCs of CK_RESYNC, room to merge a very long pretoken.
 *   - Only caches outlive a call. ck_matmul keeps up to 64 blocks of 2 MB until the process ends.
 *     Calls with `threads` > 1 share a pool of at most 63 threads, which sleep between calls. Those
 *     of an open model end with it. No cache changes a result.
 *   - Every function is safe to call from many threads at once with different outputs.
 *   - Inputs may hold any bytes, and another thread may change them during a call. The results are
 *     then unspecified, but no memory outside the given ranges is read or written. The records
 *     kernels copy the tables that steer them once: ck_cursor, ck_column, ck_fixed_field and the
 *     schema. A model must not change during a call.
 *   - Memory that a records kernel fills must not overlap another argument, else CK_OVERLAP.
 *   - A function that can fail returns a ck_code and fills `error`, which must not be NULL. */
#ifndef COOKBOOK_H
#define COOKBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define CK_API __declspec(dllexport)
#else
#define CK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what this library is --------------------------------------------------------------- */

/* Return the instruction set that the kernels use: "avx512", "avx2" or "portable". It is chosen by
 * CPU feature at the first call. The environment variable COOKBOOK_ISA pins a lower one; a higher
 * one is ignored. */
CK_API const char *ck_isa(void);
/* Return the name, version and flags of the compiler, for instance "gcc 12.2.0". */
CK_API const char *ck_compiler(void);

/* ---- errors ------------------------------------------------------------------------------ */

typedef enum {
  CK_OK = 0,
  /* TFRecord framing */
  CK_TRUNCATED_HEADER = 1,
  CK_LENGTH_CRC = 2,
  CK_LENGTH_LIMIT = 3,
  CK_TRUNCATED_DATA = 4,
  CK_TRUNCATED_FOOTER = 5,
  CK_DATA_CRC = 6,
  /* tf.train.Example */
  CK_WIRE_TYPE = 7,
  CK_VARINT = 8,
  CK_SUBMESSAGE_LENGTH = 9,
  CK_FLOAT_LENGTH = 10,
  CK_TYPE_MISMATCH = 11,
  CK_MISSING = 12,
  CK_DENSE_LENGTH = 13,
  /* the caller's memory is too small; the caller can repeat the call with more */
  CK_CAPACITY = 14,
  CK_DATA_CAPACITY = 15,
  /* fixed layouts */
  CK_FIXED_REMAINDER = 16,
  /* tokenizer */
  CK_UTF8 = 17,
  CK_SPECIAL = 18,
  CK_UNKNOWN_ID = 19,
  /* a table or model that contradicts itself: a programming error, not bad data */
  CK_ARGUMENT = 20,
  /* tf.train.Example: an integer that the column's type cannot hold */
  CK_RANGE = 21,
  /* gathering: the record is not the one that the span describes */
  CK_STALE_INDEX = 22,
  /* fixed layouts, found above the kernels: the length before a record is not the layout's */
  CK_FIXED_LENGTH = 23,
  /* found above the kernels: a compressed stream ends too early or cannot be decompressed */
  CK_COMPRESSION = 24,
  /* memory that a kernel fills overlaps another argument: `expected` and `actual` are the two */
  CK_OVERLAP = 25,
  /* no memory for the copy of a large table, or for a product so large */
  CK_MEMORY = 26,
  /* matmul; `field` is the argument: 0 a, 1 b, 2 out */
  CK_DTYPE = 27,      /* an array is not of float32 or float64, or not of the dtype of the others */
  CK_DIMENSIONS = 28, /* the array has `actual` dimensions, not 2 or 3 */
  CK_INNER_SIZE = 29, /* a has `expected` columns, b has `actual` rows */
  CK_BATCH_SIZE = 30, /* a has `expected` matrices, b has `actual` */
  CK_SHAPE = 31,      /* out must have `offset` matrices (-1: two dimensions) of `expected` rows and
                         `actual` columns */
  CK_LAYOUT = 32,     /* out is not C-contiguous and aligned */
  CK_THREADS = 33,    /* `threads` is `actual`, which is less than one */
  /* tokenizer: the call was ended by its ck_interrupt */
  CK_INTERRUPTED = 34
} ck_code;

typedef struct {
  int64_t code;     /* a ck_code */
  int64_t offset;   /* byte offset of the failing element (records: base offset included) */
  int64_t record;   /* record number, text number in a batch, or position of a token id */
  int64_t field;    /* field number in the schema, special token number, or -1 */
  int64_t expected; /* the right value, as the code defines it */
  int64_t actual;   /* the value that was found */
} ck_error;

/* ---- matmul ------------------------------------------------------------------------------ */

/* The dtype of an array is the size of its elements in bytes. */
enum { CK_FLOAT32 = 4, CK_FLOAT64 = 8 };

/* An array as NumPy describes it. If it has more than three dimensions, only `ndim` is read. */
typedef struct {
  void *data;
  int32_t dtype, ndim;
  int64_t shape[3], strides[3]; /* strides in bytes, of any sign */
} ck_array;

/* Fill in all of `out` but its data. `out` then describes the C-contiguous product of a and b, for
 * which the caller allocates shape[0] * strides[0] bytes. */
CK_API int ck_matmul_shape(const ck_array *a, const ck_array *b, ck_array *out, ck_error *error);

/* out = a @ b, where each of a and b is a matrix or a batch of matrices. A matrix, or a batch of
 * one, is broadcast over the other's batch. This function makes every check of values, and refuses
 * with a code before it writes anything. ck_matmul_f32 and ck_matmul_f64 say what it computes. */
CK_API int ck_matmul(const ck_array *a, const ck_array *b, const ck_array *out, int64_t threads,
                     ck_error *error);

/* Return whether a @ b, of two matrices, takes about a microsecond or less: less than a lock that the
 * caller would release meanwhile. The arrays are not checked. */
CK_API int ck_matmul_is_brief(const ck_array *a, const ck_array *b);

/* out (batch,m,n) = a (batch,m,k) @ b (batch,k,n). a and b have any strides, in bytes, of any sign
 * and alignment; an operand whose batch stride is 0 is the same matrix in every product. out is
 * C-contiguous and aligned, and overlaps neither. Each element is the chain of fused multiply-adds
 * in the order of k that starts at 0. `threads` >= 1 is an upper bound on the threads used, and
 * changes no bit of the result. These functions cannot fail: without memory to pack into, they pack
 * on the stack. */
CK_API void ck_matmul_f32(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                          int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                          int64_t b_row_stride, int64_t b_col_stride, float *out, int64_t batch,
                          int64_t m, int64_t k, int64_t n, int threads);
CK_API void ck_matmul_f64(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                          int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                          int64_t b_row_stride, int64_t b_col_stride, double *out, int64_t batch,
                          int64_t m, int64_t k, int64_t n, int threads);

/* ---- records: docs/records.md is the specification --------------------------------------- */

/* Memory that a kernel reads, and memory that it fills. */
typedef struct {
  const uint8_t *data;
  size_t size;
} ck_bytes;
typedef struct {
  uint8_t *data;
  size_t size;
} ck_arena;

/* Return the CRC-32C (Castagnoli) of some data, not masked. `before` is that of what stands before
 * the data, 0 for nothing: the sum of several parts takes a call for each. */
CK_API uint32_t ck_crc32c(const uint8_t *data, size_t size, uint32_t before);

/* Write the frame of a record to `out`, which has room for `size` + CK_FRAMING bytes. */
enum { CK_FRAMING = 16 };
CK_API void ck_frame_record(const uint8_t *data, size_t size, uint8_t *out);

/* Write the frames of `n` records, which lie end to end in `data`, to `out`, which has room for
 * `size` + n * CK_FRAMING bytes. CK_ARGUMENT where the sizes are not those of `size` bytes. */
CK_API int ck_frame_records(const uint8_t *data, size_t size, const int64_t *sizes, size_t n,
                            uint8_t *out);

/* Write `n` integers as protobuf's varints and return the number of bytes written. A negative
 * integer takes ten bytes, so `out` needs room for 10 * n bytes. It must not overlap `values`. */
CK_API size_t ck_encode_varints(const int64_t *values, size_t n, uint8_t *out);

/* The whole state of a reader. Set everything to zero to start at the beginning of a file. */
typedef struct {
  int64_t base;     /* offset in the file of buffer[0] */
  int64_t position; /* offset in the buffer of the next record */
  int64_t record;   /* number in the file of the next record */
  int64_t rows;     /* rows (or spans) already written to this batch */
} ck_cursor;

enum {
  CK_VERIFY = 1, /* check both CRCs of every record */
  CK_FINAL = 2,  /* the buffer ends where the file ends: a partial record is an error */
  CK_RESYNC = 4  /* index only: verify, and step over damage to the next good record */
};

typedef struct {
  int64_t offset, size; /* of a record's payload; offset is into the file (base included) */
} ck_span;

/* Fill spans[cursor->rows ...] until there are `capacity` rows, or to the end of the buffer or a
 * bad record. With CK_RESYNC a bad record is not an error, and the gaps between the spans are what
 * the file has lost. Such a call takes linear time and 1/64 of the buffer's memory. It also ends
 * after a search of 2^24 bytes (or 1/16 of the buffer), so that it can be interrupted: call again
 * while `position` < `size`. */
CK_API int ck_index_records(ck_bytes buffer, ck_span *spans, size_t capacity, uint32_t options,
                            ck_cursor *cursor, ck_error *error);

/* What a column holds. The first three are also the field numbers of Feature's oneof. */
enum {
  CK_BYTES = 1,
  CK_FLOAT = 2,
  CK_INT64 = 3,
  CK_INT32 = 4,  /* from an Int64List; every value is checked to be in range */
  CK_UINT16 = 5, /* from an Int64List; every value is checked */
  CK_SPANS = 6   /* from a BytesList; the place of each value in the file, which is not copied */
};

/* The form of a column: which values it holds, and how many a row has. The last three are for the
 * feature lists of a SequenceExample, whose steps are Features. */
enum {
  CK_RAGGED = 0,     /* the values of a feature, any number a row */
  CK_DENSE = 1,      /* the values of a feature, exactly `length` a row */
  CK_LIST = 2,       /* the values of all steps, any number a step */
  CK_DENSE_LIST = 3, /* the values of all steps, exactly `length` a step */
  CK_STEPS = 4       /* the steps: for each, the end of its values among all */
};

/* A schema is one buffer: n_fields times ck_field, then the names. Together the names are no longer
 * than the rest of the buffer. */
typedef struct {
  int32_t name_offset, name_size; /* within the schema buffer */
  int32_t kind;                   /* CK_BYTES to CK_SPANS */
  int32_t form;                   /* CK_RAGGED to CK_STEPS */
  int64_t length;                 /* for the dense forms: the number of values */
} ck_field;

/* The place of one field's column in the arena. It is ten int64, so that an (n,10) array is the
 * table. All arena offsets are multiples of 8. */
typedef struct {
  int64_t row_offsets;   /* arena offset of int64[max_records + 1], or -1 when CK_DENSE */
  int64_t values;        /* arena offset of float, int64, int32, uint16 or ck_span [capacity]; for
                            bytes and for steps, of the offsets int64[capacity + 1] */
  int64_t capacity;      /* in values, or steps */
  int64_t length;        /* values, or steps, in use; in and out */
  int64_t data;          /* bytes only: arena offset of the data, else 0 */
  int64_t data_capacity; /* bytes only: in bytes */
  int64_t data_length;   /* bytes only: in use; in and out. For steps: the number of values */
  int64_t scratch[3];    /* unused here: the kernel uses that of its own copy of the table */
} ck_column;

/* A batch of Examples. The parts of the columns lie in the arena in the order of the schema, and of
 * the members of ck_column; no two share bytes. */
typedef struct {
  ck_bytes schema;
  ck_arena arena;
  ck_column *columns; /* [n_columns] */
  size_t n_columns;
  int64_t max_records; /* rows for which the arena has room */
} ck_batch;

CK_API int ck_decode_examples(ck_bytes buffer, const ck_batch *batch, uint32_t options,
                              ck_cursor *cursor, ck_error *error);

/* Decode records in any order: row i of max_records is the record whose payload is at spans[i], as
 * ck_index_records found it. Rows begin at cursor->rows; position and record of the cursor are not
 * used. */
CK_API int ck_gather_examples(ck_bytes buffer, const ck_span *spans, const ck_batch *batch,
                              uint32_t options, ck_cursor *cursor, ck_error *error);

/* One leaf of a fixed record. It is five int64, so that an (n,5) array is the table. */
typedef struct {
  int64_t offset; /* in the record */
  int64_t unit;   /* bytes of one scalar: 1, 2, 4 or 8 */
  int64_t count;  /* scalars in the leaf */
  int64_t swap;   /* 1: reverse the bytes of each scalar */
  int64_t column; /* arena offset of unit*count*max_records bytes, a multiple of 8 */
} ck_fixed_field;

/* A batch of records of a fixed layout. The columns lie in the arena in the order of the fields, and
 * no two share bytes. */
typedef struct {
  int64_t record_size;          /* bytes */
  const ck_fixed_field *fields; /* [n_fields] */
  size_t n_fields;
  ck_arena arena;
  int64_t max_records; /* rows for which the arena has room */
} ck_fixed_batch;

CK_API int ck_decode_fixed(ck_bytes buffer, const ck_fixed_batch *batch, uint32_t options,
                           ck_cursor *cursor, ck_error *error);

/* ---- tokenizer: docs/tokenizer.md is the specification ------------------------------------ */

/* How a call is ended before it is done. All is zero at first, but what the caller sets. */
typedef struct {
  const int32_t *stop;       /* or NULL: the call ends soon after another thread has made it 1 */
  int (*ask)(void *context); /* or NULL: the thread of the call calls it 20 times a second, and ends
                                the call if the result is not 0 */
  void *context;
  uintptr_t thread; /* the kernel's own, like all that follows: which thread asks, */
  int64_t asked;    /* when it last did, */
  uint32_t checks;  /* and how often it could have */
  int32_t ended;
} ck_interrupt;

/* A model that is open, with its caches of pretokens: 15.5 MB of address space each, of which short
 * texts touch little. A call takes a cache that no other call is using, or makes one, and leaves up
 * to sixteen of them for later calls. */
typedef struct ck_bpe ck_bpe;

enum {
  CK_UNCACHED = 1 /* without caches: faster if the model is opened for less than about 256 kB */
};

/* Check a model and open it. The blob is 8-byte aligned, must outlive the open model and must not
 * change meanwhile. Return NULL and fill `error` if it is not a model (CK_ARGUMENT) or if there is
 * no memory (CK_MEMORY). */
CK_API ck_bpe *ck_bpe_open(const uint8_t *blob, size_t size, uint32_t options, ck_error *error);

/* Free an open model, which no call may use any more, and its caches. NULL is allowed. */
CK_API void ck_bpe_close(ck_bpe *model);

/* Return the number of special tokens of a model. */
CK_API size_t ck_bpe_n_special(const ck_bpe *model);

/* The functions below take a ck_interrupt, by which the call can end early with CK_INTERRUPTED, or
 * NULL. */

/* Encode `text`, which is UTF-8. `specials` has n_special bytes (0 plain text, 1 the token's id, 2
 * refuse), or is NULL: all 0. `ids` has room for `capacity` ids, or is NULL, to count only; `size`
 * always suffices. *n_ids becomes the number of ids of the text, even if they did not fit
 * (CK_CAPACITY). CK_DATA_CAPACITY: there was no memory for a very long pretoken, of `expected`
 * bytes. */
CK_API int ck_bpe_encode(ck_bpe *model, const uint8_t *text, size_t size, const uint8_t *specials,
                         uint32_t *ids, size_t capacity, size_t *n_ids, ck_interrupt *interrupt,
                         ck_error *error);

enum { CK_MAX_THREADS = 64 }; /* the most threads that are ever used */

/* Encode n texts: text i is texts[i][0 .. sizes[i]], and its ids are ids[id_offsets[i] ..
 * id_offsets[i+1]]. */
CK_API int ck_bpe_encode_batch(ck_bpe *model, const uint8_t *const *texts, const size_t *sizes,
                               size_t n, const uint8_t *specials, uint32_t *ids, size_t capacity,
                               int64_t *id_offsets, int threads, ck_interrupt *interrupt,
                               ck_error *error);

/* Split `text` into pretokens and write the byte offset at which each ends. Room for `size` offsets
 * always suffices. */
CK_API int ck_bpe_split(const ck_bpe *model, const uint8_t *text, size_t size, int64_t *ends,
                        size_t capacity, size_t *n_ends, ck_interrupt *interrupt, ck_error *error);

/* Write the bytes of the ids. `out` may be NULL, to ask only for the size. */
CK_API int ck_bpe_decode(const ck_bpe *model, const uint32_t *ids, size_t n, uint8_t *out,
                         size_t capacity, size_t *size, ck_interrupt *interrupt, ck_error *error);

/* ---- patterns: the smallest work that still proves that the arguments arrived --------------- */

CK_API void ck_noop(void);

CK_API void ck_take_int(int64_t a); /* does nothing with a */
CK_API int64_t ck_give_int(void);   /* 42 */
CK_API bool ck_invert(bool flag);
CK_API int64_t ck_add_int(int64_t a, int64_t b); /* modulo 2^64 */
CK_API double ck_add_float(double a, double b);
CK_API double ck_six_scalars(int64_t a, double b, int64_t c, double d, int64_t e, double f);
CK_API double ck_keywords(double x, double scale, double offset); /* x * scale + offset */
CK_API void ck_order(int64_t a, int64_t b, int64_t *smaller, int64_t *larger);

CK_API int64_t ck_sum_bytes(const uint8_t *data, size_t size);
CK_API const char *ck_text(size_t *size); /* "hello world": static, not the caller's to free */
CK_API double ck_weigh(const uint8_t *key, size_t size, double value); /* sum of bytes * value */
CK_API void ck_inverted(const uint8_t *data, size_t size, uint8_t *out);

CK_API double ck_sum_floats(const double *data, size_t size); /* left to right */
/* Sum doubles that lie `stride` bytes apart. It is a multiple of 8, and may be negative. */
CK_API double ck_sum_strided(const double *data, size_t size, ptrdiff_t stride);
CK_API void ck_iota(double *out, size_t size);                  /* 0.0, 1.0, 2.0 ... */
CK_API void ck_scale(double *data, size_t size, double factor); /* in place */
CK_API void ck_doubled(const double *data, size_t size, double *out);

typedef struct {
  double x, y;
} ck_point;
CK_API double ck_point_sum(ck_point point); /* x + y */
CK_API ck_point ck_make_point(double x, double y);

typedef struct {
  int64_t value;
} ck_counter; /* the caller's memory */
CK_API void ck_counter_start(ck_counter *counter, int64_t value);
CK_API int64_t ck_counter_add(ck_counter *counter, int64_t n); /* the new value, modulo 2^64 */
/* Count down: if value > 0, store value - 1 there and in *item. Return false if it was not. */
CK_API bool ck_counter_next(ck_counter *counter, int64_t *item);

typedef double (*ck_callback)(double x, void *context);
CK_API double ck_call(ck_callback function, void *context, double x); /* function(x) + 1 */
CK_API int ck_fail(int code);                                         /* returns code */
typedef struct {
  int code;
  int64_t offset;
} ck_failure;
CK_API int ck_fail_at(int code, int64_t offset, ck_failure *failure); /* fills it; returns code */
/* Take `rounds` steps of xorshift64 from `state`. The work can be interrupted after any step and
 * continued. */
CK_API uint64_t ck_work(uint64_t state, uint64_t rounds);

/* Several kinds of argument at once, on which no cost model was fitted. */
CK_API int64_t ck_add_three(int64_t a, int64_t b, int64_t c);                  /* modulo 2^64 */
CK_API double ck_score(const uint8_t *text, size_t size, int64_t n, double x); /* sum + n + x */
CK_API void ck_stamp(const uint8_t *data, size_t size, uint8_t mark, uint8_t *out); /* xor */
CK_API void ck_scaled(const double *data, size_t size, double factor, double *out);
/* out[i] = data[i] + n + sum of the text's bytes */
CK_API void ck_shifted(const double *data, size_t size, int64_t n, const uint8_t *text,
                       size_t text_size, double *out);

#ifdef __cplusplus
}
#endif
#endif
