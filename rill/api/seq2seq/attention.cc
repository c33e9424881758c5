#include "rill/api/seq2seq/attention.h"

#include <cmath>

#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/rnn/rnn_parts.h"
#include "rill/base/error.h"

namespace rill::contrib::seq2seq {

// --- arithmetic ----------------------------------------------------------------------------------

Output masked_memory(Output memory, const OptionalInput& lengths) {
  require(memory.shape().rank() >= 2, "the memory must be [batch, time, ...], not ",
          to_text(memory.shape()));
  if (!lengths) return memory;
  const Output steps = slice(shape(memory), {Input(1)});
  Output mask = sequence_mask(*lengths, {.maxlen = steps, .dtype = base_type(memory.dtype())});
  for (int axis = 2; axis < memory.shape().rank(); ++axis) mask = expand_dims(mask, -1);
  return memory * mask;
}

Output luong_score(Output query, Output keys, const OptionalInput& scale) {
  const std::int64_t depth = query.shape().rank() == 2 ? query.shape()[1] : kUnknownDim;
  const std::int64_t units = keys.shape().rank() == 3 ? keys.shape()[2] : kUnknownDim;
  require(depth == units,
          "Incompatible or unknown inner dimensions between query and keys. Query has units: ",
          depth, ". Keys have units: ", units,
          ". Perhaps you need to set num_units to the keys' dimension (", units, ")?");
  const Output rows = expand_dims(query, 1);
  const Output score = squeeze(matmul(rows, keys, {.transpose_b = true}), {.axis = {1}});
  return scale ? operators::mul(*scale, score, std::source_location::current()) : score;
}

Output bahdanau_score(Output query, Output keys, const Input& v, const OptionalInput& g,
                      const OptionalInput& b) {
  const Output rows = expand_dims(query, 1);
  Output sum = keys + rows;
  if (b) sum = sum + *b;
  Output weights = as_tensor(v, "v");
  if (g) {
    const Output length = raw::Rsqrt(reduce_sum(raw::Square(weights)));
    weights = *g * weights;
    weights = weights * length;
  }
  return reduce_sum(weights * raw::Tanh(sum), {.axis = Input(Tensor::vector<std::int32_t>({2}))});
}

Output masked_score(Output score, const OptionalInput& lengths, double mask_value) {
  if (!lengths) return score;
  const Output steps = slice(shape(score), {Input(1)});
  const Output mask = sequence_mask(*lengths, {.maxlen = steps});
  return where(mask, score, ones_like(score) * mask_value);
}

Output attended(Output alignments, Output values) {
  return squeeze(matmul(expand_dims(alignments, 1), values), {.axis = {1}});
}

// --- mechanisms ----------------------------------------------------------------------------------

Projection::Projection(std::string name, std::int64_t units)
    : Layer("Dense", {.name = std::move(name)}), units_(units) {}

void Projection::build(const PartialShape& input) {
  require(input.has_rank() && input.rank() >= 2 && input[input.rank() - 1] >= 0,
          "The last dimension of the inputs to `Dense` should be defined. Found ", to_text(input));
  kernel_ = add_weight("kernel", {input[input.rank() - 1], units_});
}

Output Projection::call(Output x, const layers::CallArguments&) {
  if (x.shape().rank() == 2) return matmul(x, kernel_);
  return tensordot(x, kernel_, TensordotAxes({x.shape().rank() - 1}, {0}));
}

AttentionMechanism::AttentionMechanism(std::int64_t num_units, const Input& memory,
                                       const AttentionOptions& options, const char* default_name)
    : num_units_(num_units), options_(options) {
  if (options_.name.empty()) options_.name = default_name;
  const NameScope named("BaseAttentionMechanismInit");
  values_ = masked_memory(as_tensor(memory, "memory"), options_.memory_sequence_length);
  Projection memory_layer("memory_layer", num_units);
  keys_ = memory_layer(values_);
}

Output AttentionMechanism::operator()(Output query) {
  const auto scope = VariableScopeBlock::with_default_name(layers::snake_case(options_.name));
  const Output masked =
      masked_score(score(query), options_.memory_sequence_length, options_.score_mask_value);
  return nn::softmax(masked);
}

Output LuongAttention::score(Output query) {
  OptionalInput scale;
  if (options_.scaled)
    scale = get_variable("attention_g", PartialShape::scalar(),
                         {.dtype = base_type(query.dtype()), .initializer = ones_initializer()});
  return luong_score(query, keys_, scale);
}

Output BahdanauAttention::score(Output query) {
  const Output processed = (*query_layer_)(query);
  const DType dtype = base_type(query.dtype());
  const Variable v = get_variable("attention_v", {num_units_}, {.dtype = dtype});
  OptionalInput g, b;
  if (options_.normalize) {
    const double length = std::sqrt(1.0 / static_cast<double>(num_units_));
    g = get_variable("attention_g", PartialShape::scalar(),
                     {.dtype = dtype, .initializer = constant_initializer(length)});
    b = get_variable("attention_b", {num_units_},
                     {.dtype = dtype, .initializer = zeros_initializer()});
  }
  return bahdanau_score(processed, keys_, v, g, b);
}

// --- the wrapper ---------------------------------------------------------------------------------

AttentionWrapper::AttentionWrapper(std::shared_ptr<RNNCell> cell,
                                   std::shared_ptr<AttentionMechanism> mechanism,
                                   const AttentionWrapperOptions& options)
    : RNNCell("AttentionWrapper", {.name = options.name}),
      cell_(std::move(cell)),
      mechanism_(std::move(mechanism)),
      options_(options) {
  require(cell_ != nullptr && mechanism_ != nullptr,
          "AttentionWrapper needs a cell and a mechanism");
  const PartialShape& values = mechanism_->values().shape();
  require(values.rank() == 3, "the memory must be [batch, time, depth], not ", to_text(values));
  attention_size_ = options_.attention_layer_size.value_or(values[2]);
  if (options_.attention_layer_size)
    attention_layer_ = std::make_shared<Projection>("attention_layer", attention_size_);
}

nn::rnn_cell::Sizes AttentionWrapper::state_sizes() const {
  nn::rnn_cell::Sizes sizes = cell_->state_sizes();
  sizes.push_back({attention_size_});
  sizes.push_back(PartialShape::scalar());
  sizes.push_back({mechanism_->keys().shape()[1]});
  return sizes;
}

nn::rnn_cell::Sizes AttentionWrapper::output_sizes() const {
  return options_.output_attention ? nn::rnn_cell::Sizes{{attention_size_}} : cell_->output_sizes();
}

nn::rnn_cell::CellOutput AttentionWrapper::compute(const std::vector<Output>& inputs,
                                                   const nn::rnn_cell::State& state) {
  const std::size_t own = cell_->state_sizes().size();
  require(state.size() == own + 3, "the state of this cell has ", own + 3, " tensors, not ",
          state.size());
  const Output seen = concat({inputs.at(0), state[own]}, -1);
  nn::rnn_cell::CellOutput step =
      cell_->step({seen}, {state.begin(), state.begin() + static_cast<std::ptrdiff_t>(own)});
  const Output output = step.output();
  const Output alignments = (*mechanism_)(output);
  Output attention = attended(alignments, mechanism_->values());
  if (attention_layer_) attention = (*attention_layer_)(concat({output, attention}, 1));
  step.state.push_back(attention);
  step.state.push_back(state[own + 1] + 1);
  step.state.push_back(alignments);
  if (options_.output_attention) step.outputs = {attention};
  return step;
}

nn::rnn_cell::State AttentionWrapper::zero_state(const nn::BatchSize& batch_size, DType dtype,
                                                 std::source_location at) {
  const Block named("", "AttentionWrapperZeroState", at);
  nn::rnn_cell::State state = cell_->zero_state(batch_size, dtype, at);
  state.push_back(nn::zero_tensors({{attention_size_}}, batch_size, dtype)[0]);
  state.push_back(constant(0, {.dtype = DType::i32}));
  state.push_back(zeros_like(slice(mechanism_->keys(), {SliceRange{}, SliceRange{}, Input(0)})));
  return state;
}

}  // namespace rill::contrib::seq2seq
