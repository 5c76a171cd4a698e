/* Scratch memory for packed blocks, cached between calls because the system is slow to map it. */
#pragma once

enum { CK_SCRATCH = 2 << 20 }; /* bytes: a huge page, and aligned like one */

/* Return CK_SCRATCH bytes, or NULL if there is no memory. The search begins at slot `seat`, which
 * should differ between threads that call at the same time. */
char *ck_take_scratch(int seat);

/* Return `scratch` to the cache, or free it if the cache is full. */
void ck_give_scratch(char *scratch, int seat);
