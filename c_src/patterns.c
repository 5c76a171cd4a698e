/* The C code behind the patterns: the smallest functions worth calling. They have a file of their
 * own so that no compiler inlines them into their caller. */
#include "cookbook.h"

void ck_noop(void) {}

/* ---- scalars ----------------------------------------------------------------------------- */

static int64_t add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

void ck_take_int(int64_t a) { (void)a; }

int64_t ck_give_int(void) { return 42; }

bool ck_invert(bool flag) { return !flag; }

int64_t ck_add_int(int64_t a, int64_t b) { return add(a, b); }

double ck_add_float(double a, double b) { return a + b; }

double ck_six_scalars(int64_t a, double b, int64_t c, double d, int64_t e, double f) {
  return (double)a + b + (double)c + d + (double)e + f;
}

double ck_keywords(double x, double scale, double offset) { return x * scale + offset; }

void ck_order(int64_t a, int64_t b, int64_t *smaller, int64_t *larger) {
  *smaller = a < b ? a : b;
  *larger = a < b ? b : a;
}

/* ---- text and bytes ---------------------------------------------------------------------- */

int64_t ck_sum_bytes(const uint8_t *data, size_t size) {
  int64_t sum = 0;
  for (size_t i = 0; i < size; i++)
    sum += data[i];
  return sum;
}

const char *ck_text(size_t *size) {
  static const char text[] = "hello world";
  *size = sizeof text - 1;
  return text;
}

double ck_weigh(const uint8_t *key, size_t size, double value) {
  return (double)ck_sum_bytes(key, size) * value;
}

void ck_inverted(const uint8_t *data, size_t size, uint8_t *out) {
  for (size_t i = 0; i < size; i++)
    out[i] = data[i] ^ 0xFF;
}

/* ---- arrays ------------------------------------------------------------------------------ */

double ck_sum_floats(const double *data, size_t size) {
  double sum = 0.0;
  for (size_t i = 0; i < size; i++)
    sum += data[i];
  return sum;
}

double ck_sum_strided(const double *data, size_t size, ptrdiff_t stride) {
  double sum = 0.0;
  for (size_t i = 0; i < size; i++)
    sum += data[(ptrdiff_t)i * (stride / (ptrdiff_t)sizeof *data)];
  return sum;
}

void ck_iota(double *out, size_t size) {
  for (size_t i = 0; i < size; i++)
    out[i] = (double)i;
}

void ck_scale(double *data, size_t size, double factor) {
  for (size_t i = 0; i < size; i++)
    data[i] *= factor;
}

void ck_doubled(const double *data, size_t size, double *out) {
  for (size_t i = 0; i < size; i++)
    out[i] = data[i] * 2.0;
}

/* ---- structs and objects ----------------------------------------------------------------- */

double ck_point_sum(ck_point point) { return point.x + point.y; }

ck_point ck_make_point(double x, double y) { return (ck_point){x, y}; }

/* The counter is atomic, because some bindings call these functions without the GIL, and some
 * Pythons have none. */

void ck_counter_start(ck_counter *counter, int64_t value) {
  __atomic_store_n(&counter->value, value, __ATOMIC_RELAXED);
}

int64_t ck_counter_add(ck_counter *counter, int64_t n) {
  return add(__atomic_fetch_add(&counter->value, n, __ATOMIC_RELAXED),
             n); /* an atomic addition wraps around */
}

bool ck_counter_next(ck_counter *counter, int64_t *item) {
  int64_t value = __atomic_load_n(&counter->value, __ATOMIC_RELAXED);
  do
    if (value <= 0)
      return false;
  while (!__atomic_compare_exchange_n(&counter->value, &value, value - 1, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
  *item = value - 1;
  return true;
}

/* ---- calls ------------------------------------------------------------------------------- */

double ck_call(ck_callback function, void *context, double x) { return function(x, context) + 1.0; }

int ck_fail(int code) { return code; }

int ck_fail_at(int code, int64_t offset, ck_failure *failure) {
  *failure = (ck_failure){code, offset};
  return code;
}

uint64_t ck_work(uint64_t state, uint64_t rounds) {
  for (; rounds > 0; rounds--) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  return state;
}

/* ---- several kinds ------------------------------------------------------------------------------- */

double ck_score(const uint8_t *text, size_t size, int64_t n, double x) {
  return (double)ck_sum_bytes(text, size) + (double)n + x;
}

void ck_scaled(const double *data, size_t size, double factor, double *out) {
  for (size_t i = 0; i < size; i++)
    out[i] = data[i] * factor;
}
