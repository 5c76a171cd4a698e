/* Attention on blocks of queries and keys, for one element type T and one instruction set ISA.
 *
 * A row of scores is summed in LINE lanes, however wide a vector is, and a product is a chain of fused
 * multiply-adds in the order of its index. So the instruction set changes no bit either. */
#include "gemm/packing.h"

#define LINE (CACHE_LINE / (int)sizeof(T))
#define SPLAT(x) ((T)(x) - (vector){0})
#define EACH_ROW(s) for (int64_t r = (s)->row; r < (s)->row + (s)->rows; r++)
#define EACH_VECTOR(s) for (int64_t c = (s)->begin; c < (s)->end; c += LANES)
#define mask NAME(mask)
#define strip NAME(strip)

typedef __typeof__(EITHER((int32_t)0, (int64_t)0)) mask __attribute__((vector_size(VECTOR)));

INLINE vector NAME(choose)(mask which, vector x, vector y) {
  return (vector)((which & (mask)x) | (~which & (mask)y));
}

/* Return e^f - 1, and store 2^n, where x = n log 2 + f and |f| < 0.35. `shift` brings n + BIAS, which is
 * the exponent of 2^n, to the lowest bits of a sum. A denormal 2^n, which is slow, is 0; a NaN stays. */
INLINE vector NAME(split_power)(vector x, vector *power) {
  enum { TERMS = EITHER(7, 13), BIAS = EITHER(127, 1023), FRACTION = EITHER(23, 52) };
  const double factorials[] = {1,    1,     2,      6,       24,       120,       720,
                               5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800};
  const vector least = SPLAT(EITHER(-88, -709)), shift = SPLAT((T)(3ull << (FRACTION - 1)) + BIAS);
  x = NAME(choose)(x < least, least, x);
  vector sum = FMA(x, SPLAT(1.44269504088896340736), shift), n = sum - shift;
  vector f = FMA(n, SPLAT(EITHER(-0.693359375, -0.693147180369123816490)), x);
  f = FMA(n, SPLAT(EITHER(2.12194440e-4, -1.90821492927058770002e-10)), f);
  vector series = SPLAT(1 / factorials[TERMS]);
#pragma GCC unroll 16
  for (int i = TERMS - 1; i > 0; i--)
    series = FMA(series, f, SPLAT(1 / factorials[i]));
  *power = (vector)((mask)sum << FRACTION);
  return series * f;
}

INLINE vector NAME(exponential)(vector x) {
  vector power, less_one = NAME(split_power)(x, &power);
  return FMA(power, less_one, power);
}

/* Return tanh x = (e^2x - 1) / (e^2x + 1), where the numerator is precise for small x too. */
INLINE vector NAME(tangent)(vector x) {
  const vector most = SPLAT(EITHER(20, 40)); /* tanh rounds to 1 from half of it on */
  vector power, twice = NAME(choose)(x + x > most, most, x + x);
  vector numerator = NAME(split_power)(twice, &power);
  numerator = FMA(power, numerator, power - SPLAT(1));
  return numerator / (numerator + SPLAT(2));
}

/* Return the rows of a head of x from row i on. Heads are counted through all items of the batch. */
INLINE matrix NAME(rows_of)(const pass *p, const ck_attention_array *x, int64_t heads, int64_t head,
                            int64_t i) {
  int64_t row = x->position * p->a.dtype, column = x->dim * p->a.dtype;
  const T *data = (const T *)x->data + head / heads * x->batch + head % heads * x->head;
  return at((matrix){(const char *)data, row, column}, i, 0);
}

/* Return n rows whose elements are adjacent: x itself, or a copy. */
INLINE matrix NAME(adjacent)(const pass *p, matrix x, int64_t n, T *copy) {
  if (x.col == sizeof(T))
    return x;
  NAME(pack_a)(copy, MOST_SIZE, n, p->a.head_size, x);
  return (matrix){(const char *)copy, MOST_SIZE * sizeof(T), sizeof(T)};
}

/* Fill `to` (head_size, BLOCK) with `factor` times the transpose of n rows, and with zeros. */
INLINE void NAME(transpose)(const pass *p, matrix x, int64_t n, double factor, T *to) {
  for (int64_t d = 0; d < p->a.head_size; d++)
    for (int64_t i = 0; i < BLOCK; i++)
      to[d * BLOCK + i] = i < n ? *(const any_T *)at(x, i, d).data * (T)factor : 0;
}

/* out (m, n) (+)= a (m, k) @ b (k, n) */
INLINE void NAME(multiply)(int64_t m, int64_t k, int64_t n, matrix a, matrix b, T *out,
                           int64_t stride, bool first) {
  NAME(macrokernel)(m, k, n, &a, &b, out, stride, first);
}

