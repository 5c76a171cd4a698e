#include "slug.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *slug(const char *title) {
  char *text = malloc(strlen(title) + 1);
  if (!text)
    return NULL;
  size_t size = 0;
  for (const unsigned char *c = (const unsigned char *)title; *c; c++) {
    if (*c >= 0x80 || isalnum(*c))
      text[size++] = (char)(*c >= 0x80 ? *c : tolower(*c));
    else if (size > 0 && text[size - 1] != '-')
      text[size++] = '-';
  }
  if (size > 0 && text[size - 1] == '-')
    size--;
  text[size] = 0;
  if (size == 0) {
    free(text);
    return NULL;
  }
  return text;
}

void slug_free(char *text) { free(text); }
