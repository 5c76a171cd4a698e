/* Step 8, the same on a GPU: tiles of a and b in shared memory, sums in registers.
 *
 * Build: nvcc -O3 -arch=all-major -Werror all-warnings
 * Idea:  steps 3 and 5 once more. A block of 16 x 16 threads makes 64 x 64 elements of c, each thread
 *        4 x 4 in its registers; the block copies its parts of a and b, 16 deep at a time, into
 *        memory that its threads share (packing), with zeros outside the matrices (no edges).
 *        Threads take the place of both SIMD and cores.
 * State: compiled, not measured: it has never run. A library (cuBLAS, CUTLASS) also uses the tensor
 *        cores, loads the next tile while it multiplies this one, and reads vectors of 4 floats.
 */
#include <cuda_runtime.h>

enum { SIDE = 16, EACH = 4, TILE = SIDE * EACH, DEPTH = 16 };

static __global__ void multiply(long m, long k, long n, const float *a, const float *b, float *c) {
  __shared__ float a_tile[DEPTH][TILE + 1]; /* + 1: simultaneous writes go to different banks */
  __shared__ float b_tile[DEPTH][TILE];
  long top = (long)blockIdx.y * TILE, left = (long)blockIdx.x * TILE;
  int x = threadIdx.x, y = threadIdx.y, me = y * SIDE + x;
  float sum[EACH][EACH] = {};

  for (long p = 0; p < k; p += DEPTH) {
    for (int i = me; i < TILE * DEPTH; i += SIDE * SIDE) {
      long row = top + i / DEPTH, a_col = p + i % DEPTH;
      a_tile[i % DEPTH][i / DEPTH] = row < m && a_col < k ? a[row * k + a_col] : 0;
      long b_row = p + i / TILE, col = left + i % TILE;
      b_tile[i / TILE][i % TILE] = b_row < k && col < n ? b[b_row * n + col] : 0;
    }
    __syncthreads(); /* the tiles are complete */
    for (int depth = 0; depth < DEPTH; depth++)
#pragma unroll
      for (int row = 0; row < EACH; row++)
#pragma unroll
        for (int col = 0; col < EACH; col++)
          sum[row][col] += a_tile[depth][y * EACH + row] * b_tile[depth][x + col * SIDE];
    __syncthreads(); /* and no longer needed */
  }

  for (int row = 0; row < EACH; row++)
    for (int col = 0; col < EACH; col++) {
      long i = top + y * EACH + row, j = left + x + col * SIDE;
      if (i < m && j < n)
        c[i * n + j] = sum[row][col];
    }
}

/* c (m,n) = a (m,k) @ b (k,n) in the GPU's memory; returns before it is done. m up to 4 million. */
extern "C" cudaError_t matmul_cuda(long m, long k, long n, const float *a, const float *b, float *c,
                                   cudaStream_t stream) {
  if (m == 0 || n == 0)
    return cudaSuccess;
  dim3 blocks((unsigned)((n + TILE - 1) / TILE), (unsigned)((m + TILE - 1) / TILE));
  multiply<<<blocks, dim3(SIDE, SIDE), 0, stream>>>(m, k, n, a, b, c);
  return cudaGetLastError();
}
