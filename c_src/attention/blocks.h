/* Attention on blocks of queries and keys, for one element type T and one instruction set ISA.
 * every_isa.h includes it, after attention.c has defined `pass`.
 *
 * A row of scores is summed in LINE lanes, however wide a vector is, and every product is a chain of
 * fused multiply-adds in the order of its index. So the instruction set changes no bit either. */
#include "gemm/packing.h"

#define LINE (CACHE_LINE / (int)sizeof(T))
#define SPLAT(x) ((T)(x) - (vector){0})
#define EACH_VECTOR(c, begin, end) for (int64_t c = begin; c < end; c += LANES)

typedef __typeof__(EITHER((int32_t)0, (int64_t)0)) NAME(mask) __attribute__((vector_size(VECTOR)));

INLINE vector NAME(choose)(NAME(mask) which, vector x, vector y) {
  return (vector)((which & (NAME(mask))x) | (~which & (NAME(mask))y));
}

/* Return e^f - 1, and store 2^n, where x = n log 2 + f and |f| < 0.35. n + BIAS is read from the low
 * bits of a sum so large that its last bit is 1. 2^n is 0 from the smallest normal number down, as
 * denormal numbers would slow the products. A NaN stays one. */
INLINE vector NAME(split_power)(vector x, vector *power) {
  enum { TERMS = EITHER(7, 13), BIAS = EITHER(127, 1023), FRACTION = EITHER(23, 52) };
  static const double inverse_factorials[] = {1,
                                              1,
                                              1. / 2,
                                              1. / 6,
                                              1. / 24,
                                              1. / 120,
                                              1. / 720,
                                              1. / 5040,
                                              1. / 40320,
                                              1. / 362880,
                                              1. / 3628800,
                                              1. / 39916800,
                                              1. / 479001600,
                                              1. / 6227020800};
  const vector least = SPLAT(EITHER(-88., -709.)),
               large = SPLAT((T)(3ull << (FRACTION - 1)) + BIAS);
  x = NAME(choose)(x < least, least, x);
  vector sum = FMA(x, SPLAT(1.44269504088896340736), large), n = sum - large;
  vector f = FMA(n, SPLAT(EITHER(-0.693359375, -0.693147180369123816490)), x);
  f = FMA(n, SPLAT(EITHER(2.12194440e-4, -1.90821492927058770002e-10)), f);
  vector series = SPLAT(inverse_factorials[TERMS]);
#pragma GCC unroll 16
  for (int i = TERMS - 1; i > 0; i--)
    series = FMA(series, f, SPLAT(inverse_factorials[i]));
  *power = (vector)((NAME(mask))sum << FRACTION);
  return series * f;
}

INLINE vector NAME(exponential)(vector x) {
  vector power, less_one = NAME(split_power)(x, &power);
  return FMA(power, less_one, power);
}

/* Return tanh x = (e^2x - 1) / (e^2x + 1), with the numerator computed as such, for |x| near 0. */
INLINE vector NAME(hyperbolic)(vector x) {
  const vector most = SPLAT(EITHER(10, 20)); /* its tanh rounds to 1 */
  vector power, less_one;
  x = NAME(choose)(x > most, most, x);
  less_one = NAME(split_power)(x + x, &power);
  less_one = FMA(power, less_one, power - SPLAT(1));
  return less_one / (less_one + SPLAT(2));
}

/* Return the lanes of vector c whose keys a query sees that sees the keys from `first` on. */
INLINE NAME(mask) NAME(seen)(const pass *p, int64_t c, int64_t first) {
  static const T lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  vector key = NAME(get)(lanes, LANES) + SPLAT(c);
  return (key >= SPLAT(first)) & (key < SPLAT(first + p->window));
}

/* Return `rows` rows with dim stride 1: those of x, or their copy at `copy`. */
static inline TARGET matrix NAME(contiguous)(const pass *p, matrix x, int64_t rows, T *copy) {
  if (x.col == sizeof(T))
    return x;
  NAME(pack_a)(copy, p->pitch, rows, p->size, x);
  return (matrix){(const char *)copy, p->pitch * (int64_t)sizeof(T), sizeof(T)};
}

