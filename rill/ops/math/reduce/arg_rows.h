#pragma once

#include <cstdint>

#include "rill/tensor/dtype.h"

namespace rill {

// Where the extreme element of each column of x[length][columns] is, the rows `stride` elements
// apart. NaN loses to every number, and the first of equals is taken. length > 0.
using ArgColumns = void (*)(const void* x, std::int64_t length, std::int64_t stride,
                            std::int64_t columns, std::int64_t* places);
// Of the elements of one dense row.
using ArgRow = std::int64_t (*)(const void* x, std::int64_t length);

struct ArgRows {
  ArgRow row = nullptr;
  ArgColumns columns = nullptr;
};

// For the real types; half and bfloat16 are compared as floats.
ArgRows find_arg_max_rows(DType type);
ArgRows find_arg_min_rows(DType type);

}  // namespace rill
