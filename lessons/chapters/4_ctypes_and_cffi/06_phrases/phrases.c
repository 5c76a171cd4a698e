#include "phrases.h"
#include <stdlib.h>
#include <string.h>

struct phrases {
  const char *text;
  size_t size;
};

phrases *phrases_open(const char *text, size_t size) {
  phrases *list = malloc(sizeof *list);
  if (list)
    *list = (phrases){text, size};
  return list;
}

static size_t end_of_line(const phrases *list, size_t at) {
  while (at < list->size && list->text[at] != '\n')
    at++;
  return at;
}

int64_t phrases_find(const phrases *list, const char *line, size_t size) {
  for (size_t at = 0; at < list->size;) {
    size_t end = end_of_line(list, at);
    if (end - at == size && memcmp(list->text + at, line, size) == 0)
      return (int64_t)at;
    at = end + 1;
  }
  return -1;
}

uint64_t phrases_hash(const phrases *list) {
  uint64_t sum = 0;
  for (size_t at = 0; at < list->size;) {
    size_t end = end_of_line(list, at);
    uint64_t hash = 0xcbf29ce484222325;
    for (; at < end; at++)
      hash = (hash ^ (unsigned char)list->text[at]) * 0x100000001b3;
    sum += hash;
    at = end + 1;
  }
  return sum;
}

void phrases_close(phrases *list) { free(list); }
