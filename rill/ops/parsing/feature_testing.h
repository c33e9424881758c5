#pragma once

// For cases alone: the features that a row asks of Examples and SequenceExamples.
#include "tests/optest/op_case.h"

namespace rill {

struct DenseSpec {
  const char* key;
  Tensor default_value;
  PartialShape shape;
};
struct SparseSpec {
  const char* key;
  DType type;
};

// Defaults of dense features that must be there.
inline const Tensor kNoFloat(DType::f32, {0}), kNoInt(DType::i64, {0}),
    kNoString(DType::string, {0});

}  // namespace rill
