#include "archive.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, HEADER = 16 };

static struct {
  char *name, *value;
  size_t length, size;
} values[MOST];
static int filled, outstanding;

/* Return memory behind a header, so that only archive_free can free it. */
static char *allocate(size_t size) {
  char *memory = malloc(HEADER + size);
  outstanding++;
  return memory + HEADER;
}

static char *copy(const char *data, size_t size) {
  char *memory = allocate(size);
  memcpy(memory, data, size);
  return memory;
}

void archive_free(char *memory) {
  if (!memory)
    return;
  outstanding--;
  free(memory - HEADER);
}

/* Return the number of values and messages that nobody has freed. */
int archive_outstanding(void) { return outstanding; }

static int fail(int code, const char *text, char **message) {
  *message = copy(text, strlen(text) + 1);
  return code;
}

/* Fail if a name asks for it: "!27" is the code 27, and "?13" a system call with the errno 13. */
static int refused(const char *name, size_t length, char **message) {
  *message = NULL;
  int number = length > 1 ? atoi(name + 1) : 0;
  if (length && name[0] == '!')
    return fail(number,
                "the page is gone: Seite \xc3\xbc"
                "ber Bord",
                message);
  if (length && name[0] == '?') {
    fail(ARCHIVE_SYSTEM, "read", message);
    errno = number;
    return ARCHIVE_SYSTEM;
  }
  return ARCHIVE_OK;
}

static int place_of(const char *name, size_t length) {
  for (int i = 0; i < filled; i++)
    if (values[i].length == length && memcmp(values[i].name, name, length) == 0)
      return i;
  return -1;
}

int archive_get(const char *name, size_t length, char **value, size_t *size, char **message) {
  int code = refused(name, length, message), i = place_of(name, length);
  *value = NULL;
  *size = 0;
  if (code == ARCHIVE_DAMAGED) {
    *value = copy("half a value", 12);
    *size = 12;
  }
  if (code)
    return code;
  if (i < 0)
    return ARCHIVE_MISSING;
  *value = copy(values[i].value, values[i].size);
  *size = values[i].size;
  return ARCHIVE_OK;
}

int archive_put(const char *name, size_t length, const char *value, size_t size, char **message) {
  int code = refused(name, length, message), i = place_of(name, length);
  if (code)
    return code;
  if (i < 0 && filled == MOST)
    return fail(ARCHIVE_FULL, "there is room for 64 values", message);
  if (i < 0) {
    i = filled++;
    values[i].name = malloc(length + 1);
    memcpy(values[i].name, name, length);
    values[i].length = length;
    values[i].value = NULL;
  }
  char *own = malloc(size + 1);
  memcpy(own, value, size);
  free(values[i].value);
  values[i].value = own;
  values[i].size = size;
  return ARCHIVE_OK;
}
