#include "matrix.cuh"

// Blocks of 32 x 8 threads; a grid has many blocks in x alone, so the rows are there.
__global__ void scale(float *out, Matrix x, const float *factors) {
  int64_t i = int64_t(blockIdx.x) * blockDim.y + threadIdx.y;
  if (i >= x.rows)
    return;
  for (int64_t j = threadIdx.x; j < x.columns; j += blockDim.x)
    out[i * x.columns + j] = x.data[i * x.row_stride + j * x.column_stride] * factors[i];
}

__global__ void sum(float *sums, Matrix x) {
  float total = 0;
  for (int64_t i = 0; i < x.rows; i++)
    total += x.data[i * x.row_stride + blockIdx.x * x.column_stride];
  sums[blockIdx.x] = total;
}

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  dim3 block(32, 8);
  dim3 grid(unsigned((x.rows + block.y - 1) / block.y));
  if (grid.x == 0)
    return cudaSuccess;
  scale<<<grid, block, 0, stream>>>(out, x, factors);
  return cudaGetLastError();
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  if (x.columns == 0)
    return cudaSuccess;
  sum<<<unsigned(x.columns), 1, 0, stream>>>(sums, x);
  return cudaGetLastError();
}
