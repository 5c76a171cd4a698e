// Preloaded: Python's arenas start at multiples of their size.
//
// To find the arena of a freed block, Python looks in a table with one entry a multiple. An arena
// that lies across a multiple has two entries, and its blocks in the second one cost 4 instructions
// more when they are freed. The choice of these blocks would depend on everything loaded before.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ARENA = 1 << 20 };

static char *map(void *at, size_t size, int access, int flags, int file, off_t offset) {
  return (char *)syscall(SYS_mmap, at, size, access, flags, file, offset);
}

void *mmap(void *at, size_t size, int access, int flags, int file, off_t offset) {
  if (at || size != ARENA || !(flags & MAP_ANONYMOUS))
    return map(at, size, access, flags, file, offset);
  char *room = map(0, 2 * ARENA, access, flags, file, offset);
  if (room == MAP_FAILED)
    return room;
  size_t before = -(uintptr_t)room % ARENA;
  if (before)
    munmap(room, before);
  munmap(room + before + ARENA, ARENA - before);
  return room + before;
}

void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));
