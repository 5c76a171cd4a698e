#include "cpu.h"

#include "cookbook.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

static const char *const names[] = {"portable", "avx2", "avx512"};

static int supported_level(void) {
#if defined(__x86_64__)
  int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("sse4.2") &&
             __builtin_cpu_supports("pclmul");
  int avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return avx2 ? avx512 ? CK_AVX512 : CK_AVX2 : CK_PORTABLE;
#else
  return CK_PORTABLE;
#endif
}

static int choose_level(void) {
  int supported = supported_level();
  const char *pinned = getenv("COOKBOOK_ISA");
  for (int level = CK_PORTABLE; pinned && level < supported; level++)
    if (strcmp(pinned, names[level]) == 0)
      return level;
  return supported;
}

/* Return the level in use. Threads that race here all store the same answer, so a relaxed atomic
 * suffices. */
int ck_isa_level(void) {
  static _Atomic int chosen = -1;
  int level = atomic_load_explicit(&chosen, memory_order_relaxed);
  if (level < 0) {
    level = choose_level();
    atomic_store_explicit(&chosen, level, memory_order_relaxed);
  }
  return level;
}

int ck_has_crc32c(void) {
#if defined(__aarch64__)
  const char *pinned = getenv("COOKBOOK_ISA");
  if (pinned && strcmp(pinned, names[CK_PORTABLE]) == 0)
    return 0;
#endif
#if defined(__aarch64__) && defined(__linux__)
  unsigned long has = getauxval(AT_HWCAP);
  return has & HWCAP_CRC32 && has & HWCAP_PMULL;
#elif defined(__aarch64__) && defined(__APPLE__)
  return 1;
#else
  return ck_isa_level() >= CK_AVX2;
#endif
}

const char *ck_isa(void) { return names[ck_isa_level()]; }

#ifndef CK_FLAGS /* the build's flags as a string, when the build system passes them */
#define CK_FLAGS ""
#endif

const char *ck_compiler(void) {
#if defined(__clang__)
  return "clang " __clang_version__ CK_FLAGS;
#else
  return "gcc " __VERSION__ CK_FLAGS;
#endif
}