/* Fill `to` (size, BLOCK) with the transpose of a block of x, times `factor`, and with zeros. */
static TARGET void NAME(transpose)(T *to, matrix x, int64_t rows, int64_t size, T factor) {
  if (rows < BLOCK)
    memset(to, 0, (size_t)(size * BLOCK) * sizeof(T));
  NAME(pack_a)(to, BLOCK, size, rows, (matrix){x.data, x.col, x.row});
  for (int64_t i = 0; i < size * BLOCK; i++)
    to[i] *= factor;
}

static TARGET void NAME(pack_keys)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t block = part % p->key_blocks, kv = part / p->key_blocks, begin = block * BLOCK;
  matrix k = rows_of(p, &p->x.k, kv / p->kv_heads, kv % p->kv_heads, begin);
  NAME(transpose)((T *)p->packed + part * p->size * BLOCK, k, min(BLOCK, p->keys - begin), p->size,
                  (T)p->factor);
  (void)seat;
}

/* Apply the cap and the mask to the scores of a strip, which are scaled. */
INLINE void NAME(finish_scores)(const pass *p, const strip *at, T *scores) {
  if (p->cap == 0 && !at->masked)
    return;
  for (int64_t r = at->row; r < at->row + at->rows; r++)
    EACH_VECTOR(c, at->begin, at->end) {
      T *to = scores + r * BLOCK + c;
      vector x = NAME(get)(to, LANES);
      if (p->cap > 0)
        x = NAME(hyperbolic)(x) * SPLAT(p->cap);
      if (at->masked)
        x = NAME(choose)(NAME(seen)(p, c, at->first + r), x, SPLAT(-INFINITY));
      NAME(put)(to, LANES, x);
    }
}

/* The state of a row: the scores are relative to `most`, and the sum has LINE lanes. */
typedef struct {
  T sum[LINE], most;
} __attribute__((aligned(CACHE_LINE))) NAME(softmax);

/* Raise the `most` of the rows with a score that exceeds it so far that its exponential might
 * overflow, and scale what has been summed of them. This happens seldom after the first block. */
INLINE void NAME(raise)(const pass *p, const strip *at, const T *scores, NAME(softmax) * rows,
                        T *out) {
  enum { SLACK = 8 };
  NAME(mask) above = {0};
  for (int64_t r = at->row; r < at->row + at->rows; r++) {
    vector limit = SPLAT(rows[r].most + SLACK);
    EACH_VECTOR(c, at->begin, at->end) above |= NAME(get)(scores + r * BLOCK + c, LANES) > limit;
  }
  bool any = false;
  EACH(i, LANES) any |= above[i] != 0;
  for (int64_t r = at->row; any && r < at->row + at->rows; r++) {
    vector largest = SPLAT(rows[r].most);
    EACH_VECTOR(c, at->begin, at->end) {
      vector x = NAME(get)(scores + r * BLOCK + c, LANES);
      largest = NAME(choose)(x > largest, x, largest);
    }
    T most = largest[0];
    for (int i = 1; i < LANES; i++)
      most = largest[i] > most ? largest[i] : most;
    if (most > rows[r].most + SLACK) {
      T shrink = NAME(exponential)(SPLAT(rows[r].most - most))[0];
      rows[r].most = most;
      for (int i = 0; i < LINE; i++)
        rows[r].sum[i] *= shrink;
      for (int64_t i = 0; i < p->size; i++)
        out[r * p->size + i] *= shrink;
    }
  }
}

INLINE T NAME(total)(const T *sum) {
  T total = sum[0];
  for (int i = 1; i < LINE; i++)
    total += sum[i];
  return total;
}

