/* The functions of matrices.h. */
#include "matrices.h"
#include "meeting.h"
#include <stdint.h>
#include <string.h>

static matrices_code refuse(matrices_code code, const char *text, const char **message) {
  *message = text;
  return code;
}

static size_t item_size(const matrix *m) { return m->type == 'f' ? sizeof(float) : sizeof(double); }

/* Return the size or stride of an axis, counted from the last; a matrix is a batch of one. */
static ptrdiff_t size(const matrix *m, int axis) {
  return axis < m->ndim ? m->shape[m->ndim - 1 - axis] : 1;
}

static ptrdiff_t stride(const matrix *m, int axis) {
  return axis < m->ndim && size(m, axis) > 1 ? m->strides[m->ndim - 1 - axis] : 0;
}

matrices_code matrices_shape(const matrix *a, const matrix *b, matrix *product,
                             const char **message) {
  if (a->type != b->type)
    return refuse(MATRICES_TYPE, "a and b must have the same dtype", message);
  if (a->ndim < 2 || a->ndim > 3 || b->ndim < 2 || b->ndim > 3)
    return refuse(MATRICES_VALUE, "a and b must have 2 or 3 dimensions", message);
  if (size(a, 0) != size(b, 1))
    return refuse(MATRICES_VALUE, "a must have as many columns as b has rows", message);
  if (size(a, 2) != size(b, 2) && size(a, 2) != 1 && size(b, 2) != 1)
    return refuse(MATRICES_VALUE, "a and b must have as many matrices, or one", message);
  ptrdiff_t batch = size(a, 2) == 1 ? size(b, 2) : size(a, 2);
  *product = (matrix){.type = a->type, .ndim = a->ndim > b->ndim ? a->ndim : b->ndim};
  ptrdiff_t shape[3] = {batch, size(a, 1), size(b, 0)};
  memcpy(product->shape, shape + 3 - product->ndim, (size_t)product->ndim * sizeof *shape);
  return MATRICES_OK;
}

/* Store the addresses of the first byte and of the byte after the last one. */
static void extent(const matrix *m, uintptr_t *first, uintptr_t *end) {
  *first = *end = (uintptr_t)m->data;
  for (int axis = 0; axis < 3; axis++) {
    if (size(m, axis) == 0) {
      *first = *end = 0;
      return;
    }
    ptrdiff_t far = (size(m, axis) - 1) * stride(m, axis);
    *(far < 0 ? first : end) += (uintptr_t)far;
  }
  *end += item_size(m);
}

static int overlap(const matrix *a, const matrix *b) {
  uintptr_t first[2], end[2];
  extent(a, &first[0], &end[0]);
  extent(b, &first[1], &end[1]);
  return first[0] < end[1] && first[1] < end[0];
}

static int contiguous(const matrix *m) {
  ptrdiff_t expected = (ptrdiff_t)item_size(m);
  if (size(m, 0) * size(m, 1) * size(m, 2) == 0)
    return 1;
  for (int axis = 0; axis < m->ndim; axis++) {
    if (size(m, axis) > 1 && stride(m, axis) != expected)
      return 0;
    expected *= size(m, axis);
  }
  return (uintptr_t)m->data % item_size(m) == 0;
}

static matrices_code check(const matrix *a, const matrix *b, const matrix *out, long long threads,
                           const char **message) {
  matrix product;
  matrices_code code = matrices_shape(a, b, &product, message);
  if (code)
    return code;
  if (threads < 1)
    return refuse(MATRICES_VALUE, "threads must be at least 1", message);
  if (out->type != product.type)
    return refuse(MATRICES_TYPE, "out must have the dtype of a and b", message);
  if (out->ndim != product.ndim)
    return refuse(MATRICES_VALUE, "out must have the shape of the product", message);
  for (int axis = 0; axis < 3; axis++)
    if (size(out, axis) != size(&product, axis))
      return refuse(MATRICES_VALUE, "out must have the shape of the product", message);
  if (!contiguous(out))
    return refuse(MATRICES_VALUE, "out must be C-contiguous and aligned", message);
  if (overlap(out, a) || overlap(out, b))
    return refuse(MATRICES_VALUE, "out must not overlap a or b", message);
  return MATRICES_OK;
}

/* Define a function that adds the product of two matrices to out, row by row: the inner loop runs
 * through a row of b and a row of out. Items may be unaligned, so they are copied. */
#define DEFINE_PRODUCT(name, type)                                                                 \
  static void name(const matrix *a, const matrix *b, const char *from, const char *with,           \
                   type *out) {                                                                    \
    ptrdiff_t columns = size(b, 0), inner = size(a, 0);                                            \
    for (ptrdiff_t i = 0; i < size(a, 1); i++, out += columns)                                     \
      for (ptrdiff_t k = 0; k < inner; k++) {                                                      \
        type left, right;                                                                          \
        memcpy(&left, from + i * stride(a, 1) + k * stride(a, 0), sizeof left);                    \
        const char *row = with + k * stride(b, 1);                                                 \
        for (ptrdiff_t j = 0; j < columns; j++) {                                                  \
          memcpy(&right, row + j * stride(b, 0), sizeof right);                                    \
          out[j] += left * right;                                                                  \
        }                                                                                          \
      }                                                                                            \
  }

DEFINE_PRODUCT(multiply_floats, float)
DEFINE_PRODUCT(multiply_doubles, double)

matrices_code matrices_multiply(const matrix *a, const matrix *b, const matrix *out,
                                long long threads, const char **message) {
  if (meeting_expected)
    meeting_join();
  matrices_code code = check(a, b, out, threads, message);
  if (code)
    return code;
  ptrdiff_t items = size(out, 0) * size(out, 1);
  if (items * size(out, 2) == 0)
    return MATRICES_OK;
  memset(out->data, 0, (size_t)(items * size(out, 2)) * item_size(out));
  for (ptrdiff_t batch = 0; batch < size(out, 2); batch++) {
    const char *from = (char *)a->data + batch * stride(a, 2);
    const char *with = (char *)b->data + batch * stride(b, 2);
    if (out->type == 'f')
      multiply_floats(a, b, from, with, (float *)out->data + batch * items);
    else
      multiply_doubles(a, b, from, with, (double *)out->data + batch * items);
  }
  return MATRICES_OK;
}
