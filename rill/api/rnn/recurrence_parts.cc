#include "rill/api/rnn/recurrence_parts.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/products.h"
#include "rill/base/error.h"

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
