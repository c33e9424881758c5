#pragma once

#include <utility>

#include "rill/graph/gradient_parts.h"

namespace rill {

// Two matrices side by side that were multiplied with a kernel: [a, b] * w.
class SideBySide {
 public:
  SideBySide(GradCtx& g, Output a, Output b) : g_(g), a_(a), b_(b) {}

  // Those of a and b for the gradient at the product.
  std::pair<Output, Output> gradients(Output dy, Output kernel) const {
    const Output both = g_.add("MatMul", {dy, kernel}, {{"transpose_b", true}});
    const Output like_a = shape_of(g_, a_), like_b = shape_of(g_, b_);
    const Output columns = slice_vector(g_, like_a, 1, 2);
    const Output first = concat(g_, {Tensor::vector<std::int32_t>({0}), columns});
    const Output of_a = g_.add("Slice", {both, Tensor::vector<std::int32_t>({0, 0}), like_a});
    return {of_a, g_.add("Slice", {both, first, like_b})};
  }
  Output kernel_gradient(Output dy) const {
    return g_.add("MatMul", {concat(g_, {a_, b_}, 1), dy}, {{"transpose_a", true}});
  }

 private:
  GradCtx& g_;
  Output a_, b_;
};

}  // namespace rill
