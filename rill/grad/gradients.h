#pragma once

#include <span>
#include <string>
#include <vector>

#include "rill/graph/grad_ctx.h"

namespace rill {

class Tape;

enum class Aggregation { kAddN, kTree, kAccumulateN };
enum class Unconnected { kNone, kZero };

struct GradientOptions {
  std::vector<Gradient> grad_ys = {};  // empty, or one per y; an empty one means ones
  std::string name = "gradients";
  bool colocate_with_ops = false;
  bool gate = false;  // no gradient is used before all are computed
  Aggregation aggregation = Aggregation::kAddN;
  std::vector<Output> stop_gradients = {};
  Unconnected unconnected = Unconnected::kNone;
  // Of tensors with values: only ops that it has recorded are gone back through.
  const Tape* tape = nullptr;
};

// True for the types that gradients flow through.
bool is_differentiable(DType dtype);

// Adds nodes that compute the sum of d y / d x over all ys, for each x; an empty Gradient where no
// y depends on it. Throws InvalidArgument when grad_ys do not fit the ys, NotFound (telling the
// node and its op) where an op on the way has no gradient.
std::vector<Gradient> gradients(Scope& scope, std::span<const Output> ys,
                                std::span<const Output> xs, const GradientOptions& options = {});

}  // namespace rill
