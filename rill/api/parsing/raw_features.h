#pragma once

#include "rill/api/parsing/features.h"

namespace rill {

// The arguments of the parsing ops that features stand for.
struct RawFeatures {
  struct Dense {
    std::string key = {};
    DType dtype;
    PartialShape shape = {};  // with a first dimension that is not known for sequences
    OptionalInput default_value = {};
    bool may_be_missing = false;
  };
  struct Sparse {
    std::string key = {};
    DType dtype;
  };
  std::vector<Dense> dense = {};
  std::vector<Sparse> sparse = {};

  std::vector<std::string> dense_keys() const, sparse_keys() const;
  std::vector<PartialShape> dense_shapes() const;
  std::vector<DType> sparse_types() const, dense_types() const;
  // The default of each dense feature as a tensor; one that has none must be there.
  std::vector<Input> dense_defaults() const;
  // What the op's outputs are called, and the sparse features that are made of several.
  ParsedFeatures named(const std::vector<Output>& indices, const std::vector<Output>& values,
                       const std::vector<Output>& shapes, const std::vector<Output>& dense_values,
                       const Features& features) const;
};

// `in_sequence`: rows of sequences keep the shape that their feature states.
RawFeatures raw_features(const Features& features, bool in_sequence = false);

}  // namespace rill
