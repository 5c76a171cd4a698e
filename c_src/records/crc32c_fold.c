/* CRC-32C of long data: folding 64 bytes at a time with AVX-512.
 *
 * 16 bytes are a polynomial. It can be moved past the n bytes after it and added to the bytes
 * there without being reduced: its first half is multiplied by x^(8n + 64), its second by x^8n.
 *
 *     |x: 64 bytes|  n - 64 bytes  |onto: 64 bytes|      fold(x, factors of n, onto) replaces x:
 *     |  removed  |                | x * x^8n + onto |   the CRC of the whole stays the same
 *
 * Only the last 16 bytes are reduced, by two crc32 instructions. The exponents of the factors are
 * 33 too small, for the reason given in crc32c.c.
 */
#include "crc32c_word.h"

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul," SSE42)))

static WIDE inline __m512i factors(uint32_t past_and_64_bits, uint32_t past) {
  return _mm512_broadcast_i32x4(_mm_setr_epi32((int)past_and_64_bits, 0, (int)past, 0));
}

static WIDE inline __m512i fold(__m512i x, __m512i factors, __m512i onto) {
  __m512i first = _mm512_clmulepi64_epi128(x, factors, 0x00);
  __m512i second = _mm512_clmulepi64_epi128(x, factors, 0x11);
  return _mm512_ternarylogic_epi64(first, second, onto, 0x96); /* the exclusive or of all three */
}

WIDE uint32_t ck_crc32c_fold(uint32_t crc, const uint8_t *p, size_t size) {
  const __m512i past_256 = factors(0xdcb17aa4, 0xb9e02b86);
  const __m512i past_64 = factors(0x740eef02, 0x9e4addf8);
  const __m512i past_16 = factors(0xf20c0dfe, 0x493c7d27);
  __m512i x = _mm512_loadu_si512(p);
  x = _mm512_xor_si512(x, _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)crc)));
  p += 64, size -= 64;
  if (size >= 7 * 64) { /* four chains, because a multiplication takes several cycles */
    __m512i y[4] = {x};
    for (int i = 1; i < 4; i++)
      y[i] = _mm512_loadu_si512(p + 64 * i - 64);
    for (p += 192, size -= 192; size >= 256; p += 256, size -= 256)
      for (int i = 0; i < 4; i++)
        y[i] = fold(y[i], past_256, _mm512_loadu_si512(p + 64 * i));
    for (int i = 1; i < 4; i++)
      y[i] = fold(y[i - 1], past_64, y[i]);
    x = y[3];
  }
  for (; size >= 64; p += 64, size -= 64)
    x = fold(x, past_64, _mm512_loadu_si512(p));
  __m128i last = _mm512_castsi512_si128(x);
  for (int i = 1; i < 4; i++) {
    x = _mm512_alignr_epi64(x, x, 2); /* move the next 16 bytes to the front */
    last = _mm512_castsi512_si128(fold(_mm512_zextsi128_si512(last), past_16, x));
  }
  crc = (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(last));
  crc = (uint32_t)_mm_crc32_u64(crc, (uint64_t)_mm_extract_epi64(last, 1));
  return ck_crc32c_words(crc, p, size);
}
#endif
