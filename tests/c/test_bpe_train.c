/* test_bpe_train.c: training until no pairs are left, on random words, on very long ones and on
 * none. The merges do not depend on their number in a call. */
#include "cookbook.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = 40000 };

static uint8_t text[SIZE];
static int64_t ends[SIZE];
static uint64_t merges[2][SIZE];

static size_t train(uint64_t *out, size_t n_words, size_t at_once) {
  size_t found = 0;
  ck_error error;
  ck_buffer room = {0};
  ck_bpe_trainer *trainer = ck_bpe_trainer_open();
  if (ck_bpe_trainer_add(trainer, text, SIZE, ends, n_words, &error) != CK_OK)
    abort();
  for (; room.n == room.capacity; found += room.n) {
    room = (ck_buffer){out + found, at_once, 0};
    if (ck_bpe_trainer_merge(trainer, &room, &error) != CK_OK ||
        ck_bpe_trainer_add(trainer, text, SIZE, ends, 1, &error) != CK_ARGUMENT)
      abort();
  }
  ck_bpe_trainer_close(trainer);
  return found;
}

int main(void) {
  for (uint32_t longest = 1; longest < 4 * SIZE; longest *= 6) {
    size_t n = 0;
    for (int64_t end = 0; end < SIZE; ends[n++] = end)
      end = end + longest < SIZE ? end + 1 + rand() % longest : SIZE;
    for (size_t i = 0; i < SIZE; i++)
      text[i] = (uint8_t)(255 - rand() % (longest > SIZE ? 1 : 20));
    size_t found = train(merges[0], n, 1);
    if (train(merges[1], n, 1000) != found || memcmp(merges[0], merges[1], 8 * found) != 0)
      return 1;
  }
  return train(merges[0], 0, 1) != 0;
}
