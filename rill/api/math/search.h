#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

// The default axis is 0, TensorFlow's, not all of them as in numpy.
struct ArgmaxOptions {
  Input axis = 0;
  DType output_type = DType::i64;
  std::string name{};
};
// Where along an axis the largest, or smallest, value stands first. The step fails with
// InvalidArgument where the axis has no elements.
Output argmax(const Input& input, const ArgmaxOptions& options = {},
              std::source_location at = std::source_location::current());
Output argmin(const Input& input, const ArgmaxOptions& options = {},
              std::source_location at = std::source_location::current());

namespace math {
using rill::argmax;
using rill::argmin;

// Whether the prediction for `targets[i]` is among the k largest of row i. Ties at the border are
// in; a target outside of the classes or a prediction that is not finite is not.
Output in_top_k(const Input& predictions, const Input& targets, const Input& k,
                const MathOptions& options = {},
                std::source_location at = std::source_location::current());
}  // namespace math

namespace nn {
using math::in_top_k;
}

}  // namespace rill
