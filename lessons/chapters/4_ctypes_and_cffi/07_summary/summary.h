#include <stddef.h>

/* The number, the mean and the variance of values that arrive in parts. */
typedef struct summary summary;

/* Return a summary of nothing, which belongs to the caller, or NULL if there is no memory. */
summary *summary_new(void);
void summary_free(summary *s);

/* Add n values. */
void summary_add(summary *s, const double *x, size_t n);

/* Write the number, the mean and the variance to out[0] to out[2]. Return 0, or -1 if there are no
 * values: nothing is written then. */
int summary_read(const summary *s, double *out);
