#pragma once

#include <string>
#include <vector>

#include "tests/optest/op_case.h"

namespace rill {

struct Tolerance {
  double rtol = -1, atol = 0;  // rtol < 0: what is usual for the dtype
};

// What is kept of an output that is too large to keep: kSampleCount elements at equal distances,
// and per block of elements a sum and a sum of magnitudes (numbers) or one hash (exact types).
inline constexpr int kSampleCount = 128;
inline constexpr int kBlockCount = 64;
struct Sample {
  DType dtype = DType::invalid;
  Shape shape;
  Tensor values;             // [kSampleCount]
  Tensor sums;               // double [2, kBlockCount], non-finite elements left out; floats only
  Tensor non_finite_counts;  // int64 [3]: NaN, inf, -inf; floats only
  std::uint64_t hash = 0;    // FNV-1a of the elements' bytes; other types
};

// "" when the tensors agree, else what differs first: dtype, shape, then the worst element.
std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance);
std::string difference(const Tensor& got, const Sample& want, Tolerance tolerance);

}  // namespace rill
