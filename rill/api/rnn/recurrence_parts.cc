#include "rill/api/rnn/recurrence_parts.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/products.h"
#include "rill/base/error.h"
#include "rill/graph/tape.h"
#include "rill/runtime/eager/eager_context.h"

namespace rill::nn::rnn_cell {

Output activated(const Activation& activation, Output x) {
  return activation ? activation(x) : raw::Tanh(x);
}

Output joined_product(Output a, Output b, const Input& kernel) {
  return matmul(concat({a, b}, 1), kernel);
}

Output affine(Output a, Output b, const Input& kernel, const Input& bias) {
  return raw::BiasAdd(joined_product(a, b, kernel), bias);
}

Output columns(Output x, std::int64_t first, std::int64_t count) {
  const auto pair = [](std::int64_t rows, std::int64_t columns) {
    return Tensor::vector<std::int32_t>(
        {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)});
  };
  return raw::Slice(x, pair(0, first), pair(-1, count));
}

namespace {

bool is_matrix(const Output& x, std::int64_t rows, std::int64_t columns) {
  if (x.node == nullptr || !x.node->is_executed() || x.dtype() != DType::f32) return false;
  const PartialShape shape = x.shape();
  return shape.rank() == 2 && (rows < 0 || shape[0] == rows) && shape[1] == columns;
}

bool nobody_looks() {
  const EagerContext& context = EagerContext::instance();
  return executing_eagerly() && !any_tape_is_on() && !context.is_observed() &&
         context.has_one_device();
}

}  // namespace

std::optional<CellOutput> lstm_step_now(const Output& input, const Output& c, const Output& h,
                                        const Inputs& weights, double forget_bias) {
  if (!nobody_looks() || !c.node->is_executed() || c.shape().rank() != 2) return {};
  const std::int64_t rows = c.shape()[0], units = c.shape()[1];
  if (!is_matrix(c, rows, units) || !is_matrix(h, rows, units) || rows == 0 || units == 0 ||
      input.shape().rank() != 2 || !is_matrix(input, rows, input.shape()[1]))
    return {};
  Scope& scope = current_scope();
  const Output w = weights.at(0).as_output(scope, "kernel", DType::f32);
  const Output b = weights.at(1).as_output(scope, "bias", DType::f32);
  if (!is_matrix(w, input.shape()[1] + units, 4 * units) || b.dtype() != DType::f32 ||
      b.shape() != PartialShape{4 * units})
    return {};
  Node& step =
      scope.add("_LstmCell", {std::vector<Input>{input, h}, c, w, b, std::vector<Input>()},
                {{"N", std::int64_t{0}}, {"forget_bias", static_cast<float>(forget_bias)}});
  return CellOutput{{step.output(0)}, {step.output(1), step.output(0)}};
}

void check_supported(DType dtype) {
  const DType base = base_type(dtype);
  require(base == DType::invalid || kFloatTypes.contains(base) || base == DType::c64 ||
              base == DType::c128,
          "RNN cell only supports floating point inputs, but saw dtype: ", numpy_name(base));
}

void check_state(const State& state, std::size_t count) {
  require(state.size() == count, "the state of this cell has ", count, " tensors, not ",
          state.size());
  for (const Output& part : state) check_supported(part.dtype());
}

std::int64_t checked_units(std::int64_t num_units) {
  // Four gates beside each other must still be a size.
  require(num_units >= 0 && num_units <= (std::int64_t{1} << 30),
          "num_units must lie in [0, 2^30]; got ", num_units);
  return num_units;
}

}  // namespace rill::nn::rnn_cell
