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

// TODO: the kernels, which are __global__

extern "C" int scale_rows(float *out, Matrix x, const float *factors, cudaStream_t stream) {
  return cudaSuccess; // TODO: kernel<<<blocks, threads, 0, stream>>>(...), and its error
}

extern "C" int column_sums(float *sums, Matrix x, cudaStream_t stream) {
  return cudaSuccess; // TODO
}
