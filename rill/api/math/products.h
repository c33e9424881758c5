#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// Products of matrices and tensors.

struct MatmulOptions {
  bool transpose_a = false, transpose_b = false;
  bool adjoint_a = false, adjoint_b = false;      // transposed and conjugated
  bool a_is_sparse = false, b_is_sparse = false;  // mostly zeros, of float32 or bfloat16
  std::string name{};
};
// The product of the matrices in the last two dimensions; those before them broadcast. Throws
// InvalidArgument when a matrix is to be transposed and adjoint at once, or inner sizes are known
// to differ.
Output matmul(const Input& a, const Input& b, const MatmulOptions& options = {},
              std::source_location at = std::source_location::current());

// Dimensions of one tensor: numbers, or a tensor of them where there is one.
struct DotAxes {
  std::vector<std::int64_t> numbers{};
  Output tensor{};

  bool is_tensor() const { return tensor.node != nullptr; }
};

// The dimensions that are summed over: the last n of the first and the first n of the second, or
// those that are listed for each, or that the two rows of a tensor list when the graph runs.
class TensordotAxes {
 public:
  TensordotAxes(int count) : count_(count) {}
  TensordotAxes(std::vector<std::int64_t> a, std::vector<std::int64_t> b)
      : a_(std::move(a)), b_(std::move(b)) {}
  TensordotAxes(Output rows) : rows_(rows) {}

  // For each of the tensors; throws InvalidArgument when that is impossible.
  std::pair<DotAxes, DotAxes> of(Output a) const;

 private:
  std::int64_t count_ = -1;
  std::vector<std::int64_t> a_, b_;
  Output rows_;
};

struct TensordotOptions {
  std::string name{};
};
// The sum of products over the axes; the result has the remaining dimensions of a, then those of b.
//
//   tensordot(a, b, 1);           // matrices: matmul
//   tensordot(a, b, {{1}, {0}});  // the same
//
// Throws InvalidArgument for lists of different lengths and axes outside of the tensors.
Output tensordot(const Input& a, const Input& b, const TensordotAxes& axes,
                 const TensordotOptions& options = {},
                 std::source_location at = std::source_location::current());

namespace linalg {
using rill::matmul;
using rill::tensordot;

struct MatvecOptions {
  bool transpose_a = false, adjoint_a = false;
  bool a_is_sparse = false, b_is_sparse = false;
  std::string name{};
};
// The product of matrices [..., m, n] and vectors [..., n].
Output matvec(const Input& a, const Input& b, const MatvecOptions& options = {},
              std::source_location at = std::source_location::current());
}  // namespace linalg

}  // namespace rill