/* Compute a block of queries of one head. */
static TARGET void NAME(forward)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t kv = part / p->group / p->query_blocks, b = kv / p->kv_heads;
  int64_t h = kv % p->kv_heads * p->group + part % p->group;
  span queries = block_of_queries(p, part / p->group % p->query_blocks);
  int64_t n = queries.end - queries.begin, i = queries.begin - p->shift;
  int64_t row = (b * p->heads + h) * p->queries + i;
  matrix q = rows_of(p, &p->x.q, b, h, i);
  T *out = (T *)p->out + row * p->size, *lse = (T *)p->lse + row;
  T *scores = (T *)(p->seats + seat * p->seat_bytes), *copy = scores + BLOCK * BLOCK;
  NAME(softmax) rows[BLOCK];
  T sink = p->x.sink ? ((const T *)p->x.sink)[h] : -INFINITY, lowest = EITHER(-FLT_MAX, -DBL_MAX);
  for (int64_t r = 0; r < n; r++)
    rows[r] = (NAME(softmax)){{sink < lowest ? 0 : 1}, sink < lowest ? lowest : sink};
  memset(out, 0, (size_t)(n * p->size) * sizeof(T));
  for (int64_t begin = max(queries.begin - p->window + 1, 0) / BLOCK * BLOCK; begin < queries.end;
       begin += BLOCK) {
    int64_t keys = min(BLOCK, p->keys - begin);
    matrix v = NAME(contiguous)(p, rows_of(p, &p->x.v, b, kv % p->kv_heads, begin), keys, copy);
    matrix k = {(char *)((T *)p->packed + (kv * p->key_blocks * BLOCK + begin) * p->size),
                BLOCK * sizeof(T), sizeof(T)};
    strip s = no_strip(p, queries, begin);
    while (next_strip(p, &s, LINE)) {
      matrix a = at(q, s.row, 0), cut = at(k, 0, s.begin);
      NAME(macrokernel)(s.rows, p->size, s.end - s.begin, &a, &cut,
                        scores + s.row * BLOCK + s.begin, BLOCK, true);
      NAME(finish_scores)(p, &s, scores);
      NAME(raise)(p, &s, scores, rows, out);
      for (int64_t r = s.row; r < s.row + s.rows; r++) {
        vector most = SPLAT(rows[r].most), sum[CACHE_LINE / VECTOR];
        EACH(u, CACHE_LINE / VECTOR) sum[u] = NAME(get)(rows[r].sum + u * LANES, LANES);
        for (int64_t c = s.begin; c < s.end; c += LINE)
          EACH(u, CACHE_LINE / VECTOR) {
            T *to = scores + r * BLOCK + c + u * LANES;
            vector x = NAME(exponential)(NAME(get)(to, LANES) - most);
            NAME(put)(to, LANES, x);
            sum[u] += x;
          }
        EACH(u, CACHE_LINE / VECTOR) NAME(put)(rows[r].sum + u * LANES, LANES, sum[u]);
      }
      a = (matrix){(char *)(scores + s.row * BLOCK + s.begin), BLOCK * sizeof(T), sizeof(T)};
      cut = at(v, s.begin, 0);
      NAME(macrokernel)(s.rows, min(keys, s.end) - s.begin, p->size, &a, &cut,
                        out + s.row * p->size, p->size, false);
    }
  }
  for (int64_t r = 0; r < n; r++) {
    T sum = NAME(total)(rows[r].sum);
    for (int64_t d = 0; d < p->size && sum != 0; d++)
      out[r * p->size + d] /= sum;
    lse[r] = sum == 0 ? -INFINITY : rows[r].most + EITHER(logf, log)(sum);
  }
}

