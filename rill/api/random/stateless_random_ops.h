#pragma once

#include "rill/api/random/random_ops.h"

namespace rill {

// Random tensors that depend on their `seed` alone, two int32 or int64 numbers. Otherwise as the
// functions of random_ops.h.

// The same seed gives the same values in every step, session and device.
struct StatelessUniformOptions {
  Input minval = 0;
  OptionalInput maxval = {};  // 1 where values are floats; integers need one
  DType dtype = DType::f32;
  std::string name = {};
};
Output stateless_uniform(const ShapeInput& shape, const Input& seed,
                         const StatelessUniformOptions& options = {},
                         std::source_location at = std::source_location::current());

struct StatelessNormalOptions {
  Input mean = 0.0, stddev = 1.0;
  DType dtype = DType::f32;
  std::string name = {};
};
Output stateless_normal(const ShapeInput& shape, const Input& seed,
                        const StatelessNormalOptions& options = {},
                        std::source_location at = std::source_location::current());
Output stateless_truncated_normal(const ShapeInput& shape, const Input& seed,
                                  const StatelessNormalOptions& options = {},
                                  std::source_location at = std::source_location::current());

struct StatelessCategoricalOptions {
  DType dtype = DType::i64;
  std::string name = {};
};
Output stateless_categorical(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options = {},
                             std::source_location at = std::source_location::current());
// The same under its older name.
Output stateless_multinomial(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options = {},
                             std::source_location at = std::source_location::current());

}  // namespace rill
