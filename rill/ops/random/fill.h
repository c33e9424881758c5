#pragma once

#include "rill/base/philox.h"
#include "rill/kernel/kernel_call.h"

namespace rill {

enum class Draw : std::uint8_t {
  kUniform,          // floats in [0, 1)
  kNormal,           // floats of mean 0 and deviation 1
  kTruncatedNormal,  // the same without those 2 or more from 0
  kBits,             // integers of any value
};

// How far a stream moves on for each value drawn: far more than is used, so that streams of later
// runs never meet.
inline constexpr std::uint64_t kBlocksPerValue = 256;

// Fills `out` from the stream. Element i comes from a block that i alone determines, so the values
// do not depend on the number of threads. Throws Unimplemented for a dtype that `draw` has not.
void fill_random(const KernelCall& call, Draw draw, const Philox& stream, const Tensor& out);

// Integers in [low, high), which are scalars; throws InvalidArgument unless low < high.
void fill_random_range(const KernelCall& call, const Philox& stream, const Tensor& low,
                       const Tensor& high, const Tensor& out);

}  // namespace rill
