#pragma once

#include <vector>

#include "rill/tensor/tensor.h"
#include "rill/tensor/variant.h"

namespace rill {

// What a variant holds that is a ragged tensor; without splits it is a dense one. The first splits
// are those of the outermost rows. Whoever makes one has checked that each begins with 0, does not
// fall, and ends with the number of rows of the next, the last one with those of the values.
struct RaggedValue {
  static constexpr const char* kTypeName = "RaggedTensorVariant";
  std::vector<Tensor> splits;
  Tensor values;
};

inline Variant to_variant(RaggedValue value) {
  return {RaggedValue::kTypeName, std::make_shared<const RaggedValue>(std::move(value))};
}

// A variant that holds a tensor, as the elements of sparse tensors in input pipelines do.
inline constexpr const char* kTensorVariant = "tensorflow::Tensor";
inline Variant to_variant(Tensor value) {
  return {kTensorVariant, std::make_shared<const Tensor>(std::move(value))};
}

}  // namespace rill
