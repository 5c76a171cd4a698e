#include "matrix.cuh"

constexpr int THREADS = 256;

static unsigned blocks(int64_t threads) { return unsigned((threads + THREADS - 1) / THREADS); }

__global__ void scale(float *out, Matrix x, const float *factors) {
  int64_t item = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= x.rows * x.columns)
    return;
  int64_t i = item / x.columns, j = item % x.columns;
  out[item] = x.data[i * x.row_stride + j * x.column_stride] * factors[i];
}

__global__ void sum(float *sums, Matrix x) {
  int64_t j = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= x.columns)
    return;
  float total = 0;
  for (int64_t i = 0; i < x.rows; i++)
    total += x.data[i * x.row_stride + j * x.column_stride];
  sums[j] = total;
}

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  if (x.rows == 0 || x.columns == 0)
    return cudaSuccess;
  scale<<<blocks(x.rows * x.columns), THREADS, 0, stream>>>(out, x, factors);
  return cudaGetLastError();
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  if (x.columns == 0)
    return cudaSuccess;
  sum<<<blocks(x.columns), THREADS, 0, stream>>>(sums, x);
  return cudaGetLastError();
}
