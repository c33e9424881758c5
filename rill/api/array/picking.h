#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/slicing.h"

namespace rill {

// Elements picked out of tensors, and masks that pick them. An index out of range fails the step.
//
//   Output rows = gather(table, ids);                  // table[ids[i]]
//   Output kept = boolean_mask(x, x > 0);              // a vector

struct GatherOptions {
  OptionalInput axis = {};  // `batch_dims` when absent
  std::int64_t batch_dims = 0;
  std::string name = {};
};
// The slices of `params` along `axis` that `indices` name: params.shape with the axis replaced by
// indices.shape. With batch_dims the first dimensions of both are walked together; throws
// InvalidArgument then where the rank of indices is unknown.
Output gather(const Input& params, const Input& indices, const GatherOptions& options = {},
              std::source_location at = std::source_location::current());

struct GatherNdOptions {
  std::int64_t batch_dims = 0;
  std::string name = {};
};
// The slices of `params` that the last dimension of `indices` names. Throws InvalidArgument where
// batches are asked for and a rank is not known.
Output gather_nd(const Input& params, const Input& indices, const GatherNdOptions& options = {},
                 std::source_location at = std::source_location::current());

struct BatchGatherOptions {
  std::string name = {};
};
// gather, for each batch: all dimensions of `indices` but the last are dimensions of `params`.
Output batch_gather(const Input& params, const Input& indices,
                    const BatchGatherOptions& options = {},
                    std::source_location at = std::source_location::current());

struct WhereOptions {
  std::string name = {};
};
// The places of what is not zero, one in each row: int64, [count, rank], in row-major order. The
// count is known in the step only.
Output where(const Input& condition, const WhereOptions& options = {},
             std::source_location at = std::source_location::current());
// x where the condition holds, y elsewhere; x and y have one shape, the condition has that shape or
// that of its first dimension. Both are computed for all elements.
Output where(const Input& condition, const Input& x, const Input& y,
             const WhereOptions& options = {},
             std::source_location at = std::source_location::current());
// The same with broadcasting.
Output where_v2(const Input& condition, const Input& x, const Input& y,
                const WhereOptions& options = {},
                std::source_location at = std::source_location::current());

struct BooleanMaskOptions {
  OptionalInput axis = {};  // the first
  std::string name = "boolean_mask";
};
// What the mask, which lies on the dimensions from `axis` on, is true for. Throws InvalidArgument
// when the mask is a scalar or of unknown rank.
Output boolean_mask(const Input& tensor, const Input& mask, const BooleanMaskOptions& options = {},
                    std::source_location at = std::source_location::current());

struct OneHotOptions {
  OptionalInput on_value = {}, off_value = {};  // 1 and 0
  std::int64_t axis = -1;
  DType dtype = DType::invalid;  // of the values, else float32
  std::string name = {};
};
// Vectors of length `depth` that are on at one place each, in a new dimension `axis`. An index out
// of range gives a vector that is off. Throws InvalidArgument when the values have different types.
Output one_hot(const Input& indices, const Input& depth, const OneHotOptions& options = {},
               std::source_location at = std::source_location::current());

struct SequenceMaskOptions {
  OptionalInput maxlen = {};  // the largest of the lengths
  DType dtype = DType::boolean;
  std::string name = {};
};
// For each length a row that begins with that many trues: lengths.shape + [maxlen]. Throws
// InvalidArgument when maxlen is no scalar.
Output sequence_mask(const Input& lengths, const SequenceMaskOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill
