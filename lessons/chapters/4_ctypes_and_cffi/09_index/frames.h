/* TFRecord files: a record is a frame of its length (8 bytes, little-endian), the CRC of the length
 * (4 bytes), the data, and the CRC of the data (4 bytes). */
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t offset, size; /* of a record's data; the offset is in the file */
} frames_span;

/* Where a reader is. */
typedef struct {
  int64_t base;     /* offset in the file of the first byte of the data */
  int64_t position; /* offset in the data of the next record */
  int64_t record;   /* number in the file of the next record */
  int64_t rows;     /* spans that are filled */
} frames_cursor;

enum { FRAMES_VERIFY = 1, FRAMES_FINAL = 2 };

typedef struct {
  int64_t code;   /* 0, or one of those below */
  int64_t record; /* number of the bad record */
  int64_t offset; /* of its frame in the file */
} frames_error;

enum { FRAMES_TRUNCATED = 1, FRAMES_LENGTH_CRC, FRAMES_DATA_CRC, FRAMES_CURSOR };

/* Fill spans[cursor->rows ...] with the records of the data, until there are `capacity` spans or the
 * data ends, and move the cursor. FRAMES_VERIFY: test the CRC of each record's data. FRAMES_FINAL: a
 * partial record at the end of the data is an error. Return 0, or the error's code: the cursor is
 * then at the bad record. */
int frames_index(const uint8_t *data, size_t size, frames_span *spans, size_t capacity,
                 uint32_t options, frames_cursor *cursor, frames_error *error);
