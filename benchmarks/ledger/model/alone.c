// The kernels without a binding: `times` calls, made in C.
#include "cookbook.h"

// Calls from Python wait for each other: without this, a call would begin before the last one has
// ended.
#if defined(__x86_64__)
#define WAIT() __builtin_ia32_lfence()
#elif defined(__aarch64__)
#define WAIT() __asm__ volatile("isb")
#else
#define WAIT()
#endif
#define REPEAT(times) for (size_t turn = 0; turn < (times); turn++)

CK_API void matmul(size_t times, const float *a, const float *b, float *out, int64_t n) {
  const int64_t item = sizeof(float), row = n * item;
  REPEAT(times) {
    ck_matmul_f32(a, 0, row, item, b, 0, row, item, out, 1, n, n, n, 1);
    WAIT();
  }
}

CK_API void decode(size_t times, const uint8_t *buffer, size_t size, const uint8_t *schema,
                   size_t schema_size, uint8_t *arena, size_t arena_size, ck_column *columns,
                   size_t n_columns, int64_t records) {
  const ck_bytes file = {buffer, size};
  const ck_batch batch = {{schema, schema_size}, {arena, arena_size}, columns, n_columns, records};
  REPEAT(times) {
    ck_cursor cursor = {0};
    ck_error error = {0};
    ck_decode_examples(file, &batch, CK_VERIFY | CK_FINAL, &cursor, &error);
    WAIT();
  }
}

// The texts lie end to end: text i is text[offsets[i] .. offsets[i + 1]].
CK_API void encode(size_t times, ck_bpe *model, const uint8_t *text, const int64_t *offsets,
                   size_t n_texts, const uint8_t *specials, uint32_t *ids, size_t capacity) {
  REPEAT(times)
  for (size_t i = 0; i < n_texts; i++) {
    ck_buffer room = {ids, capacity, 0};
    ck_error error = {0};
    ck_bpe_encode(model, text + offsets[i], (size_t)(offsets[i + 1] - offsets[i]), specials, &room,
                  NULL, &error);
    WAIT();
  }
}
