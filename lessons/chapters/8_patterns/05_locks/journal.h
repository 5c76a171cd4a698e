/* A journal: a library with a lock of its own, which knows nothing of Python. Any thread may call it. */
#ifndef JOURNAL_H
#define JOURNAL_H

/* What is called for each entry: returns 0, or -1 if it has failed. */
typedef int (*journal_reader)(const char *entry, void *context);

/* Let `reader` be called with each later entry. NULL ends that. Waits for the lock. */
void journal_listen(journal_reader reader, void *context);

/* Write an entry: waits for the lock, and calls the reader while holding it. Return the reader's
 * result, 0 if there is none. */
int journal_write(const char *entry);

/* Return the number of entries. Waits for the lock. */
long journal_size(void);

#endif
