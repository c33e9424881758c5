#include "rill/api/random/random_ops.h"

#include <limits>

#include "rill/api/random/random_parts.h"
#include "rill/graph/builders.h"
#include "rill/graph/random_seed.h"

namespace rill {
namespace {

std::string_view name_or(const std::string& name, std::string_view otherwise) {
  return name.empty() ? otherwise : name;
}


// The seeds count the nodes made so far: arguments that the op itself turns into constants are not
// among them yet.
AttrMap seeded(const Scope& scope, std::optional<std::int64_t> seed, AttrMap attrs = {}) {
  const RandomSeeds seeds = random_seeds(scope.graph(), seed);
  attrs.emplace("seed", seeds.seed);
  attrs.emplace("seed2", seeds.seed2);
  return attrs;
}

Output normal_like(Scope& outer, const char* op, std::string_view name, const ShapeInput& shape,
                   const RandomNormalOptions& options) {
  Scope scope = outer.named(name);
  const Output dims = shape_argument(scope, shape);
  const Output mean = typed_argument(scope, options.mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, options.stddev, "stddev", options.dtype);
  AttrMap attrs = seeded(scope, options.seed, {{"dtype", options.dtype}});
  return scale_and_shift(scope, scope.add(op, {dims}, std::move(attrs)).output(), deviation, mean);
}

Output draw_classes(Scope& outer, std::string_view name, const Input& logits,
                    const Input& num_samples, const CategoricalOptions& options) {
  Scope scope = outer.named(name);
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

ShapeInput::ShapeInput(std::initializer_list<std::int64_t> dims)
    : Input(Input::MakeValue([list = std::vector(dims)](DType) {
        Tensor shape(DType::i32, {static_cast<std::int64_t>(list.size())});
        for (std::size_t i = 0; i < list.size(); ++i) {
          require(list[i] >= INT32_MIN && list[i] <= INT32_MAX, "the dimension ", list[i],
                  " is too large for int32");
          shape.data<std::int32_t>()[i] = static_cast<std::int32_t>(list[i]);
        }
        return shape;
      })) {}

Output random_uniform(Scope& outer, const ShapeInput& shape, const RandomUniformOptions& options) {
  const DType dtype = options.dtype;
  check_uniform(dtype, options.maxval.has_value());
  Scope scope = outer.named(name_or(options.name, "random_uniform"));
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

Output random_normal(Scope& scope, const ShapeInput& shape, const RandomNormalOptions& options) {
  return normal_like(scope, "RandomStandardNormal", name_or(options.name, "random_normal"), shape,
                     options);
}

Output truncated_normal(Scope& scope, const ShapeInput& shape, const RandomNormalOptions& options) {
  return normal_like(scope, "TruncatedNormal", name_or(options.name, "truncated_normal"), shape,
                     options);
}

Output random_shuffle(Scope& scope, const Input& value, const RandomShuffleOptions& options) {
  return scope.add("RandomShuffle", {value}, seeded(scope, options.seed), options.name).output();
}

Output categorical(Scope& scope, const Input& logits, const Input& num_samples,
                   const CategoricalOptions& options) {
  return draw_classes(scope, name_or(options.name, "categorical"), logits, num_samples, options);
}

Output multinomial(Scope& scope, const Input& logits, const Input& num_samples,
                   const CategoricalOptions& options) {
  return draw_classes(scope, name_or(options.name, "multinomial"), logits, num_samples, options);
}

Output random_gamma(Scope& outer, const ShapeInput& shape, const Input& alpha,
                    const RandomGammaOptions& options) {
  Scope scope = outer.named(name_or(options.name, "random_gamma"));
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

Output random_poisson(Scope& outer, const Input& rate, const ShapeInput& shape,
                      const RandomPoissonOptions& options) {
  Scope scope = outer.named(name_or(options.name, "random_poisson"));
  const Output dims = typed_argument(scope, shape, "shape", DType::i32);
  AttrMap attrs = seeded(scope, options.seed, {{"dtype", options.dtype}});
  return scope.add("RandomPoissonV2", {dims, rate}, std::move(attrs)).output();
}

// --- in the default graph ----------------------------------------------------------------------

Output random_uniform(const ShapeInput& shape, const RandomUniformOptions& options,
                      std::source_location at) {
  Scope scope = here(at);
  return random_uniform(scope, shape, options);
}
Output random_normal(const ShapeInput& shape, const RandomNormalOptions& options,
                     std::source_location at) {
  Scope scope = here(at);
  return random_normal(scope, shape, options);
}
Output truncated_normal(const ShapeInput& shape, const RandomNormalOptions& options,
                        std::source_location at) {
  Scope scope = here(at);
  return truncated_normal(scope, shape, options);
}
Output random_shuffle(const Input& value, const RandomShuffleOptions& options,
                      std::source_location at) {
  Scope scope = here(at);
  return random_shuffle(scope, value, options);
}
Output categorical(const Input& logits, const Input& num_samples, const CategoricalOptions& options,
                   std::source_location at) {
  Scope scope = here(at);
  return categorical(scope, logits, num_samples, options);
}
Output multinomial(const Input& logits, const Input& num_samples, const CategoricalOptions& options,
                   std::source_location at) {
  Scope scope = here(at);
  return multinomial(scope, logits, num_samples, options);
}
Output random_gamma(const ShapeInput& shape, const Input& alpha, const RandomGammaOptions& options,
                    std::source_location at) {
  Scope scope = here(at);
  return random_gamma(scope, shape, alpha, options);
}
Output random_poisson(const Input& rate, const ShapeInput& shape,
                      const RandomPoissonOptions& options, std::source_location at) {
  Scope scope = here(at);
  return random_poisson(scope, rate, shape, options);
}

}  // namespace rill
