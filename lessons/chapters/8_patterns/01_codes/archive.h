/* An archive: values by name. Both are bytes, and may hold null characters. */
#include <stddef.h>

enum {
  ARCHIVE_OK,
  ARCHIVE_MISSING, /* there is no value of that name */
  ARCHIVE_DAMAGED, /* the value was read, and is not what was stored */
  ARCHIVE_FULL,    /* there is room for 64 values */
  ARCHIVE_SYSTEM,  /* the operating system refused: errno says why */
}; /* a later version may have others */

/* Find a value and return ARCHIVE_OK, or one of the other codes.
 *
 * *value is set to the value, or to what could be read of it, and *size to its size; to NULL and 0 if
 * there is nothing. *message is set to NULL, or to a text in UTF-8 that says what is wrong. Both
 * belong to the caller, who frees them by archive_free. */
int archive_get(const char *name, size_t length, char **value, size_t *size, char **message);

/* Store a copy of the value and return ARCHIVE_OK, or one of the other codes. *message is as above. */
int archive_put(const char *name, size_t length, const char *value, size_t size, char **message);

/* Free what archive_get and archive_put have given. NULL is allowed. */
void archive_free(char *memory);
