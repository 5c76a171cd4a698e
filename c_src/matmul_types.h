/* matmul_tile.h and matmul_pack.h for both element types; then the instruction set is forgotten. */
#define T float
#include "matmul_tile.h"

#include "matmul_pack.h"
#undef T
#define T double
#include "matmul_tile.h"

#include "matmul_pack.h"
#undef T
#undef ISA
#undef TARGET
#undef VECTOR
#undef ROWS
#undef COLS
#undef FMA
#undef LOAD
#undef STORE
