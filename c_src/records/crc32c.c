/* CRC-32C (Castagnoli), the checksum of a TFRecord frame: portable by tables, or with the CPU's CRC
 * instruction; crc32c_fold.c has long data. The CRC is reflected: bit 31 of a state is the
 * coefficient of x^0. */
#include "crc32c.h"

#include "common/cpu.h"
#include "cookbook.h"
#include "crc32c_word.h"

/* ---- portable: eight bytes a step, with a table for each of them ("slicing by 8") ------------
 *
 * table[s][n] is the CRC of the byte n followed by s zero bytes. A CRC is linear, so an entry is
 * the sum (exclusive or) of the entries of the bits of n:
 *
 *     table[0][5] = table[0][4] ^ table[0][1]
 *
 * The entries of single bits form one chain, in which each is its predecessor moved on by one zero
 * bit. So the compiler can compute the whole table. */
#define STEP(c) (((c) >> 1) ^ (0x82f63b78u & -((c) & 1u)))
#define CHAIN(s, before)                                                                           \
  C##s##7 = STEP((unsigned)before), C##s##6 = STEP((unsigned)C##s##7),                             \
  C##s##5 = STEP((unsigned)C##s##6), C##s##4 = STEP((unsigned)C##s##5),                            \
  C##s##3 = STEP((unsigned)C##s##4), C##s##2 = STEP((unsigned)C##s##3),                            \
  C##s##1 = STEP((unsigned)C##s##2), C##s##0 = STEP((unsigned)C##s##1)
enum {
  CHAIN(0, 1),
  CHAIN(1, C00),
  CHAIN(2, C10),
  CHAIN(3, C20),
  CHAIN(4, C30),
  CHAIN(5, C40),
  CHAIN(6, C50),
  CHAIN(7, C60)
};

