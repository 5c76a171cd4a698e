/* Patterns: the smallest work that proves that the arguments arrived. */

CK_API void ck_noop(void);

CK_API void ck_take_int(int64_t a); /* does nothing with a */
CK_API int64_t ck_give_int(void);   /* 42 */
CK_API bool ck_invert(bool flag);
CK_API int64_t ck_add_int(int64_t a, int64_t b); /* modulo 2^64 */
CK_API double ck_add_float(double a, double b);
CK_API double ck_six_scalars(int64_t a, double b, int64_t c, double d, int64_t e, double f);
CK_API double ck_keywords(double x, double scale, double offset); /* x * scale + offset */
CK_API void ck_order(int64_t a, int64_t b, int64_t *smaller, int64_t *larger);

CK_API int64_t ck_sum_bytes(const uint8_t *data, size_t size);
CK_API const char *ck_text(size_t *size); /* "hello world": static, not the caller's to free */
CK_API double ck_weigh(const uint8_t *key, size_t size, double value); /* sum of bytes * value */
CK_API void ck_inverted(const uint8_t *data, size_t size, uint8_t *out);

CK_API double ck_sum_floats(const double *data, size_t size); /* left to right */
/* Sum doubles that lie `stride` bytes apart. It is a multiple of 8, and may be negative. */
CK_API double ck_sum_strided(const double *data, size_t size, ptrdiff_t stride);
CK_API void ck_iota(double *out, size_t size);                  /* 0.0, 1.0, 2.0 ... */
CK_API void ck_scale(double *data, size_t size, double factor); /* in place */
CK_API void ck_doubled(const double *data, size_t size, double *out);

typedef struct {
  double x, y;
} ck_point;
CK_API double ck_point_sum(ck_point point); /* x + y */
CK_API ck_point ck_make_point(double x, double y);

typedef struct {
  int64_t value;
} ck_counter; /* the caller's memory */
CK_API void ck_counter_start(ck_counter *counter, int64_t value);
CK_API int64_t ck_counter_add(ck_counter *counter, int64_t n); /* the new value, modulo 2^64 */
/* Count down: if value > 0, store value - 1 there and in *item. Return false if value <= 0. */
CK_API bool ck_counter_next(ck_counter *counter, int64_t *item);

typedef double (*ck_callback)(double x, void *context);
CK_API double ck_call(ck_callback function, void *context, double x); /* function(x) + 1 */
CK_API int ck_fail(int code);                                         /* returns code */
typedef struct {
  int code;
  int64_t offset;
} ck_failure;
CK_API int ck_fail_at(int code, int64_t offset, ck_failure *failure); /* fills it; returns code */
/* Take `rounds` steps of xorshift64 from `state`. The work can be interrupted after any step and
 * continued. */
CK_API uint64_t ck_work(uint64_t state, uint64_t rounds);

/* Several kinds of argument at once, which were not used to fit the cost model. */
CK_API double ck_score(const uint8_t *text, size_t size, int64_t n, double x); /* sum + n + x */
CK_API void ck_scaled(const double *data, size_t size, double factor, double *out);
