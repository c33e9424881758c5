#pragma once

#include "rill/base/function_ref.h"
#include "rill/base/philox.h"
#include "rill/ops/random/fill.h"

namespace rill {

// The elements of a tensor of floats or int32 or int64 as doubles.
std::vector<double> as_doubles(const Tensor& t);

// The stream of value number `value`, `stride` blocks behind that of the value before.
inline Philox stream_of_value(Philox stream, std::size_t value,
                              std::uint64_t stride = kBlocksPerValue) {
  stream.skip(value * stride);
  return stream;
}

// Fills `out` with samples for each of `parameter_count` parameters, which vary fastest:
// out[sample, parameter]. `draw` is called with the numbers of the parameter and of the value;
// values are numbered parameter by parameter. `cost` is what a value costs in nanoseconds. Rounds
// to the type of `out`.
void fill_samples(const KernelCall& call, std::size_t parameter_count, double cost,
                  FunctionRef<double(std::size_t, std::size_t)> draw, const Tensor& out);

}  // namespace rill
