#include "rill/api/random/stateless_random_ops.h"

#include "rill/api/random/random_parts.h"

namespace rill {
namespace {

Output normal_like_by_seed(const char* op, const ShapeInput& shape, const Input& seed,
                           const StatelessNormalOptions& options) {
  Scope& scope = current_scope();
  const Output dims = shape_argument(scope, shape);
  const Output mean = typed_argument(scope, options.mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, options.stddev, "stddev", options.dtype);
  const Output unit = scope.add(op, {dims, seed}, {{"dtype", options.dtype}}).output();
  return scale_and_shift(scope, unit, deviation, mean);
}

Output draw_classes_by_seed(const Input& logits, const Input& num_samples, const Input& seed,
                            const StatelessCategoricalOptions& options) {
  Scope& scope = current_scope();
  const Output rows = logits.as_output(scope, "logits", DType::invalid);
  AttrMap attrs{{"output_dtype", options.dtype}};
  return scope.add("StatelessMultinomial", {rows, num_samples, seed}, std::move(attrs)).output();
}

}  // namespace

Output stateless_uniform(const ShapeInput& shape, const Input& seed,
                         const StatelessUniformOptions& options, std::source_location at) {
  const DType dtype = options.dtype;
  check_uniform(dtype, options.maxval.has_value());
  const Block in(options.name, "stateless_random_uniform", at);
  Scope& scope = current_scope();
  const Output dims = shape_argument(scope, shape);
  const Output low = typed_argument(scope, options.minval, "min", dtype);
  const Output high = typed_argument(scope, options.maxval.value_or(1), "max", dtype);
  if (!kFloatTypes.contains(dtype))
    return scope.add("StatelessRandomUniformInt", {dims, seed, low, high}, {}, scope.name() + "/")
        .output();
  AttrMap attrs{{"dtype", dtype}};
  const Output unit = scope.add("StatelessRandomUniform", {dims, seed}, std::move(attrs)).output();
  return stretch_to(scope, unit, low, high);
}

Output stateless_normal(const ShapeInput& shape, const Input& seed,
                        const StatelessNormalOptions& options, std::source_location at) {
  const Block in(options.name, "stateless_random_normal", at);
  return normal_like_by_seed("StatelessRandomNormal", shape, seed, options);
}

Output stateless_truncated_normal(const ShapeInput& shape, const Input& seed,
                                  const StatelessNormalOptions& options, std::source_location at) {
  const Block in(options.name, "stateless_truncated_normal", at);
  return normal_like_by_seed("StatelessTruncatedNormal", shape, seed, options);
}

Output stateless_categorical(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options, std::source_location at) {
  const Block in(options.name, "stateless_categorical", at);
  return draw_classes_by_seed(logits, num_samples, seed, options);
}

Output stateless_multinomial(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options, std::source_location at) {
  const Block in(options.name, "stateless_multinomial", at);
  return draw_classes_by_seed(logits, num_samples, seed, options);
}

}  // namespace rill
