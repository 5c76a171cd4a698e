/* test_matmul_memory.c: ck_matmul_* packs into memory that calls and threads reuse, so that few of
 * them allocate. Without any memory the product is the same. */
#include "cookbook.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 20, K = 130, N = 64, ITEMS = 10, CALLERS = 6, ROUNDS = 200, ENOUGH = 2 * CALLERS };

static atomic_int asked, refused, failures;

/* Replace the C library's function. */
void *aligned_alloc(size_t alignment, size_t size) {
  void *memory;
  atomic_fetch_add(&asked, 1);
  return atomic_load(&refused) || posix_memalign(&memory, alignment, size) != 0 ? NULL : memory;
}

static float a[ITEMS][K][M], b[ITEMS][N][K], expected[ITEMS][M][N]; /* a and b are transposed */

static void *call(void *argument) {
  size_t size = sizeof expected;
  float *out = malloc(size);
  for (int round = 0; round < ROUNDS; round++) {
    memset(out, 0, size);
    ck_matmul_f32(a, sizeof *a, sizeof(float), M * sizeof(float), b, sizeof *b, sizeof(float),
                  K * sizeof(float), out, ITEMS, M, K, N, round % 3 + 1);
    if (memcmp(out, expected, size) != 0 && atomic_fetch_add(&failures, 1) == 0)
      printf("another product\n");
  }
  free(out);
  return argument;
}

static void call_from_all(void) {
  pthread_t callers[CALLERS];
  for (int i = 0; i < CALLERS; i++)
    pthread_create(&callers[i], NULL, call, NULL);
  for (int i = 0; i < CALLERS; i++)
    pthread_join(callers[i], NULL);
}

int main(void) {
  for (int i = 0; i < ITEMS * K * M; i++)
    (&a[0][0][0])[i] = (float)(i * 37 % 101 - 50);
  for (int i = 0; i < ITEMS * N * K; i++)
    (&b[0][0][0])[i] = (float)(i * 53 % 97 - 48);
  for (int item = 0; item < ITEMS; item++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < K; k++) /* whole numbers, small enough to be exact */
          expected[item][i][j] += a[item][k][i] * b[item][j][k];
  atomic_store(&refused, 1);
  call_from_all();
  if (asked == 0 && failures++ == 0)
    printf("no memory was asked for, so none was refused\n");
  atomic_store(&refused, 0);
  atomic_store(&asked, 0);
  call_from_all();
  if ((asked == 0 || asked > ENOUGH) && failures++ == 0)
    printf("memory was asked for %d times\n", asked);
  printf("matmul_memory %s: %d failures\n", ck_isa(), failures);
  return failures != 0;
}
