#include "rill/api/seq2seq/legacy_models.h"

#include <algorithm>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/rnn/static_rnn.h"
#include "rill/api/variables/get_variable.h"
#include "rill/base/error.h"

namespace rill::contrib::legacy_seq2seq {
namespace {

using layers::ScopeChoice;
using Steps = std::vector<Output>;

std::unique_ptr<VariableScopeBlock> opened(const ScopeChoice& scope, const char* otherwise,
                                           std::source_location at, DType dtype = DType::invalid) {
  return (scope ? scope : ScopeChoice(otherwise)).open({.dtype = dtype}, at);
}

std::function<Output(Output)> rows_of(const Variable& table) {
  return [table](Output ids) { return nn::embedding_lookup(table, ids); };
}

Steps looked_up(const Variable& table, const Steps& words) {
  Steps rows;
  for (const Output& word : words) rows.push_back(rows_of(table)(word));
  return rows;
}

void check_projection(const std::optional<OutputProjection>& projection, std::int64_t num_symbols) {
  if (!projection) return;
  const PartialShape biases = as_tensor(projection->biases).shape();
  require(biases.is_compatible(PartialShape({num_symbols})),
          "the biases of a projection have the "
          "shape ",
          biases, ", and there are ", num_symbols, " symbols");
}

// What `decode` gives, by a flag or by a tensor; the second time with the variables of the first.
DecodedSteps either(const std::variant<bool, Output>& feed_previous,
                    const std::function<DecodedSteps(bool feed)>& decode) {
  if (const bool* known = std::get_if<bool>(&feed_previous)) return decode(*known);
  std::size_t output_count = 0;
  const auto branch = [&](bool feed) {
    const VariableScopeBlock in(get_variable_scope(),
                                {.reuse = feed ? Reuse::kUnset : Reuse::kYes});
    DecodedSteps made = decode(feed);
    output_count = made.outputs.size();
    made.outputs.insert(made.outputs.end(), made.state.begin(), made.state.end());
    return made.outputs;
  };
  const Steps flat = cond(
      std::get<Output>(feed_previous), [&] { return branch(true); }, [&] { return branch(false); });
  const auto end = flat.begin() + static_cast<std::ptrdiff_t>(output_count);
  return {{flat.begin(), end}, {end, flat.end()}};
}

nn::StaticRnn encoded(const Steps& inputs, RNNCellRef cell, std::int64_t symbols,
                      std::int64_t embedding_size, DType dtype) {
  rnn::EmbeddingWrapper reading(std::move(cell), symbols, embedding_size);
  return nn::static_rnn(reading, inputs, {.dtype = dtype});
}

}  // namespace

DecodedSteps basic_rnn_seq2seq(const Steps& encoder_inputs, const Steps& decoder_inputs,
                               const MakeCell& make_cell, const RnnSeq2SeqOptions& options,
                               std::source_location at) {
  const auto in = opened(options.scope, "basic_rnn_seq2seq", at);
  const RNNCellRef reading = make_cell(), writing = make_cell();
  const nn::StaticRnn read = nn::static_rnn(*reading, encoder_inputs, {.dtype = options.dtype});
  return rnn_decoder(decoder_inputs, read.state, *writing, {}, at);
}

DecodedSteps tied_rnn_seq2seq(const Steps& encoder_inputs, const Steps& decoder_inputs,
                              nn::Cell& cell, const TiedRnnSeq2SeqOptions& options,
                              std::source_location at) {
  const VariableScopeBlock in("combined_tied_rnn_seq2seq", {}, at);
  const ScopeChoice scope = options.scope ? options.scope : ScopeChoice("tied_rnn_seq2seq");
  const nn::StaticRnn read =
      nn::static_rnn(cell, encoder_inputs, {.dtype = options.dtype, .scope = scope});
  get_variable_scope()->reuse_variables();
  return rnn_decoder(decoder_inputs, read.state, cell,
                     {.loop_function = options.loop_function, .scope = scope}, at);
}

DecodedSteps embedding_rnn_decoder(const Steps& decoder_inputs, const State& initial_state,
                                   nn::Cell& cell, std::int64_t num_symbols,
                                   std::int64_t embedding_size, const EmbeddingRnnDecoderOptions& o,
                                   std::source_location at) {
  const auto in = opened(o.scope, "embedding_rnn_decoder", at);
  check_projection(o.output_projection, num_symbols);
  const Variable table = get_variable("embedding", PartialShape({num_symbols, embedding_size}));
  RnnDecoderOptions decoder;
  if (o.feed_previous)
    decoder.loop_function =
        argmax_and_embed(rows_of(table), o.output_projection, o.update_embedding_for_previous);
  return rnn_decoder(looked_up(table, decoder_inputs), initial_state, cell, decoder, at);
}

DecodedSteps embedding_attention_decoder(const Steps& decoder_inputs, const State& initial_state,
                                         Output attention_states, nn::Cell& cell,
                                         std::int64_t num_symbols, std::int64_t embedding_size,
                                         const EmbeddingAttentionDecoderOptions& o,
                                         std::source_location at) {
  check_projection(o.output_projection, num_symbols);
  const auto in = opened(o.scope, "embedding_attention_decoder", at, o.dtype);
  const Variable table = get_variable("embedding", PartialShape({num_symbols, embedding_size}));
  AttentionDecoderOptions decoder{.output_size = o.output_size,
                                  .num_heads = o.num_heads,
                                  .initial_state_attention = o.initial_state_attention};
  if (o.feed_previous)
    decoder.loop_function =
        argmax_and_embed(rows_of(table), o.output_projection, o.update_embedding_for_previous);
  return attention_decoder(looked_up(table, decoder_inputs), initial_state, attention_states, cell,
                           decoder, at);
}

DecodedSteps embedding_rnn_seq2seq(const Steps& encoder_inputs, const Steps& decoder_inputs,
                                   const MakeCell& make_cell, std::int64_t num_encoder_symbols,
                                   std::int64_t num_decoder_symbols, std::int64_t embedding_size,
                                   const EmbeddingSeq2SeqOptions& o, std::source_location at) {
  const auto in = opened(o.scope, "embedding_rnn_seq2seq", at);
  const State state =
      encoded(encoder_inputs, make_cell(), num_encoder_symbols, embedding_size, o.dtype).state;
  RNNCellRef writing = make_cell();
  if (!o.output_projection)
    writing = std::make_shared<rnn::OutputProjectionWrapper>(writing, num_decoder_symbols);
  return either(o.feed_previous, [&](bool feed) {
    return embedding_rnn_decoder(
        decoder_inputs, state, *writing, num_decoder_symbols, embedding_size,
        {.output_projection = o.output_projection, .feed_previous = feed}, at);
  });
}

DecodedSteps embedding_attention_seq2seq(
    const Steps& encoder_inputs, const Steps& decoder_inputs, const MakeCell& make_cell,
    std::int64_t num_encoder_symbols, std::int64_t num_decoder_symbols, std::int64_t embedding_size,
    const EmbeddingSeq2SeqOptions& o, std::source_location at) {
  const auto in = opened(o.scope, "embedding_attention_seq2seq", at, o.dtype);
  RNNCellRef writing = make_cell();
  const PartialShape size = writing->output_sizes().at(0);
  const nn::StaticRnn read =
      encoded(encoder_inputs, make_cell(), num_encoder_symbols, embedding_size, o.dtype);
  std::vector<Output> steps;
  for (const Output& output : read.output())
    steps.push_back(rill::reshape(output, {-1, 1, size.dim(size.rank() - 1)}));
  const Output memory = concat(steps, 1);
  std::optional<std::int64_t> output_size;
  if (!o.output_projection) {
    writing = std::make_shared<rnn::OutputProjectionWrapper>(writing, num_decoder_symbols);
    output_size = num_decoder_symbols;
  }
  return either(o.feed_previous, [&](bool feed) {
    return embedding_attention_decoder(decoder_inputs, read.state, memory, *writing,
                                       num_decoder_symbols, embedding_size,
                                       {.num_heads = o.num_heads,
                                        .output_size = output_size,
                                        .output_projection = o.output_projection,
                                        .feed_previous = feed,
                                        .initial_state_attention = o.initial_state_attention},
                                       at);
  });
}

BucketModels model_with_buckets(const Steps& encoder_inputs, const Steps& decoder_inputs,
                                const Steps& targets, const Steps& weights, const Buckets& buckets,
                                const BuildModel& seq2seq, const BucketsOptions& o,
                                std::source_location at) {
  std::size_t reads = 0, writes = 0;
  for (const auto& [read, written] : buckets) {
    reads = std::max(reads, read);
    writes = std::max(writes, written);
  }
  const auto check = [](const char* what, std::size_t given, std::size_t needed) {
    require(given >= needed, "Length of ", what, " (", given,
            ") must be at least that of last bucket (", needed, ").");
  };
  check("encoder_inputs", encoder_inputs.size(), reads);
  check("decoder_inputs", decoder_inputs.size(), writes);
  check("targets", targets.size(), writes);
  check("weights", weights.size(), writes);
  const auto first = [](const Steps& all, std::size_t count) {
    return Steps(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const Block in(o.name, "model_with_buckets", at);
  BucketModels models;
  for (const auto& [read, written] : buckets) {
    const VariableScopeBlock shared(get_variable_scope(),
                                    {.reuse = models.losses.empty() ? Reuse::kUnset : Reuse::kYes});
    Steps outputs = seq2seq(first(encoder_inputs, read), first(decoder_inputs, written)).outputs;
    const Steps wanted = first(targets, written), counted = first(weights, written);
    models.losses.push_back(
        o.per_example_loss
            ? sequence_loss_by_example(outputs, wanted, counted,
                                       {.softmax_loss_function = o.softmax_loss_function}, at)
            : sequence_loss(outputs, wanted, counted,
                            {.softmax_loss_function = o.softmax_loss_function}, at));
    models.outputs.push_back(std::move(outputs));
  }
  return models;
}

}  // namespace rill::contrib::legacy_seq2seq
