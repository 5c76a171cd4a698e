/* A matrix in the memory of the device, as a tensor describes it. */
#pragma once
#include <cstdint>

struct Matrix {
  const float *data;
  int64_t rows, columns;
  int64_t row_stride, column_stride; // in items
};
