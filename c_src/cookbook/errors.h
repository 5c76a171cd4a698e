/* How a function reports a failure. */

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
  /* found above the kernels: a compressed stream ends too early or cannot be decompressed */
  CK_COMPRESSION = 24,
  /* memory that a kernel fills overlaps another argument: `expected` and `actual` are their
   * numbers */
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
