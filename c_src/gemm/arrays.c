/* The rules of matmul for every binding: which arrays may be multiplied, and where the product may be
 * written. The checks read the descriptors of the arrays, not their elements. */
#include "cookbook.h"

#include <stdbool.h>

enum { A, B, OUT }; /* the arguments, as ck_error.field names them */

/* An array as a batch of matrices, which has one matrix where the array has two dimensions. */
typedef struct {
  int64_t count, rows, columns, next, row, column; /* the last three are strides in bytes */
} batch;

static batch batch_of(const ck_array *array) {
  int64_t d = array->ndim - 2; /* the dimension of the rows */
  int64_t count = d == 0 ? 1 : array->shape[0];
  return (batch){count,
                 array->shape[d],
                 array->shape[d + 1],
                 count == 1 ? 0 : array->strides[0],
                 array->strides[d],
                 array->strides[d + 1]};
}

static int refuse(ck_error *error, ck_code code, int64_t field, int64_t expected, int64_t actual) {
  *error = (ck_error){code, 0, 0, field, expected, actual};
  return code;
}

static inline bool is_batch(const ck_array *array) { return array->ndim == 2 || array->ndim == 3; }

int ck_matmul_shape(const ck_array *a, const ck_array *b, ck_array *out, ck_error *error) {
  int32_t size = a->dtype; /* of an element, in bytes */
  if (size != CK_FLOAT32 && size != CK_FLOAT64)
    return refuse(error, CK_DTYPE, A, 0, size);
  if (b->dtype != size)
    return refuse(error, CK_DTYPE, B, size, b->dtype);
  if (!is_batch(a))
    return refuse(error, CK_DIMENSIONS, A, 0, a->ndim);
  if (!is_batch(b))
    return refuse(error, CK_DIMENSIONS, B, 0, b->ndim);
  batch x = batch_of(a), y = batch_of(b);
  if (x.columns != y.rows)
    return refuse(error, CK_INNER_SIZE, B, x.columns, y.rows);
  if (x.count != y.count && x.count != 1 && y.count != 1)
    return refuse(error, CK_BATCH_SIZE, B, x.count, y.count);
  int64_t sizes[3] = {x.count == 1 ? y.count : x.count, x.rows, y.columns};
  int64_t stride = size, most = size; /* the bytes of the product; the second counts 0 as 1 */
  out->dtype = size;
  out->ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int32_t i = out->ndim; i-- > 0;) {
    out->shape[i] = sizes[3 - out->ndim + i];
    out->strides[i] = stride;
    if (__builtin_mul_overflow(most, out->shape[i] > 1 ? out->shape[i] : 1, &most))
      return refuse(error, CK_MEMORY, OUT, 0, 0);
    stride *= out->shape[i];
  }
  return CK_OK;
}

static bool same_shape(const ck_array *x, const ck_array *y) {
  for (int32_t i = 0; i < x->ndim; i++)
    if (x->shape[i] != y->shape[i])
      return false;
  return x->ndim == y->ndim;
}

static bool is_empty(const ck_array *array) {
  for (int32_t i = 0; i < array->ndim; i++)
    if (array->shape[i] == 0)
      return true;
  return false;
}

/* Return true if `out` is aligned and lies as the contiguous array of its shape would. The stride
 * of a dimension of one element does not matter. */
static bool is_contiguous(const ck_array *out, const ck_array *contiguous) {
  for (int32_t i = 0; i < out->ndim; i++)
    if (out->shape[i] > 1 && out->strides[i] != contiguous->strides[i])
      return false;
  return (uintptr_t)out->data % (uintptr_t)out->dtype == 0;
}

/* Return true if the memory between the first and the last element of `array` overlaps the `size`
 * bytes of `out`. Addresses wrap around, as the strides of an array may be any numbers. */
static bool overlaps(const ck_array *array, const ck_array *out, uint64_t size) {
  uint64_t first = (uintptr_t)array->data, last = first + (uint64_t)array->dtype;
  uint64_t low = (uintptr_t)out->data, high = low + size;
  for (int32_t i = 0; i < array->ndim; i++) {
    uint64_t extent = ((uint64_t)array->shape[i] - 1) * (uint64_t)array->strides[i];
    *(array->strides[i] < 0 ? &first : &last) += extent;
  }
  return first < high && low < last && !is_empty(array);
}

static int check_out(const ck_array *a, const ck_array *b, const ck_array *out,
                     const ck_array *product, ck_error *error) {
  const int64_t *sizes = product->shape + product->ndim - 2;
  if (out->dtype != product->dtype)
    return refuse(error, CK_DTYPE, OUT, product->dtype, out->dtype);
  if (!is_batch(out))
    return refuse(error, CK_DIMENSIONS, OUT, 0, out->ndim);
  if (!same_shape(out, product)) {
    *error = (ck_error){CK_SHAPE, product->ndim == 3 ? product->shape[0] : -1, 0, OUT, sizes[0],
                        sizes[1]};
    return CK_SHAPE;
  }
  if (is_empty(out))
    return CK_OK;
  if (!is_contiguous(out, product))
    return refuse(error, CK_LAYOUT, OUT, 0, 0);
  uint64_t size = (uint64_t)(product->shape[0] * product->strides[0]);
  if (overlaps(a, out, size))
    return refuse(error, CK_OVERLAP, OUT, OUT, A);
  if (overlaps(b, out, size))
    return refuse(error, CK_OVERLAP, OUT, OUT, B);
  return CK_OK;
}

int ck_matmul_is_brief(const ck_array *a, const ck_array *b) {
  static const double BRIEF = 1 << 15; /* multiply-adds */
  return a->ndim == 2 && b->ndim == 2 &&
         (double)a->shape[0] * (double)a->shape[1] * (double)b->shape[1] <= BRIEF;
}

int ck_matmul(const ck_array *a, const ck_array *b, const ck_array *out, int64_t threads,
              ck_error *error) {
  ck_array product;
  int code = ck_matmul_shape(a, b, &product, error);
  if (code == CK_OK && threads < 1)
    code = refuse(error, CK_THREADS, 0, 1, threads);
  if (code == CK_OK)
    code = check_out(a, b, out, &product, error);
  if (code != CK_OK || is_empty(out))
    return code;
  batch x = batch_of(a), y = batch_of(b);
  int64_t count = out->ndim == 2 ? 1 : out->shape[0];
  int at_most = threads < CK_MAX_THREADS ? (int)threads : CK_MAX_THREADS;
  if (out->dtype == CK_FLOAT32)
    ck_matmul_f32(a->data, x.next, x.row, x.column, b->data, y.next, y.row, y.column, out->data,
                  count, x.rows, x.columns, y.columns, at_most);
  else
    ck_matmul_f64(a->data, x.next, x.row, x.column, b->data, y.next, y.row, y.column, out->data,
                  count, x.rows, x.columns, y.columns, at_most);
  return CK_OK;
}
