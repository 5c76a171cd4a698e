#include "matrix.cuh"

namespace kernels {
// scale<<<blocks, threads>>> runs one thread for each row
template <class T> __global__ void scale(T *out, Matrix x, const T *factors) {
  int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < x.rows)
    for (int64_t j = 0; j < x.columns; j++)
      out[i * x.columns + j] = x.data[i * x.row_stride + j * x.column_stride] * factors[i];
}

/* sum<<<blocks, threads>>>(sums, x) runs one thread for each column; the last ones have none. */
__global__ void sum(float *sums, Matrix x) {
  int64_t j = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= x.columns)
    return;
  sums[j] = 0;
  for (int64_t i = 0; i < x.rows; i++)
    sums[j] += x.data[i * x.row_stride + j * x.column_stride];
}
} // namespace kernels

static unsigned blocks(int64_t items) { return unsigned((items + 63) / 64); }

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  if (x.rows > 0)
    kernels::scale<float><<<blocks(x.rows), 64, 0, stream>>>(out, x, factors);
  return cudaGetLastError();
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  if (x.columns > 0)
    kernels::sum<<<blocks(x.columns), 64, 0, stream>>>(sums, x);
  return cudaGetLastError();
}
