// Counts the calls of malloc by this thread. It is preloaded, so that every library's malloc is
// this one.
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

typedef struct {
  uint64_t calls, bytes;
} counts;

static _Thread_local __attribute__((tls_model("initial-exec"))) counts so_far;

// The calling thread's counts at the last three marks.
counts marks[3];

void mark(void) {
  marks[0] = marks[1];
  marks[1] = marks[2];
  marks[2] = so_far;
}

static size_t counted(size_t size) {
  so_far.calls++;
  so_far.bytes += size;
  return size;
}

void *malloc(size_t size) { return __libc_malloc(counted(size)); }

void *calloc(size_t count, size_t size) {
  counted(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) { return __libc_realloc(memory, counted(size)); }

void *memalign(size_t alignment, size_t size) { return __libc_memalign(alignment, counted(size)); }

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (block == NULL)
    return 12; // ENOMEM
  *memory = block;
  return 0;
}
