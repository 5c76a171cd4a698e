/* matmul: the product of two arrays. */

/* The dtype of an array is the size of its elements in bytes. */
enum { CK_FLOAT32 = 4, CK_FLOAT64 = 8 };

/* An array as NumPy describes it. If it has more than three dimensions, only `ndim` is read. */
typedef struct {
  void *data;
  int32_t dtype, ndim;
  int64_t shape[3], strides[3]; /* strides in bytes, of any sign */
} ck_array;

/* Fill in all of `out` except its data. `out` then describes the C-contiguous product of a and b,
 * for which the caller allocates shape[0] * strides[0] bytes. */
CK_API int ck_matmul_shape(const ck_array *a, const ck_array *b, ck_array *out, ck_error *error);

/* out = a @ b, where each of a and b is a matrix or a batch of matrices. A matrix, or a batch of
 * one, is broadcast over the other's batch. This function checks every argument, and returns an
 * error code before it writes anything. ck_matmul_f32 and ck_matmul_f64 specify the result. */
CK_API int ck_matmul(const ck_array *a, const ck_array *b, const ck_array *out, int64_t threads,
                     ck_error *error);

/* Return true if a @ b, of two matrices, has at most 32,768 multiply-adds: a few microseconds, for
 * which a caller keeps its lock. The arrays are not checked. */
CK_API int ck_matmul_is_brief(const ck_array *a, const ck_array *b);

/* out (batch,m,n) = a (batch,m,k) @ b (batch,k,n). a and b have any strides, in bytes, of any sign
 * and alignment; an operand whose batch stride is 0 is the same matrix in every product. out is
 * C-contiguous and aligned, and overlaps neither. Each element is the chain of fused multiply-adds
 * in the order of k that starts at 0. `threads` >= 1 is an upper bound on the threads used, and
 * changes no bit of the result. These functions cannot fail: without memory to pack into, they pack
 * on the stack. */
CK_API void ck_matmul_f32(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                          int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                          int64_t b_row_stride, int64_t b_col_stride, float *out, int64_t batch,
                          int64_t m, int64_t k, int64_t n, int threads);
CK_API void ck_matmul_f64(const void *a, int64_t a_batch_stride, int64_t a_row_stride,
                          int64_t a_col_stride, const void *b, int64_t b_batch_stride,
                          int64_t b_row_stride, int64_t b_col_stride, double *out, int64_t batch,
                          int64_t m, int64_t k, int64_t n, int threads);
