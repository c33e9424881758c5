#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

// Which norm: "euclidean", "fro" (the same of matrices), or a number; infinity is the largest size.
class NormOrder {
 public:
  NormOrder(double p = 2) : p_(p) {}
  NormOrder(const char* name) : NormOrder(std::string(name)) {}
  NormOrder(std::string name);  // throws InvalidArgument when there is no such norm

  double p() const { return p_; }
  bool is_euclidean() const { return !is_number_ || p_ == 2; }
  bool is_number() const { return is_number_; }
  bool is_fro() const { return is_fro_; }

 private:
  double p_ = 2;
  bool is_number_ = true, is_fro_ = false;
};

struct NormOptions {
  NormOrder ord = "euclidean";
  std::vector<std::int64_t> axis{};  // none: all elements as one vector; two: of matrices
  bool keepdims = false;
  std::string name{};
};
// Of vectors: (sum |x|**p)**(1/p). Of matrices: "fro" and "euclidean" are the root of the sum of
// squares, 1 the largest sum of a column, infinity that of a row, 2 the largest singular value.
// Throws InvalidArgument when the axes do not fit the norm: "fro" needs two, other numbers than
// these one, and a vector's p must be positive.
Output norm(const Input& tensor, const NormOptions& options = {},
            std::source_location at = std::source_location::current());

struct Normalized {
  Output normalized = {}, norm = {};
};
struct NormalizeOptions {
  NormOrder ord = "euclidean";
  std::vector<std::int64_t> axis{};
  std::string name{};
};
namespace linalg {
// A tensor divided by its norm, and that norm with its axes kept. Zeros become NaN.
Normalized normalize(const Input& tensor, const NormalizeOptions& options = {},
                     std::source_location at = std::source_location::current());
}  // namespace linalg

// The sum of the main diagonals of the matrices in the last two dimensions.
Output trace(const Input& x, const MathOptions& options = {},
             std::source_location at = std::source_location::current());

namespace linalg {
using rill::norm;
using rill::trace;
}  // namespace linalg

namespace math {
// Without an axis all elements are one vector.
struct L2NormalizeOptions {
  OptionalInput axis{};
  Input epsilon = 1e-12;  // the least that is divided by
  std::string name{};
};
// x / sqrt(max(sum(|x|**2), epsilon)): zeros stay zeros, unlike with normalize.
Output l2_normalize(const Input& x, const L2NormalizeOptions& options = {},
                    std::source_location at = std::source_location::current());
}  // namespace math
namespace nn {
using math::l2_normalize;
}
namespace linalg {
using math::l2_normalize;
}

}  // namespace rill
