#include "frames.h"
#include <string.h>

/* The CRC-32C, four bits at a time. */
static uint32_t crc32c(const uint8_t *data, size_t size) {
  static const uint32_t table[16] = {0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1,
                                     0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
                                     0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9,
                                     0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75};
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}

static int is_crc(const uint8_t *stored, const uint8_t *data, size_t size) {
  uint32_t wanted, crc = crc32c(data, size);
  memcpy(&wanted, stored, sizeof wanted);
  return wanted == (crc >> 15 | crc << 17) + 0xA282EAD8u;
}

static int fail(int code, const frames_cursor *at, frames_error *error) {
  *error = (frames_error){code, at->record, at->base + at->position};
  return code;
}

int frames_index(const uint8_t *data, size_t size, frames_span *spans, size_t capacity,
                 uint32_t options, frames_cursor *cursor, frames_error *error) {
  enum { HEADER = 12, FOOTER = 4 };
  *error = (frames_error){0};
  if (cursor->position < 0 || (uint64_t)cursor->position > size || cursor->rows < 0 ||
      (uint64_t)cursor->rows > capacity)
    return fail(FRAMES_CURSOR, cursor, error);
  while ((uint64_t)cursor->rows < capacity && (uint64_t)cursor->position < size) {
    const uint8_t *frame = data + cursor->position;
    uint64_t left = size - (uint64_t)cursor->position, length = 0;
    int whole = left >= HEADER;
    if (whole) {
      if (!is_crc(frame + 8, frame, 8))
        return fail(FRAMES_LENGTH_CRC, cursor, error);
      memcpy(&length, frame, sizeof length);
      whole = length <= left && left - length >= HEADER + FOOTER;
    }
    if (!whole)
      return options & FRAMES_FINAL ? fail(FRAMES_TRUNCATED, cursor, error) : 0;
    if (options & FRAMES_VERIFY && !is_crc(frame + HEADER + length, frame + HEADER, length))
      return fail(FRAMES_DATA_CRC, cursor, error);
    spans[cursor->rows++] =
        (frames_span){cursor->base + cursor->position + HEADER, (int64_t)length};
    cursor->position += (int64_t)length + HEADER + FOOTER;
    cursor->record++;
  }
  return 0;
}
