/* Include KERNELS for float and double, then undefine the instruction set. */
#define T float
#include KERNELS
#undef T
#define T double
#include KERNELS
#undef T
#undef ISA
#undef TARGET
#undef VECTOR
#undef MR
#undef NR_VECTORS
#undef FMA
#undef LOAD
#undef STORE
