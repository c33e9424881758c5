#include "rill/api/rnn/attention_cell.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/rnn/linear.h"
#include "rill/base/error.h"

namespace rill::contrib::rnn {
namespace {

Tensor ints(std::initializer_list<std::int64_t> values) {
  Tensor result(DType::i32, {static_cast<std::int64_t>(values.size())});
  auto* at = result.data<std::int32_t>();
  for (const std::int64_t value : values) *at++ = static_cast<std::int32_t>(value);
  return result;
}

std::int64_t depth_of(Output x) {
  require(x.shape().rank() == 2 && x.shape()[1] >= 0,
          "the inputs of AttentionCellWrapper must have a known size, not ", to_text(x.shape()));
  return x.shape()[1];
}

}  // namespace

Output look_back(const nn::rnn_cell::State& query, Output memory, std::int64_t vector_size) {
  const std::int64_t length = memory.shape()[1], size = memory.shape()[2];
  const VariableScopeBlock scope("attention");
  const DType dtype = base_type(memory.dtype());
  const Variable kernel = get_variable("attn_w", {1, 1, size, vector_size}, {.dtype = dtype});
  const Variable v = get_variable("attn_v", {vector_size}, {.dtype = dtype});
  // A convolution with windows of one place is a product for each place.
  const Output flat = raw::Reshape(memory, ints({-1, size}));
  const Output products = matmul(flat, raw::Reshape(kernel, ints({size, vector_size})));
  const Output features = raw::Reshape(products, ints({-1, length, vector_size}));
  const Output asked = raw::Reshape(linear(query, vector_size), ints({-1, 1, vector_size}));
  const Output score = reduce_sum(v * raw::Tanh(features + asked), {.axis = Input(ints({2}))});
  const Output weights = expand_dims(nn::softmax(score), 2);
  const Output seen = reduce_sum(weights * memory, {.axis = Input(ints({1}))});
  return raw::Reshape(seen, ints({-1, size}));
}

Output remembered(Output memory, Output newest) {
  const std::int64_t length = memory.shape()[1], size = memory.shape()[2];
  const Output younger = raw::Slice(memory, ints({0, 1, 0}), ints({-1, -1, -1}));
  const Output all = concat({younger, expand_dims(newest, 1)}, 1);
  return raw::Reshape(all, ints({-1, length * size}));
}

AttentionCellWrapper::AttentionCellWrapper(std::shared_ptr<RNNCell> cell, std::int64_t attn_length,
                                           const AttentionCellWrapperOptions& options)
    : RNNCell("AttentionCellWrapper"),
      cell_(std::move(cell)),
      length_(attn_length),
      input_size_(options.input_size) {
  require(cell_ != nullptr, "The parameter cell is not an RNNCell.");
  require(length_ > 0 && length_ <= (1 << 20), "attn_length should be greater than zero, got ",
          length_);
  const nn::rnn_cell::Sizes own = cell_->output_sizes();
  require(own.size() == 1 && own[0].rank() == 1, "the cell must have one output, a matrix");
  size_ = options.attn_size.value_or(own[0][0]);
  vector_size_ = options.attn_vec_size.value_or(size_);
}

nn::rnn_cell::Sizes AttentionCellWrapper::state_sizes() const {
  nn::rnn_cell::Sizes sizes = cell_->state_sizes();
  sizes.push_back({size_});
  sizes.push_back({size_ * length_});
  return sizes;
}

nn::rnn_cell::CellOutput AttentionCellWrapper::compute(const std::vector<Output>& inputs,
                                                       const nn::rnn_cell::State& state) {
  const std::size_t own = cell_->state_sizes().size();
  require(state.size() == own + 2, "the state of this cell has ", own + 2, " tensors, not ",
          state.size());
  const Output memory = raw::Reshape(state[own + 1], ints({-1, length_, size_}));
  const Output input = inputs.at(0);
  const Output joined = linear({input, state[own]}, input_size_.value_or(depth_of(input)));
  nn::rnn_cell::CellOutput step =
      cell_->step({joined}, {state.begin(), state.begin() + static_cast<std::ptrdiff_t>(own)});
  const Output seen = look_back(step.state, memory, vector_size_);
  Output output;
  {
    const VariableScopeBlock scope("attn_output_projection");
    output = linear({step.output(), seen}, size_);
  }
  step.state.push_back(seen);
  step.state.push_back(remembered(memory, output));
  step.outputs = {output};
  return step;
}

}  // namespace rill::contrib::rnn
