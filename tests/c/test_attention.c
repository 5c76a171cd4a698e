/* test_attention.c: ck_attention_* beside plain loops in double precision, on random shapes. */
#include "cookbook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 40, MOST = 2 * 6 * 150 * 70 };

static ck_attention a = {.batch = 2, .heads = 6, .scale = .2};
static double q[MOST], k[MOST], v[MOST], grad[MOST], grad_lse[MOST], sink[6];
static double out[5 * MOST], *lse, *dq, *dk, *dv, *dsink; /* expected, one after the other */
static void *made[64];
static int n_made, failures, refused;

void *aligned_alloc(size_t alignment, size_t size) {
  void *memory;
  return refused || posix_memalign(&memory, alignment, size) != 0 ? NULL : memory;
}

/* Return n random elements, in memory of their size, and copy them to `copy`. */
static void *make(double *copy, int64_t n) {
  char *memory = made[n_made++] = malloc((size_t)(n * a.dtype));
  for (int64_t i = 0; i < n; i++) {
    float narrow = (float)(copy[i] = rand() % 4096 / 1024. - 2);
    memcpy(memory + i * a.dtype, a.dtype == CK_FLOAT32 ? (void *)&narrow : &copy[i],
           (size_t)a.dtype);
  }
  return memory;
}

static void expect(int64_t row) {
  int64_t head = row / a.queries, kv_head = head / (a.heads / a.kv_heads), n = a.head_size;
  int64_t last = row % a.queries + a.keys - a.queries;
  int64_t first = last < a.window ? 0 : last - a.window + 1;
  double s[150] = {0}, dp[150] = {0};
  double sum = exp(sink[head % a.heads]), weighted = 0;
  for (int64_t j = first; j <= last; j++) {
    for (int64_t d = 0; d < n; d++) {
      s[j] += a.scale * q[row * n + d] * k[(kv_head * a.keys + j) * n + d];
      dp[j] += grad[row * n + d] * v[(kv_head * a.keys + j) * n + d];
    }
    s[j] = a.softcap > 0 ? a.softcap * tanh(s[j] / a.softcap) : s[j];
    sum += exp(s[j]);
    weighted += exp(s[j]) * dp[j];
  }
  double delta = weighted / sum - grad_lse[row];
  lse[row] = log(sum);
  dsink[head % a.heads] -= exp(sink[head % a.heads] - lse[row]) * delta;
  for (int64_t j = first; j <= last; j++)
    for (int64_t d = 0, i = row * n, key = (kv_head * a.keys + j) * n; d < n; d++, i++, key++) {
      double p = exp(s[j] - lse[row]), t = a.softcap > 0 ? s[j] / a.softcap : 0;
      double slope = p * (dp[j] - delta) * (1 - t * t) * a.scale;
      out[i] += p * v[key];
      dq[i] += slope * k[key];
      dk[key] += slope * q[i];
      dv[key] += p * grad[i];
    }
}

static void trial(void) {
  a.dtype = rand() % 2 ? CK_FLOAT32 : CK_FLOAT64;
  a.threads = 1;
  a.kv_heads = 1 + rand() % 3;
  a.queries = rand() % 150;
  a.keys = rand() % 150;
  a.head_size = 1 + rand() % 70;
  a.window = 1 + rand() % 200;
  a.softcap = rand() % 2 * 5;
  int64_t row = a.head_size, many = a.heads * a.queries * row, few = a.kv_heads * a.keys * row;
  int64_t rows = a.batch * a.heads * a.queries, total = 2 * a.batch * (many + few) + rows + a.heads;
  ck_attention_gradients x = {.sink = make(sink, a.heads), .grad_lse = make(grad_lse, rows)};
  x.q = (ck_attention_array){make(q, a.batch * many), many, a.queries * row, row, 1};
  x.k = (ck_attention_array){make(k, a.batch * few), few, a.keys * row, row, 1};
  x.v = (ck_attention_array){make(v, a.batch * few), few, a.keys * row, row, 1};
  x.grad_out = (ck_attention_array){make(grad, a.batch * many), many, a.queries * row, row, 1};
  char *results = NULL;
  ck_error error;
  for (; a.threads <= 3; a.threads++) {
    char *before = results;
    x.out = results = make(out, total);
    x.lse = results + rows * row * a.dtype;
    x.dq = results + (rows * row + rows) * a.dtype;
    x.dk = (char *)x.dq + rows * row * a.dtype;
    x.dv = (char *)x.dk + a.batch * few * a.dtype;
    x.dsink = (char *)x.dv + a.batch * few * a.dtype;
    failures += ck_attention_forward(&a, &x.q, &x.k, &x.v, x.sink, results, (void *)x.lse, &error);
    failures += ck_attention_backward(&a, &x, &error);
    failures += before && memcmp(before, results, (size_t)(total * a.dtype)) != 0;
  }
  memset(out, 0, sizeof out);
  dsink = (dv = (dk = (dq = (lse = out + rows * row) + rows) + rows * row) + a.batch * few) +
          a.batch * few;
  for (int64_t i = 0; i < rows; i++)
    expect(i);
  for (int64_t i = 0; i < total; i++) {
    double value = a.dtype == CK_FLOAT32 ? ((float *)results)[i] : ((double *)results)[i];
    failures += !(fabs(value - out[i]) <= (a.dtype == CK_FLOAT32 ? 1e-4 : 1e-12));
  }
  refused = 1;
  failures += ck_attention_backward(&a, &x, &error) != CK_MEMORY;
  for (refused = 0; n_made > 0;)
    free(made[--n_made]);
}

int main(void) {
  for (int i = 0; i < TRIALS; i++)
    trial();
  return failures != 0;
}
