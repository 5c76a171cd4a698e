#include <algorithm>

#include "matrix.cuh"

// A grid of a fixed size: each thread goes on by the number of all threads.
__device__ int64_t first() { return int64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ int64_t step() { return int64_t(gridDim.x) * blockDim.x; }

__global__ void scale(float *__restrict__ out, Matrix x, const float *__restrict__ factors) {
  for (int64_t item = first(); item < x.rows * x.columns; item += step()) {
    int64_t i = item / x.columns, j = item - i * x.columns;
    out[item] = x.data[i * x.row_stride + j * x.column_stride] * factors[i];
  }
}

__global__ void sum(float *__restrict__ sums, Matrix x) {
  for (int64_t j = first(); j < x.columns; j += step()) {
    const float *item = x.data + j * x.column_stride;
    float total = 0;
    for (int64_t i = 0; i < x.rows; i++, item += x.row_stride)
      total += *item;
    sums[j] = total;
  }
}

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  scale<<<8, 128, 0, stream>>>(out, x, factors);
  return cudaGetLastError();
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  sum<<<4, 64, 0, stream>>>(sums, x);
  return cudaGetLastError();
}
