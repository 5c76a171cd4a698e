/* TARGET_BEGIN("avx2"): the functions from here to TARGET_END may use these instructions. clang and
 * gcc write it in ways of their own.
 */
#pragma once

#define CK_PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(__clang__)
#define TARGET_BEGIN(features)                                                                     \
  CK_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define TARGET_END CK_PRAGMA(clang attribute pop)
#else
#define TARGET_BEGIN(features) CK_PRAGMA(GCC push_options) CK_PRAGMA(GCC target(features))
#define TARGET_END CK_PRAGMA(GCC pop_options)
#endif
