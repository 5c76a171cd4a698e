/* few.c: encode many texts of a few bytes at a time.
 *
 * A short text mostly costs waiting, since each step needs the result that the step before it has
 * just written. Texts are therefore joined, and each step is done for all of them before the next.
 */
#include "common/cpu.h"
#include "common/target.h"
#include "encode.h"

enum { FEW_BYTES = 128, ALL_BYTES = 1024 };

/* Join the texts that fit and have a few bytes each, store their number in *n, and return the
 * number of all bytes. `copy` may write up to FEW_BYTES. */
#define JOIN(name, copy)                                                                           \
  static size_t name(const uint8_t *const *texts, const size_t *sizes, size_t *n,                  \
                     uint8_t *joined) {                                                            \
    size_t used = 0, i = 0;                                                                        \
    for (; i < *n && i < BPE_FEW_TEXTS; used += sizes[i++]) {                                      \
      if (sizes[i] > FEW_BYTES || used + sizes[i] > ALL_BYTES)                                     \
        break;                                                                                     \
      if (sizes[i] > 0 && (texts[i][0] & 0xC0) == 0x80)                                            \
        break; /* not UTF-8, but it could complete the text before */                              \
      copy(joined + used, texts[i], sizes[i]);                                                     \
    }                                                                                              \
    *n = i;                                                                                        \
    return used;                                                                                   \
  }

static inline void copy_bytes(uint8_t *to, const uint8_t *from, size_t size) {
  for (size_t k = 0; k < size; k++)
    to[k] = from[k];
}

JOIN(portable_join, copy_bytes)

#if defined(__x86_64__)
#include <immintrin.h>

TARGET_BEGIN("avx512f,avx512bw,bmi2")

/* Copy without a branch on the size, which is unpredictable. */
static inline void copy_masked(uint8_t *to, const uint8_t *from, size_t size) {
  __mmask64 first = _bzhi_u64(~0ull, (unsigned)(size < 64 ? size : 64));
  _mm512_storeu_si512(to, _mm512_maskz_loadu_epi8(first, from));
  if (__builtin_expect(size > 64, 0))
    _mm512_storeu_si512(to + 64,
                        _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, (unsigned)size - 64), from + 64));
}

JOIN(avx512_join, copy_masked)

TARGET_END
#endif

static size_t join(const uint8_t *const *texts, const size_t *sizes, size_t *n, uint8_t *joined) {
#if defined(__x86_64__)
  if (ck_isa_level() == CK_AVX512)
    return avx512_join(texts, sizes, n, joined);
#endif
  return portable_join(texts, sizes, n, joined);
}

size_t bpe_encode_few(bpe_encoder *e, const uint8_t *const *texts, const size_t *sizes, size_t n,
                      int64_t *ends) {
  uint8_t joined[ALL_BYTES + FEW_BYTES];
  size_t last[BPE_FEW_TEXTS], at = 0, done = 0;
  uint32_t number;
  size_t length, used = join(texts, sizes, &n, joined);
  bpe_block b;
  ck_error error;
  if (n < 2 || bpe_utf8(joined, used) < used ||
      bpe_find(e->refused, joined, 0, used, &number, &length) < used ||
      bpe_find(e->allowed, joined, 0, used, &number, &length) < used)
    return 0;
  b.bounds[0] = b.n = 0;
  for (; done < n && b.n + sizes[done] + 64 <= BPE_BLOCK; last[done++] = b.n)
    for (size_t end = at + sizes[done]; at < end; at = b.bounds[b.n])
      b.n += bpe_pretokens(e->model, joined, at, end, b.bounds + b.n + 1, BPE_BLOCK - b.n);
  bpe_look_ahead(e->scratch, &b, joined, sizeof joined);
  for (size_t i = 0, first = 0; i < done; first = last[i++]) {
    bpe_put_pretokens(e, joined, &b, first, last[i],
                      &error); /* no pretoken is long enough to fail */
    ends[i] = (int64_t)e->n;
  }
  if (e->scratch)
    bpe_cache_grow(e->scratch);
  return done;
}
