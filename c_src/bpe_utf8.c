/* bpe_utf8.c: where a text stops being UTF-8. */
#include "bpe.h"

/* Bytes of the well-formed sequence that starts with p[0] >= 0x80; 0 when it is not one. */
static size_t sequence(const uint8_t *p, size_t left) {
  size_t size = p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4 : 0;
  if (size == 0 || size > left)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((p[i] & 0xC0) != 0x80)
      return 0;
  int bad = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || /* surrogates */
            (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
  return bad ? 0 : size;
}

/* Whether all of 64 bytes are. */
static inline int is_ascii(const uint8_t *text) {
  uint64_t any = 0;
  for (size_t i = 0; i < 64; i += 8)
    any |= bpe_load64(text + i);
  return !(any & 0x8080808080808080u);
}

size_t bpe_utf8(const uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    if (size - at >= 64 && is_ascii(text + at)) {
      at += 64;
    } else if (size - at >= 8 && !(bpe_load64(text + at) & 0x8080808080808080u)) {
      at += 8;
    } else if (text[at] < 0x80) {
      at++;
    } else {
      size_t step = sequence(text + at, size - at);
      if (step == 0)
        return at;
      at += step;
    }
  }
  return size;
}
