/* test_crc32c.c: ck_crc32c against known values and against the definition, one bit at a time. */
#include "common/cpu.h"
#include "cookbook.h"
#include "records/crc32c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t by_definition(const uint8_t *data, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
  }
  return ~crc;
}

static int failures;

static void expect(const char *what, size_t size, uint32_t got, uint32_t want) {
  if (got != want && failures++ < 20)
    printf("%s, %zu bytes: %08x, expected %08x\n", what, size, got, want);
}

int main(void) {
  uint8_t bytes[32] = {0};
  expect("nothing", 0, ck_crc32c(bytes, 0, 0), 0);
  expect("digits", 9, ck_crc32c((const uint8_t *)"123456789", 9, 0), 0xe3069283);
  expect("RFC 3720 zeros", 32, ck_crc32c(bytes, 32, 0), 0x8a9136aa);
  expect("RFC 3720 ones", 32, ck_crc32c(memset(bytes, 255, 32), 32, 0), 0x62a8ab43);
  for (uint8_t i = 0; i < 32; i++)
    bytes[i] = i;
  expect("RFC 3720 rising", 32, ck_crc32c(bytes, 32, 0), 0x46dd794e);

  static const size_t around[] = {0, 760, 1532, 16340, 4096, 100000}; /* two just below blocks */
  uint32_t state = 1;
  for (size_t a = 0; a < sizeof around / sizeof *around; a++)
    for (size_t size = around[a]; size < around[a] + 80; size++) {
      size_t lead = size % 9; /* every alignment, in a block that ends with the data */
      uint8_t *block = malloc(lead + size + (lead + size == 0));
      for (size_t i = 0; i < lead + size; i++) {
        state = state * 1664525u + 1013904223u;
        block[i] = (uint8_t)(state >> 24);
      }
      expect("noise", size, ck_crc32c(block + lead, size, 0), by_definition(block + lead, size));
      size_t first = size / 3, second = size - first;
      uint32_t before = ck_crc32c(block + lead, first, 0);
      expect("two parts", size, ck_crc32c(block + lead + first, second, before),
             ck_crc32c(block + lead, size, 0));
      free(block);
    }
  for (int bit = 0; bit < 63; bit++) { /* 2^bit zero bytes, appended twice */
    uint32_t twice = ck_move_crc32c(ck_move_crc32c(0x12345678, 1ull << bit), 1ull << bit);
    expect("a power of two", 0, twice, ck_move_crc32c(0x12345678, 2ull << bit));
  }
  printf("crc32c %s, instruction %d: %d failures\n", ck_isa(), ck_has_crc32c(), failures);
  return failures != 0;
}
