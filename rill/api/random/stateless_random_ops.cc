#include "rill/api/random/stateless_random_ops.h"

#include "rill/api/random/random_parts.h"

namespace rill {
namespace {

std::string_view name_or(const std::string& name, std::string_view otherwise) {
  return name.empty() ? otherwise : name;
}


Output normal_like(Scope& outer, const char* op, std::string_view name, const ShapeInput& shape,
                   const Input& seed, const StatelessNormalOptions& options) {
  Scope scope = outer.named(name);
  const Output dims = shape_argument(scope, shape);
  const Output mean = typed_argument(scope, options.mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, options.stddev, "stddev", options.dtype);
  const Output unit = scope.add(op, {dims, seed}, {{"dtype", options.dtype}}).output();
  return scale_and_shift(scope, unit, deviation, mean);
}

Output draw_classes(Scope& outer, std::string_view name, const Input& logits,
                    const Input& num_samples, const Input& seed,
                    const StatelessCategoricalOptions& options) {
  Scope scope = outer.named(name);
  const Output rows = logits.as_output(scope, "logits", DType::invalid);
  AttrMap attrs{{"output_dtype", options.dtype}};
  return scope.add("StatelessMultinomial", {rows, num_samples, seed}, std::move(attrs)).output();
}

}  // namespace

Output stateless_uniform(Scope& outer, const ShapeInput& shape, const Input& seed,
                         const StatelessUniformOptions& options) {
  const DType dtype = options.dtype;
  check_uniform(dtype, options.maxval.has_value());
  Scope scope = outer.named(name_or(options.name, "stateless_random_uniform"));
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

Output stateless_normal(Scope& scope, const ShapeInput& shape, const Input& seed,
                        const StatelessNormalOptions& options) {
  return normal_like(scope, "StatelessRandomNormal",
                     name_or(options.name, "stateless_random_normal"), shape, seed, options);
}

Output stateless_truncated_normal(Scope& scope, const ShapeInput& shape, const Input& seed,
                                  const StatelessNormalOptions& options) {
  return normal_like(scope, "StatelessTruncatedNormal",
                     name_or(options.name, "stateless_truncated_normal"), shape, seed, options);
}

Output stateless_categorical(Scope& scope, const Input& logits, const Input& num_samples,
                             const Input& seed, const StatelessCategoricalOptions& options) {
  return draw_classes(scope, name_or(options.name, "stateless_categorical"), logits, num_samples,
                      seed, options);
}

Output stateless_multinomial(Scope& scope, const Input& logits, const Input& num_samples,
                             const Input& seed, const StatelessCategoricalOptions& options) {
  return draw_classes(scope, name_or(options.name, "stateless_multinomial"), logits, num_samples,
                      seed, options);
}

// --- in the default graph ----------------------------------------------------------------------

Output stateless_uniform(const ShapeInput& shape, const Input& seed,
                         const StatelessUniformOptions& options, std::source_location at) {
  Scope scope = here(at);
  return stateless_uniform(scope, shape, seed, options);
}
Output stateless_normal(const ShapeInput& shape, const Input& seed,
                        const StatelessNormalOptions& options, std::source_location at) {
  Scope scope = here(at);
  return stateless_normal(scope, shape, seed, options);
}
Output stateless_truncated_normal(const ShapeInput& shape, const Input& seed,
                                  const StatelessNormalOptions& options, std::source_location at) {
  Scope scope = here(at);
  return stateless_truncated_normal(scope, shape, seed, options);
}
Output stateless_categorical(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options, std::source_location at) {
  Scope scope = here(at);
  return stateless_categorical(scope, logits, num_samples, seed, options);
}
Output stateless_multinomial(const Input& logits, const Input& num_samples, const Input& seed,
                             const StatelessCategoricalOptions& options, std::source_location at) {
  Scope scope = here(at);
  return stateless_multinomial(scope, logits, num_samples, seed, options);
}

}  // namespace rill
