#include "rill/api/variables/generator.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/random.h"
#include "rill/api/gen/resource.h"
#include "rill/api/random/random_parts.h"
#include "rill/base/error.h"

namespace rill::random {
namespace {

Output int64s(const Input& value) {
  return raw::Reshape(parts::cast_to(as_tensor(value), DType::i64),
                      Tensor::vector<std::int32_t>({-1}));
}

Output zeros_of(std::int64_t count) {
  Tensor zeros = Tensor::zeros(DType::i64, {count});
  return current_scope().constant(std::move(zeros), "zeros");
}

Output state_of(const Input& key, const Input& counter) {
  return concat({int64s(counter), int64s(key)}, 0);
}

Node& set_state(const Variable& state, const Input& value) {
  return raw::AssignVariableOp(state.handle(), value);
}

}  // namespace

RngAlgorithm rng_algorithm_named(const std::string& name) {
  if (name == "philox" || name == "auto_select") return RngAlgorithm::kPhilox;
  require(name == "threefry", "Unrecognized algorithm name: ", name);
  return RngAlgorithm::kThreeFry;
}

Output create_rng_state(const Input& seed, RngAlgorithm algorithm) {
  if (algorithm != RngAlgorithm::kPhilox)
    raise(Code::kUnimplemented, "ThreeFry: random generators have the algorithm Philox only");
  return state_of(seed, zeros_of(2));
}

Generator::Generator(const Input& state, RngAlgorithm algorithm, std::source_location at)
    : algorithm_(algorithm) {
  const MadeAt made(at);
  if (algorithm != RngAlgorithm::kPhilox)
    raise(Code::kUnimplemented, "ThreeFry: random generators have the algorithm Philox only");
  const Output start = int64s(state);
  require(start.shape().is_compatible(PartialShape{3}), "The state of a Philox generator has 3 ",
          "numbers, not ", start.shape());
  const NameScope named("random_generator");
  state_ = Variable(
      start, {.trainable = false, .dtype = DType::i64, .use_resource = true, .name = "StateVar"});
}

Generator Generator::from_seed(const Input& seed, RngAlgorithm algorithm, std::source_location at) {
  const MadeAt made(at);
  return Generator(create_rng_state(seed, algorithm), algorithm, at);
}

Generator Generator::from_key_counter(const Input& key, const Input& counter,
                                      RngAlgorithm algorithm, std::source_location at) {
  const MadeAt made(at);
  return Generator(state_of(key, counter), algorithm, at);
}

Generator Generator::from_non_deterministic_state(RngAlgorithm algorithm, std::source_location at) {
  const MadeAt made(at);
  return Generator(raw::NonDeterministicInts(Tensor::vector<std::int64_t>({3})), algorithm, at);
}

Output Generator::key() const { return parts::item(state_.value(), 2); }

Node& Generator::reset(const Input& state) const { return set_state(state_, int64s(state)); }

Node& Generator::reset_from_seed(const Input& seed) const {
  return set_state(state_, create_rng_state(seed, algorithm_));
}

Node& Generator::reset_from_key_counter(const Input& key, const Input& counter) const {
  return set_state(state_, state_of(key, counter));
}

Output Generator::algorithm_tensor() const {
  return as_tensor(Tensor::scalar<std::int64_t>(static_cast<std::int64_t>(algorithm_)),
                   "algorithm");
}

Node& Generator::skip(const Input& delta) const {
  return raw::RngSkip(state_.handle(), algorithm_tensor(),
                      parts::cast_to(as_tensor(delta, "delta"), DType::i64));
}

Output Generator::normal(const ShapeInput& shape, const Input& mean, const Input& stddev,
                         const GeneratorOptions& options, std::source_location at) const {
  const Block in(options.name, "stateful_normal", at);
  Scope& scope = current_scope();
  const Output size = shape_argument(scope, shape);
  const Output middle = typed_argument(scope, mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, stddev, "stddev", options.dtype);
  const Output unit = raw::StatefulStandardNormalV2(state_.handle(), algorithm_tensor(), size,
                                                    {.dtype = options.dtype});
  return scale_and_shift(scope, unit, deviation, middle);
}

Output Generator::truncated_normal(const ShapeInput& shape, const Input& mean, const Input& stddev,
                                   const GeneratorOptions& options, std::source_location at) const {
  const Block in(options.name, "truncated_normal", at);
  Scope& scope = current_scope();
  const Output size = shape_argument(scope, shape);
  const Output middle = typed_argument(scope, mean, "mean", options.dtype);
  const Output deviation = typed_argument(scope, stddev, "stddev", options.dtype);
  const Output unit = raw::StatefulTruncatedNormal(state_.handle(), algorithm_tensor(), size,
                                                   {.dtype = options.dtype});
  return scale_and_shift(scope, unit, deviation, middle);
}

Output Generator::uniform(const ShapeInput& shape, const Input& minval, const OptionalInput& maxval,
                          const GeneratorOptions& options, std::source_location at) const {
  const bool is_float = kFloatTypes.contains(options.dtype);
  require(is_float || maxval, "Must specify maxval for integer dtype tf.",
          numpy_name(options.dtype));
  const Block in(options.name, "stateful_uniform", at);
  Scope& scope = current_scope();
  const Output size = shape_argument(scope, shape);
  const Output low = typed_argument(scope, minval, "min", options.dtype);
  const Output high = typed_argument(scope, maxval.value_or(Input(1)), "max", options.dtype);
  if (!is_float)
    return raw::StatefulUniformInt(state_.handle(), algorithm_tensor(), size, low, high,
                                   {.name = in.own_name()});
  const Output unit =
      raw::StatefulUniform(state_.handle(), algorithm_tensor(), size, {.dtype = options.dtype});
  return stretch_to(scope, unit, low, high);
}

Output Generator::uniform_full_int(const ShapeInput& shape, const GeneratorOptions& options,
                                   std::source_location at) const {
  const Block in(options.name, "stateful_uniform_full_int", at);
  return raw::StatefulUniformFullInt(state_.handle(), algorithm_tensor(),
                                     shape_argument(current_scope(), shape),
                                     {.dtype = options.dtype, .name = in.own_name()});
}

Output Generator::binomial(const ShapeInput& shape, const Input& counts, const Input& probs,
                           const GeneratorOptions& options, std::source_location at) const {
  const Block in(options.name, "binomial", at);
  const Output size = shape_argument(current_scope(), shape);
  const Output number = as_tensor(counts, "counts"), likely = as_tensor(probs, "probs");
  return raw::StatefulRandomBinomial(state_.handle(), algorithm_tensor(), size, number, likely,
                                     {.dtype = options.dtype, .name = in.own_name()});
}

Output Generator::make_seeds(std::int64_t count) const {
  const Output keys = uniform_full_int({count}, {.dtype = DType::i64});
  return raw::Pack({keys, zeros_of(count)});
}

std::vector<Generator> Generator::split(std::int64_t count) const {
  const Output keys = uniform_full_int({count}, {.dtype = DType::i64});
  std::vector<Generator> generators;
  for (std::int64_t i = 0; i < count; ++i)
    generators.push_back(from_key_counter(parts::item(keys, i), zeros_of(2), algorithm_));
  return generators;
}

}  // namespace rill::random
