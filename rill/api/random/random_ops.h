#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/shape_input.h"

namespace rill {

// Random tensors. Shapes are vectors of int32 or int64, or lists of numbers. Without a seed the
// graph's decides (set_random_seed); without either the values differ in every session. Throws
// InvalidArgument when a tensor has another dtype than the function is asked for, or there is none.

// Values are new in every step. They are TensorFlow's own numbers for the same seeds.
//
//   set_random_seed(1);
//   Output noise = random_normal({2, 3}, {.stddev = 0.1});
struct RandomUniformOptions {
  Input minval = 0;
  OptionalInput maxval = {};  // 1 where values are floats; integers need one
  DType dtype = DType::f32;
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// Values in [minval, maxval), all equally likely. Throws InvalidArgument for a dtype that is
// neither float nor int32 or int64, and for integers without maxval. Integers are very slightly
// uneven unless maxval - minval is a power of two, as in TensorFlow.
Output random_uniform(const ShapeInput& shape, const RandomUniformOptions& options = {},
                      std::source_location at = std::source_location::current());

struct RandomNormalOptions {
  Input mean = 0.0, stddev = 1.0;
  DType dtype = DType::f32;
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// mean + stddev * z. Both may be tensors, which broadcast with the shape.
Output random_normal(const ShapeInput& shape, const RandomNormalOptions& options = {},
                     std::source_location at = std::source_location::current());
// The same without values further from the mean than two deviations, which are drawn anew.
Output truncated_normal(const ShapeInput& shape, const RandomNormalOptions& options = {},
                        std::source_location at = std::source_location::current());

struct RandomShuffleOptions {
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// `value` with its slices along the first dimension in random order. No gradient.
Output random_shuffle(const Input& value, const RandomShuffleOptions& options = {},
                      std::source_location at = std::source_location::current());

// A part of `value` of shape `size` at a random place, all equally likely. The step fails when
// `value` is smaller in a dimension.
Output random_crop(const Input& value, const Input& size, const RandomShuffleOptions& options = {},
                   std::source_location at = std::source_location::current());

struct CategoricalOptions {
  DType dtype = DType::i64;
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// num_samples classes for each row of `logits` [batch, classes], which are unnormalised
// log-probabilities: [batch, num_samples].
Output categorical(const Input& logits, const Input& num_samples,
                   const CategoricalOptions& options = {},
                   std::source_location at = std::source_location::current());
// The same under its older name.
Output multinomial(const Input& logits, const Input& num_samples,
                   const CategoricalOptions& options = {},
                   std::source_location at = std::source_location::current());

struct RandomGammaOptions {
  OptionalInput beta = {};  // inverse scale; 1 when absent
  DType dtype = DType::f32;
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// Samples of shape `shape` for each alpha and beta: [shape..., alpha + beta broadcast...], with
// mean alpha / beta. Gradients reach alpha and beta.
Output random_gamma(const ShapeInput& shape, const Input& alpha,
                    const RandomGammaOptions& options = {},
                    std::source_location at = std::source_location::current());

struct RandomPoissonOptions {
  DType dtype = DType::f32;
  std::optional<std::int64_t> seed = {};
  std::string name = {};
};
// Samples of shape `shape` for each rate: [shape..., rate...], whole numbers in a type of floats
// unless dtype says otherwise.
Output random_poisson(const Input& rate, const ShapeInput& shape,
                      const RandomPoissonOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace rill