INLINE matrix NAME(tile)(const T *x) {
  return (matrix){(const char *)x, BLOCK * sizeof(T), sizeof(T)};
}

/* Some of n rows, and the columns `begin` to `end`, of a tile of scores. Row r sees `window` columns
 * from first + r on. `masked` if a row does not see all columns. */
typedef struct {
  int64_t n, window, first, row, rows, begin, end;
  bool masked;
  T cap;
} strip;

/* Advance to the next strip in which keys are seen. Return false if there is none. */
INLINE bool NAME(next)(strip *s) {
  bool whole = s->first + s->n - 1 <= 0 && s->first + s->window >= BLOCK;
  for (s->row += s->rows; s->row < s->n; s->row += s->rows) {
    s->rows = whole ? s->n : min(STRIP, s->n - s->row);
    int64_t first = s->first + s->row, last = first + s->rows - 1;
    s->begin = max(first, 0) / LINE * LINE;
    s->end = min(ceil_div(max(last + s->window, 0), LINE) * LINE, BLOCK);
    s->masked = last > s->begin || first + s->window < s->end;
    if (s->begin < s->end)
      return true;
  }
  return false;
}

INLINE mask NAME(seen)(const strip *s, int64_t r, int64_t c) {
  static const T lanes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  vector column = NAME(get)(lanes, LANES) + SPLAT(c);
  return (column >= SPLAT(max(s->first + r, 0))) &
         (column < SPLAT(min(s->first + r + s->window, BLOCK)));
}

/* Turn the products of a strip, q . k times p->factor, into scores before the mask. */
INLINE void NAME(cap)(const strip *s, T *scores) {
  if (s->cap > 0)
    EACH_ROW(s) EACH_VECTOR(s) {
      T *to = scores + r * BLOCK + c;
      NAME(put)(to, LANES, NAME(tangent)(NAME(get)(to, LANES)) * SPLAT(s->cap));
    }
}

INLINE T NAME(total)(const T *lanes) {
  T total = lanes[0];
  for (int i = 1; i < LINE; i++)
    total += lanes[i];
  return total;
}

/* Mask the scores. Raise the level of each row with a score that is far above it, and scale its sums.
 * Only the first block of keys often has one. */
INLINE void NAME(raise)(const strip *s, T *scores, T *levels, T (*sums)[LINE], T *out,
                        int64_t size) {
  enum { FAR = 8 };
  mask above = {0};
  bool any = false;
  EACH_ROW(s) EACH_VECTOR(s) {
    vector x = NAME(get)(scores + r * BLOCK + c, LANES);
    if (s->masked)
      x = NAME(choose)(NAME(seen)(s, r, c), x, SPLAT(-INFINITY));
    NAME(put)(scores + r * BLOCK + c, LANES, x);
    above |= x > SPLAT(levels[r] + FAR);
  }
  EACH(i, LANES) any |= above[i] != 0;
  if (!any)
    return;
  EACH_ROW(s) {
    vector most = SPLAT(levels[r]);
    EACH_VECTOR(s) {
      vector x = NAME(get)(scores + r * BLOCK + c, LANES);
      most = NAME(choose)(x > most, x, most);
    }
    T level = most[0];
    for (int i = 1; i < LANES; i++)
      level = most[i] > level ? most[i] : level;
    if (!(level > levels[r] + FAR))
      continue;
    T scale = NAME(exponential)(SPLAT(levels[r] - level))[0];
    levels[r] = level;
    for (int i = 0; i < LINE; i++)
      sums[r][i] *= scale;
    for (int64_t d = 0; d < size; d++)
      out[r * size + d] *= scale;
  }
}

static TARGET void NAME(pack_keys)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t i = part % p->key_blocks * BLOCK;
  matrix k = NAME(rows_of)(p, &p->x.k, p->a.kv_heads, part / p->key_blocks, i);
  NAME(transpose)(p, k, min(BLOCK, p->a.keys - i), p->factor,
                  (T *)p->memory + part * BLOCK * p->a.head_size);
  (void)seat;
}

