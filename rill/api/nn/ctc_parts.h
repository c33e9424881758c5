#pragma once

#include <optional>

#include "rill/api/sparse/sparse_tensor.h"

namespace rill::nn::ctc_parts {

// What the functions of ctc.h are made of. All build in current_scope().

// The size of a dimension: a number where it is known.
Input dim_of(Output x, int i);
// x[:, start:stop], or a range of another dimension.
Output columns(Output x, OptionalInput start, OptionalInput stop, int axis = 1);
// Whether losses are computed in float32 instead.
bool is_narrow(Output x);

// `blank` counted from the first class; throws InvalidArgument where there is no such class.
std::int64_t blank_of(Output logits, std::int64_t blank);
// Logits and labels as if the blank had always been the last class.
void move_blank_last(Output& logits, SparseTensor& labels, std::int64_t blank);

}  // namespace rill::nn::ctc_parts
