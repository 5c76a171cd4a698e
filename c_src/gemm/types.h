/* Include microkernel.h and packing.h for float and double, then undefine the instruction set. */
#define T float
#include "microkernel.h"

#include "packing.h"
#undef T
#define T double
#include "microkernel.h"

#include "packing.h"
#undef T
#undef ISA
#undef TARGET
#undef VECTOR
#undef MR
#undef NR_VECTORS
#undef FMA
#undef LOAD
#undef STORE
