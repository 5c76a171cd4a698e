/* CUDA on the host: a C++ compiler builds an exercise's kernels, and every thread of a grid runs
 * without a GPU, under the sanitizers too.
 *
 * The threads of a launch run one after another, and none sees the writes of another: each starts
 * from the memory before the launch. Its changes are saved, with its number, and undone. If two
 * threads change one byte, that is a race; otherwise the changes are applied at the end.
 *
 *     memory     7 7 7 7 7
 *     thread 1   7 1 7 7 7   -> aside: byte 1 by thread 1
 *     thread 2   7 7 2 7 7   -> aside: byte 2 by thread 2
 *
 * Outside a launch, the memory of the device is poisoned: AddressSanitizer stops any access. Shared
 * memory and barriers within a block are not emulated.
 */
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sanitizer/asan_interface.h>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidConfiguration = 9 };
typedef struct CUstream_st *cudaStream_t;
struct uint3 {
  unsigned x, y, z;
};
struct dim3 : uint3 {
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : uint3{x, y, z} {}
  uint64_t count() const { return uint64_t(x) * y * z; }
};

inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

namespace device {

constexpr uint64_t MOST_COMPARED = 1
                                   << 29; // bytes; the threads of a larger launch share the memory

struct Buffer {
  unsigned char *data;
  size_t size;
  std::vector<unsigned char> before, after;
  std::vector<uint64_t> writer; // the number of the thread that changed each byte, 0 for none
  std::vector<bool> atomic;     // bytes changed by atomic functions, which stay changed

  void begin() {
    before.assign(data, data + size);
    after = before;
    writer.assign(size, 0);
    atomic.assign(size, false);
  }

  /* Save the thread's changes; return true if another thread has changed the same byte. */
  bool set_aside(uint64_t thread) {
    bool race = false;
    if (std::equal(data, data + size, before.begin()))
      return race;
    for (size_t i = 0; i < size; i++) {
      if (data[i] == before[i])
        continue;
      if (atomic[i]) {
        before[i] = after[i] = data[i];
        continue;
      }
      race |= writer[i] != 0;
      writer[i] = thread;
      after[i] = data[i];
      data[i] = before[i];
    }
    return race;
  }
};

inline std::vector<Buffer> buffers;
inline cudaError_t error = cudaSuccess;
inline cudaStream_t expected_stream;
inline bool raced = false, waited = false, elsewhere = false;

inline void use(cudaStream_t stream) { elsewhere |= stream != expected_stream; }

inline void close() {
  for (Buffer &buffer : buffers)
    ASAN_POISON_MEMORY_REGION(buffer.data, buffer.size);
}

inline void open() {
  for (Buffer &buffer : buffers)
    ASAN_UNPOISON_MEMORY_REGION(buffer.data, buffer.size);
}

inline bool is_valid(dim3 grid, dim3 block) {
  return grid.count() > 0 && block.count() > 0 && block.count() <= 1024 && block.z <= 64 &&
         grid.x < 1u << 31 && grid.y < 1u << 16 && grid.z < 1u << 16;
}

/* kernel<<<grid, block, 0, stream>>>(a, b) is built as Launch(grid, block, 0, stream)(kernel, a, b). */
struct Launch {
  dim3 grid, block;

  Launch(dim3 grid, dim3 block, size_t = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block) {
    use(stream);
  }

  template <class... P, class... A> void operator()(void (*kernel)(P...), A... arguments) const {
    if (!is_valid(grid, block)) {
      error = cudaErrorInvalidConfiguration;
      return;
    }
    open();
    uint64_t bytes = 0, thread = 0;
    for (Buffer &buffer : buffers) {
      buffer.begin();
      bytes += buffer.size;
    }
    bool isolated = grid.count() * block.count() * bytes < MOST_COMPARED;
    gridDim = grid, blockDim = block;
    for (uint64_t i = 0; i < grid.count(); i++) {
      blockIdx = at(i, grid);
      for (uint64_t j = 0; j < block.count(); j++) {
        threadIdx = at(j, block);
        kernel(arguments...);
        thread++;
        for (Buffer &buffer : buffers)
          if (isolated)
            raced |= buffer.set_aside(thread);
      }
    }
    for (Buffer &buffer : buffers)
      if (isolated)
        std::copy(buffer.after.begin(), buffer.after.end(), buffer.data);
    close();
  }

  static uint3 at(uint64_t i, dim3 size) {
    return {unsigned(i % size.x), unsigned(i / size.x % size.y), unsigned(i / size.x / size.y)};
  }
};

} // namespace device

inline cudaError_t cudaGetLastError() { return std::exchange(device::error, cudaSuccess); }
inline cudaError_t cudaPeekAtLastError() { return device::error; }

inline cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t stream = nullptr) {
  device::use(stream);
  device::open();
  std::memset(to, value, n);
  device::close();
  return cudaSuccess;
}

inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  device::waited = true;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaStreamSynchronize(nullptr); }

template <class T> T atomicAdd(T *place, T value) {
  T old = *place;
  *place += value;
  for (device::Buffer &buffer : device::buffers) {
    auto *first = reinterpret_cast<unsigned char *>(place);
    if (first >= buffer.data && first < buffer.data + buffer.size)
      for (size_t i = 0; i < sizeof(T); i++)
        buffer.atomic[size_t(first - buffer.data) + i] = true;
  }
  return old;
}

using std::max;
using std::min;

/* The functions that an exercise's driver calls. */
extern "C" {
inline __attribute__((used)) void *device_new(const void *content, size_t size) {
  auto *data = static_cast<unsigned char *>(std::malloc(size));
  std::memcpy(data, content, size);
  device::buffers.push_back({data, size, {}, {}, {}, {}});
  device::close();
  return data;
}

inline __attribute__((used)) void device_read(void *to, const void *from, size_t size) {
  device::open();
  std::memcpy(to, from, size);
  device::close();
}

/* Free all memory of the device, clear the notes, and return them: 1 for a race, 2 for a call that
 * waited, 4 for an unchecked error, 8 for work on another stream than the expected one. */
inline __attribute__((used)) int device_reset(cudaStream_t expected) {
  int noted = device::raced | device::waited << 1 | (cudaGetLastError() != cudaSuccess) << 2 |
              device::elsewhere << 3;
  device::open();
  for (device::Buffer &buffer : device::buffers)
    std::free(buffer.data);
  device::buffers.clear();
  device::raced = device::waited = device::elsewhere = false;
  device::expected_stream = expected;
  return noted;
}
}
