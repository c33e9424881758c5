#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "rill/api/rnn/contrib_cells.h"
#include "rill/api/seq2seq/legacy_seq2seq.h"

// Whole models of tf.contrib.legacy_seq2seq.
namespace rill::contrib::legacy_seq2seq {

using RNNCellRef = std::shared_ptr<nn::rnn_cell::RNNCell>;
// Makes a cell anew: the encoder and the decoder have variables of their own.
using MakeCell = std::function<RNNCellRef()>;

struct RnnSeq2SeqOptions {
  DType dtype = DType::f32;
  rill::layers::ScopeChoice scope = {};
};
// A network that reads a sequence, and one of the same kind that goes on from its state.
DecodedSteps basic_rnn_seq2seq(const std::vector<Output>& encoder_inputs,
                               const std::vector<Output>& decoder_inputs, const MakeCell& make_cell,
                               const RnnSeq2SeqOptions& options = {},
                               std::source_location at = std::source_location::current());
struct TiedRnnSeq2SeqOptions {
  LoopFunction loop_function = {};
  DType dtype = DType::f32;
  rill::layers::ScopeChoice scope = {};
};
// The same with one cell for both.
DecodedSteps tied_rnn_seq2seq(const std::vector<Output>& encoder_inputs,
                              const std::vector<Output>& decoder_inputs, nn::Cell& cell,
                              const TiedRnnSeq2SeqOptions& options = {},
                              std::source_location at = std::source_location::current());

struct EmbeddingRnnDecoderOptions {
  std::optional<OutputProjection> output_projection = {};
  bool feed_previous = false;  // the decoder reads its own words
  bool update_embedding_for_previous = true;
  rill::layers::ScopeChoice scope = {};
};
// rnn_decoder of words, whose rows of a table are the inputs.
DecodedSteps embedding_rnn_decoder(const std::vector<Output>& decoder_inputs,
                                   const State& initial_state, nn::Cell& cell,
                                   std::int64_t num_symbols, std::int64_t embedding_size,
                                   const EmbeddingRnnDecoderOptions& options = {},
                                   std::source_location at = std::source_location::current());

struct EmbeddingAttentionDecoderOptions {
  int num_heads = 1;
  std::optional<std::int64_t> output_size = {};
  std::optional<OutputProjection> output_projection = {};
  bool feed_previous = false;
  bool update_embedding_for_previous = true;
  DType dtype = DType::invalid;
  rill::layers::ScopeChoice scope = {};
  bool initial_state_attention = false;
};
// attention_decoder of words.
DecodedSteps embedding_attention_decoder(const std::vector<Output>& decoder_inputs,
                                         const State& initial_state, Output attention_states,
                                         nn::Cell& cell, std::int64_t num_symbols,
                                         std::int64_t embedding_size,
                                         const EmbeddingAttentionDecoderOptions& options = {},
                                         std::source_location at = std::source_location::current());

struct EmbeddingSeq2SeqOptions {
  int num_heads = 1;  // of attention
  std::optional<OutputProjection> output_projection = {};
  std::variant<bool, Output> feed_previous = false;  // a tensor: by each step
  DType dtype = DType::f32;
  rill::layers::ScopeChoice scope = {};
  bool initial_state_attention = false;
};
// basic_rnn_seq2seq of words, and one that looks at what was read.
DecodedSteps embedding_rnn_seq2seq(const std::vector<Output>& encoder_inputs,
                                   const std::vector<Output>& decoder_inputs,
                                   const MakeCell& make_cell, std::int64_t num_encoder_symbols,
                                   std::int64_t num_decoder_symbols, std::int64_t embedding_size,
                                   const EmbeddingSeq2SeqOptions& options = {},
                                   std::source_location at = std::source_location::current());
DecodedSteps embedding_attention_seq2seq(
    const std::vector<Output>& encoder_inputs, const std::vector<Output>& decoder_inputs,
    const MakeCell& make_cell, std::int64_t num_encoder_symbols, std::int64_t num_decoder_symbols,
    std::int64_t embedding_size, const EmbeddingSeq2SeqOptions& options = {},
    std::source_location at = std::source_location::current());

using Buckets = std::vector<std::pair<std::size_t, std::size_t>>;  // read so many, write so many
using BuildModel = std::function<DecodedSteps(const std::vector<Output>& encoder_inputs,
                                              const std::vector<Output>& decoder_inputs)>;
struct BucketsOptions {
  LossFunction softmax_loss_function = {};
  bool per_example_loss = false;
  std::string name = {};
};
struct BucketModels {
  std::vector<std::vector<Output>> outputs = {};
  std::vector<Output> losses = {};
};
// A model for each pair of lengths, with shared variables. Throws InvalidArgument where there are
// fewer inputs than the longest pair needs.
BucketModels model_with_buckets(const std::vector<Output>& encoder_inputs,
                                const std::vector<Output>& decoder_inputs,
                                const std::vector<Output>& targets,
                                const std::vector<Output>& weights, const Buckets& buckets,
                                const BuildModel& seq2seq, const BucketsOptions& options = {},
                                std::source_location at = std::source_location::current());

}  // namespace rill::contrib::legacy_seq2seq
