// Write two CUDA kernels, and the host functions that launch them:
//
//   scale_rows(out, x, factors, stream)    out[i][j] = x[i][j] * factors[i]
//   column_sums(sums, x, stream)           sums[j] = the sum of x[0][j], x[1][j], ...
//
// out is contiguous; x has any strides, counted in items. Sizes may be 0, and a matrix may have
// 100,000 rows or columns. All pointers are device pointers. The work is put on the given stream,
// and the functions return without waiting for it: cudaSuccess, or the error of the launch.
//
// nvcc compiles the file. The checker then runs each thread of a launch on the CPU; shared memory
// and barriers are not needed. Where there is a GPU, `python run.py` runs the kernels on it.
#include "matrix.cuh"

//: // TODO: the kernels, which are __global__
//:
//: extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
//:   return cudaSuccess; // TODO: kernel<<<blocks, threads, 0, stream>>>(...), and its error
// BEGIN SOLUTION
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
// END SOLUTION
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  //: return cudaSuccess; // TODO
  // BEGIN SOLUTION
  if (x.columns == 0)
    return cudaSuccess;
  sum<<<blocks(x.columns), THREADS, 0, stream>>>(sums, x);
  return cudaGetLastError();
  // END SOLUTION
}
