/* Recorders: each collects data in a tape of its own. */
#include <stddef.h>

typedef struct recorder recorder;

/* Return a new recorder, which recorder_close frees. NULL if the name is empty. */
recorder *recorder_open(const char *name);

/* Add data to the tape. One thread at a time may use a recorder. */
void recorder_write(recorder *recorder, const char *data, size_t size);

/* Return the size of the tape. */
size_t recorder_size(recorder *recorder);

/* Store the tape and free the recorder, which is gone in any case. Return 0, or -1 if the tape could
 * not be stored. NULL is not allowed. */
int recorder_close(recorder *recorder);
