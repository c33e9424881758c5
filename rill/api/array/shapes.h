#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/shape_input.h"

namespace rill {

// Shapes of tensors: asked for, changed, filled. What is known before anything runs becomes a
// constant.

struct ShapeOptions {
  DType out_type = DType::i32;
  bool optimize = true;  // false: ask the tensor even where its shape is known
  std::string name = {};
};
// The dimensions of a tensor as a vector.
Output shape(const Input& input, const ShapeOptions& options = {},
             std::source_location at = std::source_location::current());
// The number of its elements.
Output size(const Input& input, const ShapeOptions& options = {},
            std::source_location at = std::source_location::current());

struct RankOptions {
  bool optimize = true;
  std::string name = {};
};
// The number of its dimensions.
Output rank(const Input& input, const RankOptions& options = {},
            std::source_location at = std::source_location::current());

struct FilledOptions {
  DType dtype = DType::f32;
  std::string name = {};
};
// Small shapes that are known become constants, others a Fill. Zeros of string are "".
Output zeros(const ShapeInput& shape, const FilledOptions& options = {},
             std::source_location at = std::source_location::current());
Output ones(const ShapeInput& shape, const FilledOptions& options = {},
            std::source_location at = std::source_location::current());

struct LikeOptions {
  DType dtype = DType::invalid;  // the tensor's own
  bool optimize = true;
  std::string name = {};
};
// Zeros or ones in the shape of another tensor, whose values do not matter.
Output zeros_like(const Input& tensor, const LikeOptions& options = {},
                  std::source_location at = std::source_location::current());
Output ones_like(const Input& tensor, const LikeOptions& options = {},
                 std::source_location at = std::source_location::current());

struct ExpandDimsOptions {
  std::string name = {};
};
// A new dimension of size 1 in front of dimension `axis`; -1 is behind the last.
Output expand_dims(const Input& input, const Input& axis, const ExpandDimsOptions& options = {},
                   std::source_location at = std::source_location::current());

struct SqueezeOptions {
  std::vector<std::int64_t> axis = {};  // empty: all of size 1
  std::string name = {};
};
// Without dimensions of size 1. One of `axis` that has another size throws InvalidArgument where
// that is known, else the step fails.
Output squeeze(const Input& input, const SqueezeOptions& options = {},
               std::source_location at = std::source_location::current());

struct TransposeOptions {
  OptionalInput perm = {};  // the dimensions in reverse order when absent
  bool conjugate = false;
  std::string name = "transpose";
};
// Dimension i of the result is dimension perm[i] of `a`.
Output transpose(const Input& a, const TransposeOptions& options = {},
                 std::source_location at = std::source_location::current());

struct MatrixTransposeOptions {
  bool conjugate = false;
  std::string name = "matrix_transpose";
};
// Exchanges the last two dimensions; throws InvalidArgument when there are fewer.
Output matrix_transpose(const Input& a, const MatrixTransposeOptions& options = {},
                        std::source_location at = std::source_location::current());

struct MeshgridOptions {
  std::string indexing = "xy";  // "ij": the first dimension belongs to the first vector
  std::string name = "meshgrid";
};
// The coordinates of all points of a grid, one tensor for each vector. "xy" exchanges the first two
// dimensions, as for pictures. Throws InvalidArgument for another indexing.
std::vector<Output> meshgrid(const Inputs& vectors, const MeshgridOptions& options = {},
                             std::source_location at = std::source_location::current());

}  // namespace rill
