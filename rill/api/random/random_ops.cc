#include "rill/api/random/random_ops.h"

#include <limits>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/random/random_parts.h"
#include "rill/graph/builders.h"
#include "rill/graph/random_seed.h"

namespace rill {
namespace {

// The seeds count the nodes made so far: arguments that the op itself turns into constants are not
// among them yet.
AttrMap seeded(const Scope& scope, std::optional<std::int64_t> seed, AttrMap attrs = {}) {
  const RandomSeeds seeds = random_seeds(scope.graph(), seed);
  attrs.emplace("seed", seeds.seed);
  attrs.emplace("seed2", seeds.seed2);
  return attrs;
}

Output normal_like(const char* op, const ShapeInput& shape, const RandomNormalOptions& options) {
  Scope& scope = current_scope();
  const Output dims = shape_argument(scope, shape);
  const Output mean = typed_argument(scope, options.mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, options.stddev, "stddev", options.dtype);
  AttrMap attrs = seeded(scope, options.seed, {{"dtype", options.dtype}});
  return scale_and_shift(scope, scope.add(op, {dims}, std::move(attrs)).output(), deviation, mean);
}

Output draw_classes(const Input& logits, const Input& num_samples,
                    const CategoricalOptions& options) {
  Scope& scope = current_scope();
  const Output rows = logits.as_output(scope, "logits", DType::invalid);
  AttrMap attrs = seeded(scope, options.seed, {{"output_dtype", options.dtype}});
  return scope.add("Multinomial", {rows, num_samples}, std::move(attrs)).output();
}

// Samples that are rounded to zero become this, so that their logarithm stays finite.
Tensor smallest_positive(DType dtype) {
  const double smallest = dtype == DType::f64   ? std::numeric_limits<double>::min()
                          : dtype == DType::f16 ? 0x1p-14
                                                : std::numeric_limits<float>::min();
  return Input(smallest).value(dtype);
}

}  // namespace

Output random_uniform(const ShapeInput& shape, const RandomUniformOptions& options,
                      std::source_location at) {
  const DType dtype = options.dtype;
  check_uniform(dtype, options.maxval.has_value());
  const Block in(options.name, "random_uniform", at);
  Scope& scope = current_scope();
  const Output dims = shape_argument(scope, shape);
  const Output low = typed_argument(scope, options.minval, "min", dtype);
  const Output high = typed_argument(scope, options.maxval.value_or(1), "max", dtype);
  AttrMap attrs = seeded(scope, options.seed);
  if (!kFloatTypes.contains(dtype))
    return scope.add("RandomUniformInt", {dims, low, high}, std::move(attrs), scope.name() + "/")
        .output();
  attrs.emplace("dtype", dtype);
  return stretch_to(scope, scope.add("RandomUniform", {dims}, std::move(attrs)).output(), low,
                    high);
}

Output random_normal(const ShapeInput& shape, const RandomNormalOptions& options,
                     std::source_location at) {
  const Block in(options.name, "random_normal", at);
  return normal_like("RandomStandardNormal", shape, options);
}

Output truncated_normal(const ShapeInput& shape, const RandomNormalOptions& options,
                        std::source_location at) {
  const Block in(options.name, "truncated_normal", at);
  return normal_like("TruncatedNormal", shape, options);
}

Output random_shuffle(const Input& value, const RandomShuffleOptions& options,
                      std::source_location at) {
  const MadeAt place(at);
  Scope& scope = current_scope();
  return scope.add("RandomShuffle", {value}, seeded(scope, options.seed), options.name).output();
}

Output random_crop(const Input& value, const Input& size, const RandomShuffleOptions& options,
                   std::source_location at) {
  const Block in(options.name, "random_crop", at);
  const Output x = as_tensor(value, "value"), wanted = as_tensor(size, "size", DType::i32);
  const Output dims = shape(x);
  const Output fits = raw::GreaterEqual(dims, wanted);
  const Output all_fit = raw::All(fits, parts::all_dimensions(fits));
  Node& check =
      assert_true(all_fit, {"Need value.shape >= size, got ", dims, wanted}, {.summarize = 1000});
  const Output checked = parts::after_nodes({&check}, dims);
  const Output limit = parts::plus(parts::minus(checked, wanted), 1);
  const Output anywhere =
      random_uniform(shape(checked), {.maxval = std::numeric_limits<std::int32_t>::max(),
                                      .dtype = DType::i32,
                                      .seed = options.seed});
  return raw::Slice(x, parts::modulo(anywhere, limit), wanted, {.name = in.own_name()});
}

Output categorical(const Input& logits, const Input& num_samples, const CategoricalOptions& options,
                   std::source_location at) {
  const Block in(options.name, "categorical", at);
  return draw_classes(logits, num_samples, options);
}

Output multinomial(const Input& logits, const Input& num_samples, const CategoricalOptions& options,
                   std::source_location at) {
  const Block in(options.name, "multinomial", at);
  return draw_classes(logits, num_samples, options);
}

Output random_gamma(const ShapeInput& shape, const Input& alpha, const RandomGammaOptions& options,
                    std::source_location at) {
  const Block in(options.name, "random_gamma", at);
  Scope& scope = current_scope();
  const Output dims = typed_argument(scope, shape, "shape", DType::i32);
  const Output a = typed_argument(scope, alpha, "alpha", options.dtype);
  const Output b = typed_argument(scope, options.beta.value_or(1), "beta", options.dtype);
  const Output shape_a = shape_of(scope, a), shape_b = shape_of(scope, b);
  const Output both = scope.add("BroadcastArgs", {shape_a, shape_b}).output();
  const Output stretched = scope.add("BroadcastTo", {a, both}).output();
  AttrMap attrs = seeded(scope, options.seed);
  const Output sample = scope.add("RandomGamma", {dims, stretched}, std::move(attrs)).output();
  const Output scaled = scope.add("RealDiv", {sample, b}, {}, "truediv").output();
  return scope.add("Maximum", {smallest_positive(options.dtype), scaled}).output();
}

Output random_poisson(const Input& rate, const ShapeInput& shape,
                      const RandomPoissonOptions& options, std::source_location at) {
  const Block in(options.name, "random_poisson", at);
  Scope& scope = current_scope();
  const Output dims = typed_argument(scope, shape, "shape", DType::i32);
  AttrMap attrs = seeded(scope, options.seed, {{"dtype", options.dtype}});
  return scope.add("RandomPoissonV2", {dims, rate}, std::move(attrs)).output();
}

}  // namespace rill
