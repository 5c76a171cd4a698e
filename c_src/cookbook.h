/* The public interface of the kernels, in C. Include this file; its parts are in cookbook/.
 *
 * Rules that hold for all functions:
 *   - They do not use Python.
 *   - The caller owns the memory that it passes, before, during and after a call. A function frees
 *     the memory that it allocates for one call before it returns: a copy of a large table, the
 *     table of CRCs of CK_RESYNC, room to merge a very long pretoken.
 *   - Only caches outlive a call. ck_matmul keeps up to 64 blocks of 2 MB until the process ends.
 *     Calls with `threads` > 1 share a pool of at most 63 threads, which sleep between calls. The
 *     caches of an open tokenizer model last until it is closed. No cache changes a result.
 *   - Every function is safe to call from many threads at once with different outputs.
 *   - Inputs may hold any bytes, and another thread may change them during a call. The results are
 *     then unspecified, but no memory outside the given ranges is read or written. The records
 *     kernels copy their tables once: ck_cursor, ck_column, ck_fixed_field and the schema. A model
 *     must not change during a call.
 *   - Memory that a records kernel fills must not overlap another argument, else CK_OVERLAP.
 *   - A function that can fail returns a ck_code and fills `error`, which must not be NULL. */
#ifndef COOKBOOK_H
#define COOKBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define CK_API __declspec(dllexport)
#else
#define CK_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Return the instruction set that the kernels use: "avx512", "avx2" or "portable". It is chosen by
 * CPU feature at the first call. The environment variable COOKBOOK_ISA pins a lower one; a higher
 * one is ignored. */
CK_API const char *ck_isa(void);
/* Return the name, version and flags of the compiler, for instance "gcc 12.2.0". */
CK_API const char *ck_compiler(void);

#include "cookbook/errors.h"
#include "cookbook/matmul.h"

#include "cookbook/attention.h"
#include "cookbook/patterns.h"
#include "cookbook/records.h"
#include "cookbook/tokenizer.h"

#ifdef __cplusplus
}
#endif
#endif
