#include "matrix.cuh"

// One thread for each item in both; the sums are added up by atomicAdd, from zero.
__global__ void scale(float *out, Matrix x, const float *factors) {
  int64_t item = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (item < x.rows * x.columns)
    out[item] = factors[item / x.columns] * x.data[item / x.columns * x.row_stride +
                                                   item % x.columns * x.column_stride];
}

__global__ void add(float *sums, Matrix x) {
  int64_t item = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (item < x.rows * x.columns)
    atomicAdd(&sums[item % x.columns],
              x.data[item / x.columns * x.row_stride + item % x.columns * x.column_stride]);
}

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  unsigned blocks = unsigned((x.rows * x.columns + 127) / 128);
  if (blocks)
    scale<<<blocks, 128, 0, stream>>>(out, x, factors);
  return cudaGetLastError();
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  if (x.columns)
    cudaMemsetAsync(sums, 0, x.columns * sizeof(float), stream);
  unsigned blocks = unsigned((x.rows * x.columns + 127) / 128);
  if (blocks)
    add<<<blocks, 128, 0, stream>>>(sums, x);
  return cudaGetLastError();
}
