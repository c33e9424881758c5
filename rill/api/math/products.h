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
// The product of the matrices in the last two dimensions. Throws InvalidArgument when a matrix is
// to be transposed and adjoint at once.
Output matmul(const Input& a, const Input& b, const MatmulOptions& options = {},
              std::source_location at = std::source_location::current());

// The dimensions that are summed over: the last n of the first and the first n of the second, or
// those that are listed for each.
class TensordotAxes {
 public:
  TensordotAxes(int count) : count_(count) {}
  TensordotAxes(std::vector<std::int64_t> a, std::vector<std::int64_t> b)
      : count_(-1), a_(std::move(a)), b_(std::move(b)) {}

  // With the counted dimensions spelled out; throws InvalidArgument when that is impossible.
  std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> of(Output a) const;

 private:
  std::int64_t count_;
  std::vector<std::int64_t> a_, b_;
};

struct TensordotOptions {
  std::string name{};
};
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
// The product of a matrix and a vector.
Output matvec(const Input& a, const Input& b, const MatvecOptions& options = {},
              std::source_location at = std::source_location::current());
}  // namespace linalg

}  // namespace rill
