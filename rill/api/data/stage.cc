#include "rill/api/data/stage.h"

#include <limits>

#include "rill/api/core/default_graph.h"
#include "rill/api/gen/math.h"
#include "rill/api/random/random_seed.h"

namespace rill::data {

Stage& Stage::value(const Input& input, std::string_view name, DType type) {
  return in(as_tensor(input, name, type));
}

Stage& Stage::element(const ElementSpec& spec) {
  return attr("output_types", spec.types()).attr("output_shapes", spec.shapes());
}

SeedTensors seed_tensors(const OptionalInput& seed) {
  const auto constant = [](std::int64_t value, const char* name) {
    return as_tensor(Input(value), name, DType::i64);
  };
  const bool is_tensor = seed && seed->is_output();
  std::optional<std::int64_t> op_seed;
  if (is_tensor) op_seed = 0;  // its value is not known, and makes no difference to the graph's
  if (seed && !is_tensor) op_seed = seed->value(DType::i64).scalar_value<std::int64_t>();
  const std::optional<RandomSeeds> seeds = get_seed(op_seed);
  if (!seeds) return {constant(0, "seed"), constant(0, "seed2")};
  const Output first = constant(seeds->seed, "seed");
  const Block in("", "seed2", std::source_location::current());
  const Output second = is_tensor ? seed->output() : constant(seeds->seed2, "Const");
  // Both zero would mean that none was given.
  const Output both_zero = raw::LogicalAnd(raw::Equal(first, 0), raw::Equal(second, 0));
  return {first, raw::Select(both_zero, constant(std::numeric_limits<std::int32_t>::max(), "Const"),
                             second, {.name = in.own_name()})};
}

}  // namespace rill::data