/* Compute delta = out . grad_out - grad_lse for the rows of one head, and its part of dsink. */
static TARGET void NAME(deltas)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t b = part / p->heads, h = part % p->heads;
  T *copy = (T *)(p->seats + seat * p->seat_bytes), *delta = (T *)p->deltas + part * p->queries;
  const T *lse = (const T *)p->x.lse + part * p->queries;
  T sink = p->x.sink ? ((const T *)p->x.sink)[h] : -INFINITY;
  double slope = 0;
  for (int64_t i = 0; i < p->queries; i++) {
    matrix grad = NAME(contiguous)(p, rows_of(p, &p->x.grad_out, b, h, i), 1, copy);
    const T *x = (const T *)grad.data, *y = (const T *)p->x.out + (part * p->queries + i) * p->size;
    T sum[LINE] = {0};
    for (int64_t d = 0; d < p->size; d += LINE)
      for (int j = 0; j < min(LINE, p->size - d); j++)
        sum[j] += x[d + j] * y[d + j];
    delta[i] =
        NAME(total)(sum) - (p->x.grad_lse ? ((const T *)p->x.grad_lse)[part * p->queries + i] : 0);
    if (sink > -INFINITY || sink != sink)
      slope -= (double)((sink == lse[i] ? 1 : EITHER(expf, exp)(sink - lse[i])) * delta[i]);
  }
  p->sinks[part] = slope;
}

/* Turn scores and dP, in a strip, into P and the gradients of the products of q and k. */
INLINE void NAME(differentiate)(const pass *p, const strip *at, T *scores, T *dp, const T *lse,
                                const T *delta) {
  T inverse = p->cap > 0 ? (T)1 / (T)p->cap : 0;
  for (int64_t r = at->row; r < at->row + at->rows; r++) {
    vector log_sum = SPLAT(lse[r] == -INFINITY ? 0 : lse[r]);
    EACH_VECTOR(c, at->begin, at->end) {
      vector s = NAME(get)(scores + r * BLOCK + c, LANES), t = s * SPLAT(inverse);
      vector weight = NAME(exponential)(s - log_sum);
      vector x =
          weight * (NAME(get)(dp + r * BLOCK + c, LANES) - SPLAT(delta[r])) * SPLAT(p->scale);
      if (p->cap > 0)
        x *= FMA(-t, t, SPLAT(1));
      if (at->masked) {
        NAME(mask) seen = NAME(seen)(p, c, at->first + r);
        weight = NAME(choose)(seen, weight, SPLAT(0));
        x = NAME(choose)(seen, x, SPLAT(0));
      }
      NAME(put)(scores + r * BLOCK + c, LANES, weight);
      NAME(put)(dp + r * BLOCK + c, LANES, x);
    }
  }
}

