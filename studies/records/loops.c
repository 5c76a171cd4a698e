// The records kernels called from C over a whole file, and the limits of the machine.
#include "cookbook.h"

// Decode batch after batch into the same memory, and return the number of records.
CK_API int64_t decode(const uint8_t *buffer, size_t size, const uint8_t *schema, size_t schema_size,
                      uint8_t *arena, size_t arena_size, ck_column *columns, size_t n_columns,
                      int64_t max_records) {
  const ck_bytes file = {buffer, size};
  const ck_batch batch = {
      {schema, schema_size}, {arena, arena_size}, columns, n_columns, max_records};
  ck_cursor cursor = {0};
  ck_error error = {0};
  while (cursor.position < (int64_t)size && error.code == CK_OK) {
    cursor.rows = 0;
    ck_decode_examples(file, &batch, CK_VERIFY | CK_FINAL, &cursor, &error);
  }
  return cursor.record;
}

// Read every byte: sum the 64-bit words, in enough chains to hide the latency of an addition.
#define READ(name, target)                                                                         \
  target static uint64_t name(const uint8_t *buffer, size_t size) {                                \
    typedef uint64_t line __attribute__((vector_size(64), aligned(1), may_alias));                 \
    line sums[8] = {0};                                                                            \
    for (size_t at = 0; at + sizeof sums <= size; at += sizeof sums)                               \
      _Pragma("GCC unroll 8") for (int i = 0; i < 8; i++) sums[i] +=                               \
          ((const line *)(buffer + at))[i];                                                        \
    for (int i = 1; i < 8; i++)                                                                    \
      sums[0] += sums[i];                                                                          \
    return sums[0][0];                                                                             \
  }

#ifdef __x86_64__
READ(read_avx512, __attribute__((target("avx512f"))))
READ(read_avx2, __attribute__((target("avx2"))))
#endif
READ(read_baseline, )

CK_API uint64_t read_memory(const uint8_t *buffer, size_t size) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    return read_avx512(buffer, size);
  if (__builtin_cpu_supports("avx2"))
    return read_avx2(buffer, size);
#endif
  return read_baseline(buffer, size);
}
