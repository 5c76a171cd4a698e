#include <stddef.h>
#include <stdint.h>

/* A list of phrases, which can be found by their text. */
typedef struct phrases phrases;

/* Make a list of the lines of a text of `size` bytes. The text is not copied: it must stay where it
 * is until the list is closed. Return NULL if there is no memory. */
phrases *phrases_open(const char *text, size_t size);

/* Return the offset in the text of the first line that has just these bytes, or -1. */
int64_t phrases_find(const phrases *list, const char *line, size_t size);

/* Return the sum of the hashes of all lines, which is the same for any order of theirs. */
uint64_t phrases_hash(const phrases *list);

/* Free the list. */
void phrases_close(phrases *list);