/* Compute a run of key blocks of one head of k: dK, dV and their parts of dQ. */
static TARGET void NAME(backward)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t kv = part / p->runs, run = part % p->runs, b = kv / p->kv_heads, size = p->size;
  int64_t run_begin = run * p->run, run_end = min(run_begin + p->run, p->keys);
  T *scores = (T *)(p->seats + seat * p->seat_bytes), *dp = scores + BLOCK * BLOCK;
  T *kt = dp + BLOCK * BLOCK, *vt = kt + BLOCK * size, *k_copy = vt + BLOCK * size;
  T *q_copy = k_copy + BLOCK * p->pitch, *grad_copy = q_copy + BLOCK * p->pitch;
  int64_t first_head = b * p->heads + kv % p->kv_heads * p->group;
  for (int64_t h = first_head; h < first_head + p->group; h++) {
    int64_t from = run == 0 ? 0 : max(run_begin - p->shift, 0), to = run_end - p->shift;
    if (to > from)
      memset((T *)p->x.dq + (h * p->queries + from) * size, 0,
             (size_t)((to - from) * size) * sizeof(T));
    if (run + 1 < p->runs)
      memset(halo_of(p, h, run), 0, (size_t)(p->halo * size) * sizeof(T));
  }
  for (int64_t begin = run_begin; begin < run_end; begin += BLOCK) {
    int64_t n = min(BLOCK, p->keys - begin);
    matrix k = rows_of(p, &p->x.k, b, kv % p->kv_heads, begin);
    NAME(transpose)(kt, k, n, size, (T)p->factor);
    NAME(transpose)(vt, rows_of(p, &p->x.v, b, kv % p->kv_heads, begin), n, size, 1);
    k = NAME(contiguous)(p, k, n, k_copy);
    T *dk = (T *)p->x.dk + (kv * (p->keys + p->hidden) + p->hidden + begin) * size;
    T *dv = (T *)p->x.dv + (kv * (p->keys + p->hidden) + p->hidden + begin) * size;
    memset(dk, 0, (size_t)(n * size) * sizeof(T));
    memset(dv, 0, (size_t)(n * size) * sizeof(T));
    int64_t reach = min(p->keys, begin + n + p->window - 1);
    for (int64_t h = 0; h < p->group; h++)
      for (int64_t pos = begin; pos < reach; pos += BLOCK) {
        span queries = {max(pos, p->shift), min(pos + BLOCK, p->keys)};
        int64_t rows = queries.end - queries.begin, i = queries.begin - p->shift;
        if (rows <= 0)
          continue;
        int64_t head = kv % p->kv_heads * p->group + h, row = (first_head + h) * p->queries + i;
        matrix q = NAME(contiguous)(p, rows_of(p, &p->x.q, b, head, i), rows, q_copy);
        matrix grad = NAME(contiguous)(p, rows_of(p, &p->x.grad_out, b, head, i), rows, grad_copy);
        T *dq = pos < run_end
                    ? (T *)p->x.dq + row * size
                    : (T *)halo_of(p, first_head + h, run) + (queries.begin - run_end) * size;
        strip s = no_strip(p, queries, begin);
        while (next_strip(p, &s, LINE)) {
          int64_t width = s.end - s.begin, keys = min(n, s.end) - s.begin,
                  corner = s.row * BLOCK + s.begin;
          matrix a = at(q, s.row, 0), g = at(grad, s.row, 0);
          matrix kb = {(char *)(kt + s.begin), BLOCK * sizeof(T), sizeof(T)};
          matrix vb = {(char *)(vt + s.begin), BLOCK * sizeof(T), sizeof(T)};
          NAME(macrokernel)(s.rows, size, width, &a, &kb, scores + corner, BLOCK, true);
          NAME(macrokernel)(s.rows, size, width, &g, &vb, dp + corner, BLOCK, true);
          NAME(finish_scores)(p, &s, scores);
          NAME(differentiate)(p, &s, scores, dp, (const T *)p->x.lse + row,
                              (const T *)p->deltas + row);
          matrix weights = {(char *)(scores + corner), sizeof(T), BLOCK * sizeof(T)};
          matrix slopes = {(char *)(dp + corner), sizeof(T), BLOCK * sizeof(T)};
          matrix turned = {slopes.data, slopes.col, slopes.row}, kk = at(k, s.begin, 0);
          NAME(macrokernel)(keys, s.rows, size, &weights, &g, dv + s.begin * size, size, false);
          NAME(macrokernel)(keys, s.rows, size, &slopes, &a, dk + s.begin * size, size, false);
          NAME(macrokernel)(s.rows, keys, size, &turned, &kk, dq + s.row * size, size, false);
        }
      }
  }
}

/* Add the halos to the dQ of one head. */
static TARGET void NAME(add_halos)(void *job, int part, int seat) {
  const pass *p = job;
  for (int64_t run = 0; run + 1 < p->runs; run++) {
    int64_t begin = (run + 1) * p->run, end = min(begin + p->halo, p->keys);
    int64_t skipped = max(0, p->shift - begin);
    T *dq = (T *)p->x.dq + (part * p->queries + begin + skipped - p->shift) * p->size;
    const T *halo = (const T *)halo_of(p, part, run) + skipped * p->size;
    for (int64_t i = 0; i < (end - begin - skipped) * p->size; i++)
      dq[i] += halo[i];
  }
  (void)seat;
}

#undef LINE
#undef SPLAT
#undef EACH_VECTOR
