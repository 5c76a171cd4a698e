/* A search that takes long and uses nothing of Python's. */

/* Return 1 if the word occurs in the text, 0 if not. Both end with a null character. */
int occurs(const char *word, const char *text);
