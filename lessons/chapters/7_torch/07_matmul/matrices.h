/* A product of matrices in C, which knows nothing of Python. */
#ifndef MATRICES_H
#define MATRICES_H
#include <stddef.h>

/* A matrix, or a batch of matrices with three dimensions, with any strides. */
typedef struct {
  void *data;
  char type;            /* 'f' for float, 'd' for double */
  int ndim;             /* any number; the kernel refuses all but 2 and 3 */
  ptrdiff_t shape[3];   /* of the first dimensions, if there are more */
  ptrdiff_t strides[3]; /* in bytes */
} matrix;

typedef enum { MATRICES_OK, MATRICES_TYPE, MATRICES_VALUE } matrices_code;

/* Fill in type, ndim and shape of a @ b. If they do not fit, return MATRICES_TYPE (a TypeError in
 * Python) or MATRICES_VALUE (a ValueError), and what was wrong in `message`, which is a constant. */
matrices_code matrices_shape(const matrix *a, const matrix *b, matrix *product,
                             const char **message);

/* Compute out = a @ b, and return an error code and a message as above. `out` must have the shape
 * of the product, be C-contiguous and not overlap a or b; `threads` must be at least 1, and this
 * kernel uses one. It checks all of this before it writes. */
matrices_code matrices_multiply(const matrix *a, const matrix *b, const matrix *out,
                                long long threads, const char **message);

#endif
