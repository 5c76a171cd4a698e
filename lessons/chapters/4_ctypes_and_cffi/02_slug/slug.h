/* Return a title as a part of a web address: letters of ASCII as small ones, digits, and the bytes
 * of all other characters of UTF-8 as they are, with one "-" for whatever stands between them.
 *
 * The result is a new string, which belongs to the caller; slug_free frees it. It is NULL if nothing
 * of the title is left, or if there is no memory. */
char *slug(const char *title);

/* Free a result of slug. */
void slug_free(char *text);
