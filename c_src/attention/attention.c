/* Attention in plain loops, in double precision. */
#include "cookbook.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double get(const void *data, int32_t dtype, int64_t i) {
  return dtype == CK_FLOAT32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static void put(void *data, int32_t dtype, int64_t i, double x) {
  if (dtype == CK_FLOAT32)
    ((float *)data)[i] = (float)x;
  else
    ((double *)data)[i] = x;
}

static double at(const ck_attention *a, const ck_attention_array *x, int64_t b, int64_t h, int64_t i,
                 int64_t d) {
  return get(x->data, a->dtype, b * x->batch + h * x->head + i * x->position + d * x->dim);
}

static int refuse(ck_error *error, ck_code code, int64_t field, int64_t actual) {
  *error = (ck_error){code, 0, 0, field, 0, actual};
  return code;
}

static int check(const ck_attention *a, ck_error *error) {
  if (a->dtype != CK_FLOAT32 && a->dtype != CK_FLOAT64)
    return refuse(error, CK_DTYPE, 0, a->dtype);
  if (a->threads < 1)
    return refuse(error, CK_THREADS, 1, a->threads);
  const int64_t sizes[] = {a->batch, a->heads, a->kv_heads, a->queries, a->keys};
  for (int i = 0; i < 5; i++)
    if (sizes[i] < 0)
      return refuse(error, CK_ARGUMENT, 2 + i, sizes[i]);
  if (a->kv_heads == 0 ? a->heads != 0 : a->heads % a->kv_heads != 0)
    return refuse(error, CK_ARGUMENT, 4, a->kv_heads);
  if (a->head_size < 1 || a->head_size > 256)
    return refuse(error, CK_ARGUMENT, 7, a->head_size);
  if (a->window < 1)
    return refuse(error, CK_ARGUMENT, 8, a->window);
  if (!isfinite(a->scale))
    return refuse(error, CK_ARGUMENT, 9, 0);
  if (!(a->softcap >= 0 && a->softcap < INFINITY))
    return refuse(error, CK_ARGUMENT, 10, 0);
  return CK_OK;
}

/* The score of a query and a key; `slope` gets the derivative by the product. */
static double score(const ck_attention *a, const ck_attention_array *q, const ck_attention_array *k,
                    int64_t b, int64_t h, int64_t i, int64_t j, double *slope) {
  double s = 0;
  for (int64_t d = 0; d < a->head_size; d++)
    s += at(a, q, b, h, i, d) * at(a, k, b, h / (a->heads / a->kv_heads), j, d);
  *slope = a->scale;
  if (a->softcap == 0)
    return s * a->scale;
  double t = tanh(s * a->scale / a->softcap);
  *slope *= 1 - t * t;
  return a->softcap * t;
}

static int64_t last(const ck_attention *a, int64_t i) { return i + a->keys - a->queries; }
static int64_t first(const ck_attention *a, int64_t i) {
  int64_t p = last(a, i);
  return p < a->window ? 0 : p - a->window + 1;
}

int ck_attention_forward(const ck_attention *a, const ck_attention_array *q,
                         const ck_attention_array *k, const ck_attention_array *v,
                         const void *sink, void *out, void *lse, ck_error *error) {
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  double acc[256], slope;
  for (int64_t row = 0; row < a->batch * a->heads * a->queries; row++) {
    int64_t i = row % a->queries, h = row / a->queries % a->heads, b = row / a->queries / a->heads;
    double logit = sink ? get(sink, a->dtype, h) : -INFINITY, m = logit, l = logit > -INFINITY;
    memset(acc, 0, sizeof acc);
    for (int64_t j = first(a, i); j <= last(a, i); j++) {
      double s = score(a, q, k, b, h, i, j, &slope);
      if (s > m) {
        double shrink = exp(m - s);
        l *= shrink;
        for (int64_t d = 0; d < a->head_size; d++)
          acc[d] *= shrink;
        m = s;
      }
      double p = exp(s - m);
      l += p;
      for (int64_t d = 0; d < a->head_size; d++)
        acc[d] += p * at(a, v, b, h / (a->heads / a->kv_heads), j, d);
    }
    for (int64_t d = 0; d < a->head_size; d++)
      put(out, a->dtype, row * a->head_size + d, l == 0 ? 0 : acc[d] / l);
    put(lse, a->dtype, row, m + (l == 0 ? 0 : log(l)));
  }
  return CK_OK;
}

static void add(void *data, int32_t dtype, int64_t i, double x) {
  put(data, dtype, i, get(data, dtype, i) + x);
}

int ck_attention_backward(const ck_attention *a, const ck_attention_gradients *g,
                          ck_error *error) {
  int code = check(a, error);
  if (code != CK_OK)
    return code;
  int64_t size = a->dtype, n = a->head_size;
  memset(g->dq, 0, (size_t)(a->batch * a->heads * a->queries * n * size));
  memset(g->dk, 0, (size_t)(a->batch * a->kv_heads * a->keys * n * size));
  memset(g->dv, 0, (size_t)(a->batch * a->kv_heads * a->keys * n * size));
  if (g->dsink)
    memset(g->dsink, 0, (size_t)(a->heads * size));
  for (int64_t row = 0; row < a->batch * a->heads * a->queries; row++) {
    int64_t i = row % a->queries, h = row / a->queries % a->heads, b = row / a->queries / a->heads;
    int64_t kv = h / (a->heads / a->kv_heads);
    double lse = get(g->lse, a->dtype, row), slope;
    double delta = g->grad_lse ? -get(g->grad_lse, a->dtype, row) : 0;
    for (int64_t d = 0; d < n; d++)
      delta += get(g->out, a->dtype, row * n + d) * at(a, &g->grad_out, b, h, i, d);
    for (int64_t j = first(a, i); j <= last(a, i); j++) {
      double p = exp(score(a, &g->q, &g->k, b, h, i, j, &slope) - lse), dp = -delta;
      int64_t key = ((b * a->kv_heads + kv) * a->keys + j) * n;
      for (int64_t d = 0; d < n; d++)
        dp += at(a, &g->grad_out, b, h, i, d) * at(a, &g->v, b, kv, j, d);
      for (int64_t d = 0; d < n; d++) {
        add(g->dv, a->dtype, key + d, p * at(a, &g->grad_out, b, h, i, d));
        add(g->dk, a->dtype, key + d, p * dp * slope * at(a, &g->q, b, h, i, d));
        add(g->dq, a->dtype, row * n + d, p * dp * slope * at(a, &g->k, b, kv, j, d));
      }
    }
    if (g->sink && g->dsink) {
      double logit = get(g->sink, a->dtype, h);
      double p = logit == -INFINITY ? 0 : logit == lse ? 1 : exp(logit - lse);
      add(g->dsink, a->dtype, h, -p * delta);
    }
  }
  return CK_OK;
}
