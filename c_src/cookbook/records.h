/* Records. docs/records.md is the specification. */

/* Memory that a kernel reads, and memory that it fills. */
typedef struct {
  const uint8_t *data;
  size_t size;
} ck_bytes;
typedef struct {
  uint8_t *data;
  size_t size;
} ck_arena;

/* Return the CRC-32C (Castagnoli) of some data, not masked. `before` is the CRC of the bytes before
 * the data, or 0: call this once for each part of a longer input. */
CK_API uint32_t ck_crc32c(const uint8_t *data, size_t size, uint32_t before);

/* Write the frame of a record to `out`, which has room for `size` + CK_FRAMING bytes. */
enum { CK_FRAMING = 16 };
CK_API void ck_frame_record(const uint8_t *data, size_t size, uint8_t *out);

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
 * bad record. With CK_RESYNC a bad record is not an error, and the gaps between the spans are the
 * lost parts of the file. Such a call takes linear time and 1/64 of the buffer's memory. It also
 * ends after a search of 2^24 bytes (or 1/16 of the buffer), so that it can be interrupted: call
 * again while `position` < `size`. */
CK_API int ck_index_records(ck_bytes buffer, ck_span *spans, size_t capacity, uint32_t options,
                            ck_cursor *cursor, ck_error *error);

/* The kind of a column's values. The first three are also the field numbers of Feature's oneof. */
enum {
  CK_BYTES = 1,
  CK_FLOAT = 2,
  CK_INT64 = 3,
  CK_INT32 = 4,  /* from an Int64List; every value is checked to be in range */
  CK_UINT16 = 5, /* from an Int64List; every value is checked */
  CK_SPANS = 6   /* from a BytesList; the place of each value in the file, not a copy */
};

/* The form of a column: which values it holds, and how many each row has. The last three are for
 * the feature lists of a SequenceExample, whose steps are Features. */
enum {
  CK_RAGGED = 0,     /* the values of a feature, any number in each row */
  CK_DENSE = 1,      /* the values of a feature, exactly `length` in each row */
  CK_LIST = 2,       /* the values of all steps, any number in each step */
  CK_DENSE_LIST = 3, /* the values of all steps, exactly `length` in each step */
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
  int64_t data_capacity; /* bytes only: capacity in bytes */
  int64_t data_length;   /* bytes only: bytes in use; in and out. For steps: the number of values */
  int64_t scratch[3];    /* unused here: the kernel uses the field in its own copy of the table */
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

/* Decode records in any order: row i of max_records is the record whose payload ck_index_records
 * found at spans[i]. Rows begin at cursor->rows; position and record of the cursor are not used. */
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
