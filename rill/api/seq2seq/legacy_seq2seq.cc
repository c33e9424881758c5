#include "rill/api/seq2seq/legacy_seq2seq.h"

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/cross_entropy.h"
#include "rill/api/nn/softmax.h"
#include "rill/api/rnn/linear.h"
#include "rill/base/error.h"

namespace rill::contrib::legacy_seq2seq {
namespace {

std::unique_ptr<VariableScopeBlock> open(const layers::ScopeChoice& scope, const char* otherwise,
                                         const VariableScopeOptions& options,
                                         std::source_location at) {
  return (scope ? scope : layers::ScopeChoice(otherwise)).open(options, at);
}

// The input of a step: the given one, or what the loop function makes of the output before.
Output next_input(const LoopFunction& loop, Output given, Output previous, std::size_t step) {
  if (!loop || !previous.node) {
    require(bool(given.node), "None values not supported: step ", step, " has no input");
    return given;
  }
  VariableScopeOptions reuse;
  reuse.reuse = Reuse::kYes;
  const VariableScopeBlock scope("loop_function", reuse);
  return loop(previous, static_cast<int>(step));
}

// A memory with several heads that look at it.
class Memory {
 public:
  Memory(Output states, int heads) {
    require(heads >= 1, "With less than 1 heads, use a non-attention decoder.");
    require(states.shape().rank() == 3 && states.shape()[2] >= 0,
            "Shape[2] of attention_states must be known: ", to_text(states.shape()));
    size_ = states.shape()[2];
    const int width = static_cast<int>(size_);
    const Output steps = slice(shape(states), {Input(1)});
    steps_ = states.shape()[1] >= 0 ? Input(static_cast<int>(states.shape()[1])) : Input(steps);
    hidden_ = raw::Reshape(states, stack({Input(-1), steps_, Input(1), Input(width)}));
    for (int head = 0; head < heads; ++head) {
      const Variable kernel = get_variable(str_cat("AttnW_", head), {1, 1, size_, size_});
      features_.push_back(raw::Conv2D(hidden_, kernel, {1, 1, 1, 1}, "SAME"));
      vectors_.push_back(get_variable(str_cat("AttnV_", head), {size_}));
    }
  }

  std::int64_t size() const { return size_; }
  std::size_t heads() const { return vectors_.size(); }
  DType dtype() const { return base_type(hidden_.dtype()); }

  // What each head sees for a query.
  std::vector<Output> look(const State& query) const {
    std::vector<Output> seen;
    const int width = static_cast<int>(size_);
    for (std::size_t head = 0; head < heads(); ++head) {
      const VariableScopeBlock scope(str_cat("Attention_", head));
      const Output y =
          raw::Reshape(rnn::linear(query, size_), Tensor::vector<std::int32_t>({-1, 1, 1, width}));
      const Output score = reduce_sum(vectors_[head] * raw::Tanh(features_[head] + y),
                                      {.axis = Input(Tensor::vector<std::int32_t>({2, 3}))});
      const Output weights =
          raw::Reshape(nn::softmax(score), stack({Input(-1), steps_, Input(1), Input(1)}));
      const Output sum =
          reduce_sum(weights * hidden_, {.axis = Input(Tensor::vector<std::int32_t>({1, 2}))});
      seen.push_back(raw::Reshape(sum, Tensor::vector<std::int32_t>({-1, width})));
    }
    return seen;
  }