static TARGET void NAME(forward)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t size = p->a.head_size, head = part / p->query_blocks, kv_head = head / p->group;
  int64_t begin = (p->first_block + part % p->query_blocks) * BLOCK, window = p->a.window;
  int64_t end = min(begin + BLOCK, p->a.keys), top = max(begin, p->shift), n = end - top;
  int64_t row = head * p->a.queries + top - p->shift;
  matrix q = NAME(rows_of)(p, &p->x.q, p->a.heads, head, top - p->shift);
  T *out = (T *)p->x.out + row * size, *lse = (T *)p->x.lse + row;
  T *scores = (T *)p->seats + seat * SEAT, *copy = scores + BLOCK * BLOCK;
  T sink = p->x.sink ? ((const T *)p->x.sink)[head % p->a.heads] : -INFINITY;
  T levels[BLOCK], sums[BLOCK][LINE] = {{0}}; /* exp(score - level) is summed in LINE lanes */
  for (int64_t r = 0; r < n; r++) {
    sums[r][0] = sink == -INFINITY ? 0 : 1;
    levels[r] = sink == -INFINITY ? EITHER(-FLT_MAX, -DBL_MAX) : sink;
  }
  memset(out, 0, (size_t)(max(n, 0) * size) * sizeof(T));
  for (int64_t j = max(top - window + 1, 0) / BLOCK * BLOCK; j < end; j += BLOCK) {
    int64_t keys = min(BLOCK, p->a.keys - j);
    matrix v = NAME(rows_of)(p, &p->x.v, p->a.kv_heads, kv_head, j);
    const T *k = (const T *)p->memory + (kv_head * p->key_blocks * BLOCK + j) * size;
    v = NAME(adjacent)(p, v, keys, copy);
    strip s = {.n = n, .window = window, .first = top - window + 1 - j, .cap = p->a.softcap};
    while (NAME(next)(&s)) {
      T *corner = scores + s.row * BLOCK + s.begin;
      NAME(multiply)(s.rows, size, s.end - s.begin, at(q, s.row, 0), NAME(tile)(k + s.begin),
                     corner, BLOCK, true);
      NAME(cap)(&s, scores);
      NAME(raise)(&s, scores, levels, sums, out, size);
      EACH_ROW(&s) {
        vector sum[CACHE_LINE / VECTOR], level = SPLAT(levels[r]);
        EACH(u, CACHE_LINE / VECTOR) sum[u] = NAME(get)(sums[r] + u * LANES, LANES);
        for (T *x = scores + r * BLOCK + s.begin; x < scores + r * BLOCK + s.end; x += LINE)
          EACH(u, CACHE_LINE / VECTOR) {
            vector weight = NAME(exponential)(NAME(get)(x + u * LANES, LANES) - level);
            NAME(put)(x + u * LANES, LANES, weight);
            sum[u] += weight;
          }
        EACH(u, CACHE_LINE / VECTOR) NAME(put)(sums[r] + u * LANES, LANES, sum[u]);
      }
      NAME(multiply)(s.rows, min(keys, s.end) - s.begin, size, NAME(tile)(corner),
                     at(v, s.begin, 0), out + s.row * size, size, false);
    }
  }
  for (int64_t r = 0; r < n; r++) {
    T sum = NAME(total)(sums[r]);
    for (int64_t d = 0; d < size && sum != 0; d++)
      out[r * size + d] /= sum;
    lse[r] = sum == 0 ? -INFINITY : levels[r] + EITHER(logf, log)(sum);
  }
}

/* The rows of head h in all items: delta = out . grad_out - grad_lse, dsink, and zeros in dQ, dK, dV. */
static TARGET void NAME(prepare)(void *job, int h, int seat) {
  const pass *p = job;
  const T *lse = p->x.lse, *grad_lse = p->x.grad_lse, *sinks = p->x.sink;
  int64_t size = p->a.head_size, n = p->a.queries, keys = p->hidden + p->a.keys;
  T *copy = (T *)p->seats + seat * SEAT, *delta = p->memory, *dsink = p->x.dsink;
  double slope = 0;
  for (int64_t head = h; head < p->a.batch * p->a.heads; head += p->a.heads) {
    memset((T *)p->x.dq + head * n * size, 0, (size_t)(n * size) * sizeof(T));
    if (head % p->group == 0) {
      memset((T *)p->x.dk + head / p->group * keys * size, 0, (size_t)(keys * size) * sizeof(T));
      memset((T *)p->x.dv + head / p->group * keys * size, 0, (size_t)(keys * size) * sizeof(T));
    }
    for (int64_t i = 0, row = head * n; i < n; i++, row++) {
      matrix grad = NAME(rows_of)(p, &p->x.grad_out, p->a.heads, head, i);
      const T *x = (const T *)NAME(adjacent)(p, grad, 1, copy).data;
      const T *y = (const T *)p->x.out + row * size;
      T sum[LINE] = {0};
      for (int64_t d = 0; d < size; d += LINE)
        for (int j = 0; j < min(LINE, size - d); j++)
          sum[j] += x[d + j] * y[d + j];
      delta[row] = NAME(total)(sum) - (grad_lse ? grad_lse[row] : 0);
      T share = !sinks ? 0 : sinks[h] == lse[row] ? 1 : EITHER(expf, exp)(sinks[h] - lse[row]);
      slope -= (double)(share * delta[row]); /* an infinite sink can equal lse */
    }
  }
  if (dsink)
    dsink[h] = (T)slope;
}

