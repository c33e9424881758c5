#pragma once

#include <vector>

#include "rill/ops/parsing/feature_keys.h"
#include "rill/tensor/tensor.h"

namespace rill {

// One dense feature that is wanted.
struct DenseSpec {
  DType type;
  PartialShape shape;
  bool variable;      // of variable length: [?, ...]
  Shape row;          // what a value consists of: all of the shape, or a row of it
  std::int64_t size;  // elements of it
};

// What is wanted of the features of an Example; the keys of the sparse ones come first.
struct FeatureSpecs {
  FeatureSpecs() = default;
  // Throws InvalidArgument for shapes that are not known well enough.
  FeatureSpecs(std::vector<std::string> all_keys, const std::vector<DType>& sparse,
               const std::vector<DType>& dense_types,
               const std::vector<PartialShape>& dense_shapes);

  // Throws InvalidArgument unless the i-th dense feature may have this default.
  void check_default(std::size_t i, const Tensor& value) const;

  FeatureKeys keys;
  std::vector<DType> sparse_types;
  std::vector<DenseSpec> dense;
};

}  // namespace rill