 private:
  std::int64_t size_ = 0;
  Input steps_ = 0;
  Output hidden_;
  std::vector<Output> features_;
  std::vector<Input> vectors_;
};

std::vector<Output> beside(Output first, const std::vector<Output>& others) {
  std::vector<Output> all{first};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

std::vector<Output> nothing_seen(const Memory& memory, Output like) {
  const Output batch = slice(shape(like), {Input(0)});
  const Output dims = stack({batch, Input(static_cast<int>(memory.size()))});
  std::vector<Output> seen;
  for (std::size_t head = 0; head < memory.heads(); ++head) {
    seen.push_back(zeros(dims, {.dtype = memory.dtype()}));
    seen.back().node->graph().refine_shape(seen.back(), {kUnknownDim, memory.size()});
  }
  return seen;
}

}  // namespace

DecodedSteps rnn_decoder(const std::vector<Output>& decoder_inputs, const State& initial_state,
                         nn::Cell& cell, const RnnDecoderOptions& options,
                         std::source_location at) {
  const auto scope = open(options.scope, "rnn_decoder", {}, at);
  DecodedSteps decoded{{}, initial_state};
  Output previous;
  for (std::size_t i = 0; i < decoder_inputs.size(); ++i) {
    const Output input = next_input(options.loop_function, decoder_inputs[i], previous, i);
    if (i > 0) scope->scope()->reuse_variables();
    nn::rnn_cell::CellOutput step = cell.step({input}, decoded.state);
    previous = step.output();
    decoded.outputs.push_back(previous);
    decoded.state = std::move(step.state);
  }
  return decoded;
}

DecodedSteps attention_decoder(const std::vector<Output>& decoder_inputs,
                               const State& initial_state, Output attention_states, nn::Cell& cell,
                               const AttentionDecoderOptions& options, std::source_location at) {
  require(!decoder_inputs.empty() && decoder_inputs[0].node,
          "Must provide at least 1 input to attention decoder.");
  const nn::rnn_cell::Sizes own = cell.output_sizes();
  require(options.output_size || (own.size() == 1 && own[0].rank() == 1),
          "attention_decoder must know the output_size");
  const std::int64_t output_size = options.output_size ? *options.output_size : own[0][0];
  VariableScopeOptions typed;
  typed.dtype = options.dtype;
  const auto scope = open(options.scope, "attention_decoder", typed, at);
  const Memory memory(attention_states, options.num_heads);
  DecodedSteps decoded{{}, initial_state};
  std::vector<Output> seen = nothing_seen(memory, decoder_inputs[0]);
  if (options.initial_state_attention) seen = memory.look(initial_state);
  Output previous;
  for (std::size_t i = 0; i < decoder_inputs.size(); ++i) {
    if (i > 0) scope->scope()->reuse_variables();
    const Output input = next_input(options.loop_function, decoder_inputs[i], previous, i);
    require(input.shape().rank() == 2 && input.shape()[1] >= 0,
            "Could not infer input size from input: ", input.node->name());
    const Output joined = rnn::linear(beside(input, seen), input.shape()[1]);
    nn::rnn_cell::CellOutput step = cell.step({joined}, decoded.state);
    decoded.state = step.state;
    if (i == 0 && options.initial_state_attention) {
      VariableScopeOptions again;
      again.reuse = Reuse::kYes;
      const VariableScopeBlock same(get_variable_scope(), again);
      seen = memory.look(decoded.state);
    } else {
      seen = memory.look(decoded.state);
    }
    const VariableScopeBlock projection("AttnOutputProjection");
    previous = rnn::linear(beside(step.output(), seen), output_size);
    decoded.outputs.push_back(previous);
  }
  return decoded;
}

LoopFunction argmax_and_embed(std::function<Output(Output ids)> embedding,
                              std::optional<OutputProjection> output_projection,
                              bool update_embedding) {
  return [=](Output previous, int) {
    if (output_projection)
      previous =
          raw::BiasAdd(matmul(previous, output_projection->weights), output_projection->biases);
    const Output row = embedding(raw::ArgMax(previous, 1));
    return update_embedding ? row : raw::StopGradient(row);
  };
}

Output sequence_loss_by_example(const std::vector<Output>& logits,
                                const std::vector<Output>& targets,
                                const std::vector<Output>& weights,
                                const SequenceLossByExampleOptions& options,
                                std::source_location at) {
  require(!logits.empty() && targets.size() == logits.size() && weights.size() == logits.size(),
          "Lengths of logits, weights, and targets must be the same ", logits.size(), ", ",
          weights.size(), ", ", targets.size(), ".");
  const Block in(options.name, "sequence_loss_by_example", at);
  std::vector<Input> losses;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const Output loss =
        options.softmax_loss_function
            ? options.softmax_loss_function(targets[i], logits[i])
            : nn::sparse_softmax_cross_entropy_with_logits(
                  raw::Reshape(targets[i], Tensor::vector<std::int32_t>({-1})), logits[i]);
    losses.emplace_back(loss * weights[i]);
  }
  const Output sum = add_n(losses);
  if (!options.average_across_timesteps) return sum;
  const Output total = add_n({weights.begin(), weights.end()}) + 1e-12;  // not 0
  return sum / total;
}

Output sequence_loss(const std::vector<Output>& logits, const std::vector<Output>& targets,
                     const std::vector<Output>& weights, const SequenceLossOptions& options,
                     std::source_location at) {
  const Block in(options.name, "sequence_loss", at);
  const Output cost = reduce_sum(sequence_loss_by_example(
      logits, targets, weights,
      {options.average_across_timesteps, options.softmax_loss_function, {}}, at));
  if (!options.average_across_batch) return cost;
  return cost / cast(slice(shape(targets.at(0)), {Input(0)}), base_type(cost.dtype()));
}

}  // namespace rill::contrib::legacy_seq2seq
