/* The instruction set that the kernels use. It is chosen once, by CPU feature. */
#pragma once

enum {
  CK_PORTABLE = 0, /* the features of the compiler's default target */
  CK_AVX2 = 1,     /* with FMA, BMI2, SSE4.2 and PCLMULQDQ */
  CK_AVX512 = 2    /* F, BW, VL and DQ, on top of CK_AVX2 */
};

int ck_isa_level(void);

/* Return 1 if there are instructions for CRC-32C and carry-less products: from CK_AVX2 on, or
 * ARM's, unless COOKBOOK_ISA is "portable". */
int ck_has_crc32c(void);