#define BIT(n, b, c) ((n) >> b & 1 ? (uint32_t)c : 0)
#define ENTRY(s, n)                                                                                \
  BIT(n, 0, C##s##0) ^ BIT(n, 1, C##s##1) ^ BIT(n, 2, C##s##2) ^ BIT(n, 3, C##s##3) ^              \
      BIT(n, 4, C##s##4) ^ BIT(n, 5, C##s##5) ^ BIT(n, 6, C##s##6) ^ BIT(n, 7, C##s##7)
#define ENTRIES4(s, n) ENTRY(s, n), ENTRY(s, (n) + 1), ENTRY(s, (n) + 2), ENTRY(s, (n) + 3)
#define ENTRIES16(s, n) ENTRIES4(s, n), ENTRIES4(s, n + 4), ENTRIES4(s, n + 8), ENTRIES4(s, n + 12)
#define ENTRIES64(s, n)                                                                            \
  ENTRIES16(s, n), ENTRIES16(s, n + 16), ENTRIES16(s, n + 32), ENTRIES16(s, n + 48)
#define ROW(s) {ENTRIES64(s, 0), ENTRIES64(s, 64), ENTRIES64(s, 128), ENTRIES64(s, 192)}
static const uint32_t table[8][256] = {ROW(0), ROW(1), ROW(2), ROW(3),
                                       ROW(4), ROW(5), ROW(6), ROW(7)};

static uint32_t crc_portable(uint32_t crc, const uint8_t *p, size_t size) {
  for (; size >= 8; size -= 8, p += 8) {
    crc ^= p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    crc = table[7][crc & 255] ^ table[6][crc >> 8 & 255] ^ table[5][crc >> 16 & 255] ^
          table[4][crc >> 24] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
  }
  for (; size > 0; size--)
    crc = table[0][(crc ^ *p++) & 255] ^ crc >> 8;
  return crc;
}

/* ---- the CPU's instruction for a word, three at a time ------------------------------------ */
#if defined(INSTRUCTION)
/* A CRC instruction takes three cycles, but one starts in every cycle. So three neighbouring lanes
 * of n words are summed side by side:
 *
 *     p      first lane     second lane     third lane
 *     |-----------------|----------------|---------------|
 *         first * x^(128n)  +  second * x^(64n)  +  third          (mod P)
 *
 * Moving a state past n words is a multiplication by x^64n mod P. The product is added to a word
 * that goes into a crc32 instruction, which contributes x^32 of the power, and the product of two
 * reflected numbers contributes one x more. The table has the rest: past[n] = x^(64n - 33) mod P.
 */
enum { LANE = 32, SHORT = 32, FOLDED = 16384 };
static const uint32_t past[2 * LANE + 1] = {
    0,          0x00000001, 0x493c7d27, 0xf20c0dfe, 0xba4fc28e, 0x3da6d0cb, 0xddc0152b, 0x1c291d04,
    0x9e4addf8, 0x740eef02, 0x39d3b296, 0x083a6eec, 0x0715ce53, 0xc49f4f67, 0x47db8317, 0x2ad91c30,
    0x0d3b6092, 0x6992cea2, 0xc96cfdc0, 0x7e908048, 0x878a92a7, 0x1b3d8f29, 0xdaece73e, 0xf1d0f55e,
    0xab7aff2a, 0xa87ab8a8, 0x2162d385, 0x8462d800, 0x83348832, 0x71d111a8, 0x299847d5, 0xffd852c6,
    0xb9e02b86, 0xdcb17aa4, 0x18b33a4e, 0xf37c5aee, 0xb6dd949b, 0x6051d5a2, 0x78d9ccb7, 0x18b0d4ff,
    0xbac2fd7b, 0x21f3d99c, 0xa60ce07b, 0x8f158014, 0xce7f39f4, 0xa00457f7, 0x61d82e56, 0x8d6d2c43,
    0xd270f1a2, 0x00ac29cf, 0xc619809d, 0xe9adf796, 0x2b3cac5d, 0x96638b34, 0x65863b64, 0xe0e9f351,
    0x1b03397f, 0x9af01f2d, 0xebb883bd, 0x2cff42cf, 0xb3e32c28, 0x88f25a3a, 0x064f7f26, 0x4e36f0b0,
    0xdd7e3b0c,
};

/* Return the CRC of three lanes of n words, continued from `first`. */
static INSTRUCTION inline uint64_t crc_lanes(uint64_t first, const uint8_t *p, size_t n) {
  uint64_t second = 0, third = 0;
  const uint8_t *last = p + 8 * n - 8;
  for (; p < last; p += 8) {
    first = add_word(first, load64(p));
    second = add_word(second, load64(p + 8 * n));
    third = add_word(third, load64(p + 16 * n));
  }
  first = add_word(first, load64(last));
  second = add_word(second, load64(last + 8 * n));
  uint64_t moved = multiply(first, past[2 * n]) ^ multiply(second, past[n]);
  return add_word(third, load64(last + 16 * n) ^ moved);
}

INSTRUCTION uint32_t ck_crc32c_words(uint32_t crc, const uint8_t *p, size_t size) {
  uint64_t sum = crc;
  for (; size >= 24 * LANE; size -= 24 * LANE, p += 24 * LANE)
    sum = crc_lanes(sum, p, LANE);
  if (size >= SHORT) { /* without a branch on the size, which would be mispredicted */
    size_t head = (size - 1) % 8 + 1, words = (size - head) / 8, odd = words % 3;
    uint64_t shifted = (load64(p) ^ sum) << (64 - 8 * head);
    sum = add_word(0, shifted) ^ (sum >> 4 * head >> 4 * head);
    p += head;
    uint64_t one = add_word(sum, load64(p)), two = add_word(one, load64(p + 8));
    sum = odd == 2 ? two : odd == 1 ? one : sum;
    return (uint32_t)crc_lanes(sum, p + 8 * odd, words / 3);
  }
#pragma GCC unroll 4 /* short code lets the CPU sum several records side by side */
  for (; size >= 8; size -= 8, p += 8)
    sum = add_word(sum, load64(p));
  for (; size > 0; size--)
    sum = add_byte(sum, *p++);
  return (uint32_t)sum;
}

static uint32_t by_words(const uint8_t *data, size_t size) {
  return ~ck_crc32c_words(~0u, data, size);
}
#endif

#if defined(__x86_64__)
/* Folding is as fast as memory can be read, but it occupies the vector units. A record of less than
 * FOLDED bytes is in the cache, and its decoding needs these units at the same time. */
static uint32_t by_lines(const uint8_t *data, size_t size) {
  return size >= FOLDED ? ~ck_crc32c_fold(~0u, data, size) : ~ck_crc32c_words(~0u, data, size);
}
#endif

static uint32_t by_bytes(const uint8_t *data, size_t size) {
  return ~crc_portable(~0u, data, size);
}

crc32c_function *ck_choose_crc32c(void) {
#if defined(__x86_64__)
  if (ck_isa_level() >= CK_AVX512 && __builtin_cpu_supports("vpclmulqdq"))
    return by_lines;
#endif
#if defined(INSTRUCTION)
  if (ck_has_crc32c())
    return by_words;
#endif
  return by_bytes;
}

uint32_t ck_crc32c(const uint8_t *data, size_t size, uint32_t before) {
  uint32_t crc = ck_choose_crc32c()(data, size);
  return before ? ck_move_crc32c(before, size) ^ crc : crc;
}

/* ---- for a search: the CRC of any part of a buffer, and of the eight bytes at every offset ---
 *
 * Moving a CRC past n bytes multiplies it by x^8n mod P. That is one multiplication for each bit of
 * n that is set:
 *
 *     n = 6 = 4 + 2 bytes:  x^48 = x^32 * x^16       power[5] and power[4]
 *
 * power[k] is x^(2^k - 33) mod P: 33 less, for the reason given above. The powers x^(2^k) repeat
 * after 31. */
static const uint32_t power[31] = {
    0xd610d67e, 0x6b086b3f, 0xd94f3c0b, 0xbf818109, 0x780d5a4d, 0x05ec76f1, 0x00000001, 0x493c7d27,
    0xba4fc28e, 0x9e4addf8, 0x0d3b6092, 0xb9e02b86, 0xdd7e3b0c, 0x170076fa, 0xa51b6135, 0x82f89c77,
    0x54a86326, 0x1dc403cc, 0x5ae703ab, 0xc5013a36, 0xac2ac6dd, 0x9b4615a9, 0x688d1c61, 0xf6af14e6,
    0xb6ffe386, 0xb717425b, 0x478b0d30, 0x54cc62e5, 0x7b2102ee, 0x8a99adef, 0xa7568c8f,
};

static uint32_t times_portable(uint32_t crc, uint32_t factor) {
  uint64_t product = 0;
  for (int bit = 0; bit < 32; bit++)
    product ^= (uint64_t)crc << bit & -(uint64_t)(factor >> bit & 1);
  uint8_t bytes[8];
  for (int i = 0; i < 8; i++)
    bytes[i] = (uint8_t)(product >> 8 * i);
  return crc_portable(0, bytes, 8);
}

#define MOVE(times)                                                                                \
  for (int k = 3; size > 0; size >>= 1, k = k == 30 ? 0 : k + 1)                                   \
    if (size & 1)                                                                                  \
      crc = times(crc, power[k]);                                                                  \
  return crc

#define FIND(sum_of_eight)                                                                         \
  for (; from < to; from++) {                                                                      \
    const uint8_t *p = data + from + 8;                                                            \
    uint32_t stored = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;    \
    if (mask_crc32c(~sum_of_eight(data + from)) == stored)                                         \
      break;                                                                                       \
  }                                                                                                \
  return from

static uint32_t move_portable(uint32_t crc, uint64_t size) { MOVE(times_portable); }

static uint32_t eight_portable(const uint8_t *p) { return crc_portable(~0u, p, 8); }

static size_t find_portable(const uint8_t *data, size_t from, size_t to) { FIND(eight_portable); }

#if defined(INSTRUCTION)
static INSTRUCTION inline uint32_t times_by_words(uint32_t crc, uint32_t factor) {
  return (uint32_t)add_word(0, multiply(crc, factor));
}

static INSTRUCTION uint32_t move_by_words(uint32_t crc, uint64_t size) { MOVE(times_by_words); }

static INSTRUCTION inline uint32_t eight_by_words(const uint8_t *p) {
  return (uint32_t)add_word(~0u, load64(p));
}

static INSTRUCTION size_t find_by_words(const uint8_t *data, size_t from, size_t to) {
  FIND(eight_by_words);
}
#endif

uint32_t ck_move_crc32c(uint32_t crc, uint64_t size) {
#if defined(INSTRUCTION)
  if (ck_has_crc32c())
    return move_by_words(crc, size);
#endif
  return move_portable(crc, size);
}

size_t ck_find_header(const uint8_t *data, size_t from, size_t to) {
#if defined(INSTRUCTION)
  if (ck_has_crc32c())
    return find_by_words(data, from, to);
#endif
  return find_portable(data, from, to);
}
