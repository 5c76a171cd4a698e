/* microkernel.h and packing.h for both element types; then the instruction set is forgotten. */
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
#undef ROWS
#undef COLS
#undef FMA
#undef LOAD
#undef STORE