/* Turn scores into weights, and `slopes`, the gradients of weights, into gradients of q . k. */
INLINE void NAME(differentiate)(const strip *s, T *scores, T *slopes, const T *lse, const T *delta,
                                T scale) {
  T inverse = s->cap > 0 ? 1 / s->cap : 0;
  EACH_ROW(s) {
    vector level = SPLAT(lse[r] == -INFINITY ? 0 : lse[r]), less = SPLAT(delta[r]);
    EACH_VECTOR(s) {
      vector score = NAME(get)(scores + r * BLOCK + c, LANES), tangent = score * SPLAT(inverse);
      vector weight = NAME(exponential)(score - level);
      vector slope = weight * (NAME(get)(slopes + r * BLOCK + c, LANES) - less) * SPLAT(scale);
      if (s->cap > 0)
        slope *= FMA(-tangent, tangent, SPLAT(1));
      if (s->masked) { /* a NaN must not pass */
        weight = NAME(choose)(NAME(seen)(s, r, c), weight, SPLAT(0));
        slope = NAME(choose)(NAME(seen)(s, r, c), slope, SPLAT(0));
      }
      NAME(put)(scores + r * BLOCK + c, LANES, weight);
      NAME(put)(slopes + r * BLOCK + c, LANES, slope);
    }
  }
}

static TARGET void NAME(backward)(void *job, int part, int seat) {
  const pass *p = job;
  int64_t size = p->a.head_size, runs = (p->runs + 1 - p->odd) / 2, kv_head = part / runs;
  int64_t begin = (part % runs * 2 + p->odd) * p->run, end = min(begin + p->run, p->a.keys);
  T *scores = (T *)p->seats + seat * SEAT, *slopes = scores + BLOCK * BLOCK;
  const T *lse = p->x.lse, *delta = p->memory;
  T *dq = p->x.dq, *kt = slopes + BLOCK * BLOCK, *vt = kt + BLOCK * MOST_SIZE,
    *copies = vt + BLOCK * MOST_SIZE;
  for (int64_t j = begin; j < end; j += BLOCK) {
    int64_t keys = min(BLOCK, p->a.keys - j), window = p->a.window;
    int64_t offset = (kv_head * (p->hidden + p->a.keys) + p->hidden + j) * size;
    T *dk = (T *)p->x.dk + offset, *dv = (T *)p->x.dv + offset;
    matrix k = NAME(rows_of)(p, &p->x.k, p->a.kv_heads, kv_head, j);
    NAME(transpose)(p, k, keys, p->factor, kt);
    NAME(transpose)(p, NAME(rows_of)(p, &p->x.v, p->a.kv_heads, kv_head, j), keys, 1, vt);
    k = NAME(adjacent)(p, k, keys, copies);
    for (int64_t head = kv_head * p->group; head < (kv_head + 1) * p->group; head++)
      for (int64_t i = j; i < min(p->a.keys, j + keys + window - 1); i += BLOCK) {
        int64_t top = max(i, p->shift), n = min(i + BLOCK, p->a.keys) - top;
        int64_t row = head * p->a.queries + top - p->shift;
        matrix q = NAME(rows_of)(p, &p->x.q, p->a.heads, head, top - p->shift);
        matrix grad = NAME(rows_of)(p, &p->x.grad_out, p->a.heads, head, top - p->shift);
        q = NAME(adjacent)(p, q, n, copies + BLOCK * MOST_SIZE);
        grad = NAME(adjacent)(p, grad, n, copies + 2 * BLOCK * MOST_SIZE);
        strip s = {.n = n, .window = window, .first = top - window + 1 - j, .cap = p->a.softcap};
        while (NAME(next)(&s)) {
          int64_t width = min(keys, s.end) - s.begin, corner = s.row * BLOCK + s.begin;
          matrix x = at(q, s.row, 0), y = at(grad, s.row, 0);
          matrix weights = {(const char *)(scores + corner), sizeof(T), BLOCK * sizeof(T)};
          matrix slopes_t = {(const char *)(slopes + corner), sizeof(T), BLOCK * sizeof(T)};
          NAME(multiply)(s.rows, size, s.end - s.begin, x, NAME(tile)(kt + s.begin),
                         scores + corner, BLOCK, true);
          NAME(multiply)(s.rows, size, s.end - s.begin, y, NAME(tile)(vt + s.begin),
                         slopes + corner, BLOCK, true);
          NAME(cap)(&s, scores);
          NAME(differentiate)(&s, scores, slopes, lse + row, delta + row, (T)p->a.scale);
          NAME(multiply)(width, s.rows, size, weights, y, dv + s.begin * size, size, false);
          NAME(multiply)(width, s.rows, size, slopes_t, x, dk + s.begin * size, size, false);
          NAME(multiply)(s.rows, width, size, NAME(tile)(slopes + corner), at(k, s.begin, 0),
                         dq + (row + s.row) * size, size, false);
        }
      }
  }
}
