// A line of the log, split: time, level, service, duration and a message, with spaces between.
#pragma once
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *level, *service;
  size_t level_size, service_size;
  double duration;
} Entry;

enum { FINE, FIELDS, DURATION };
static const char *const WRONG[] = {"", "4 fields expected", "not a duration"};

static inline int split(const char *text, Entry *entry) {
  const char *end = text + strcspn(text, " \n");
  if (*end != ' ')
    return FIELDS;
  entry->level = end + 1;
  entry->level_size = strcspn(entry->level, " \n");
  end = entry->level + entry->level_size;
  if (*end != ' ')
    return FIELDS;
  entry->service = end + 1;
  entry->service_size = strcspn(entry->service, " \n");
  end = entry->service + entry->service_size;
  if (*end != ' ')
    return FIELDS;
  char *last;
  const char *number = end + 1;
  size_t digits = strspn(number, "0123456789.");
  entry->duration = strtod(number, &last);
  int whole = digits > 0 && last == number + digits && strchr(" \n", *last) != NULL;
  return whole ? FINE : DURATION;
}
