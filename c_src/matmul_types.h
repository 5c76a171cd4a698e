/* matmul_tile.h for both element types; then the instruction set is forgotten. */
#define T float
#include "matmul_tile.h"
#undef T
#define T double
#include "matmul_tile.h"
#undef T
#undef ISA
#undef TARGET
#undef VECTOR
#undef ROWS
#undef COLS
#undef FMA
#undef LOAD
#undef STORE
