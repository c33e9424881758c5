#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "rill/api/layers/layer.h"
#include "rill/api/rnn/rnn_cell.h"

namespace rill::contrib::seq2seq {

// --- the arithmetic of attention, shared with faces of other languages ---------------------------

// memory [batch, time, ...] with zeros after the end of each example.
Output masked_memory(Output memory, const OptionalInput& lengths);
// How well queries [batch, units] fit keys [batch, time, units]: their product, scaled where there
// is a scale. Throws InvalidArgument when the units differ.
Output luong_score(Output query, Output keys, const OptionalInput& scale);
// v * tanh(keys + query), summed over the units; normalised with `g` and moved by `b` where they
// are given.
Output bahdanau_score(Output query, Output keys, const Input& v, const OptionalInput& g,
                      const OptionalInput& b);
// Scores [batch, time] with `mask_value` after the end of each example.
Output masked_score(Output score, const OptionalInput& lengths, double mask_value);
// The sums of values [batch, time, depth], weighted by alignments [batch, time].
Output attended(Output alignments, Output values);

// --- mechanisms ----------------------------------------------------------------------------------

// A layer that multiplies the last dimension with a kernel.
class Projection : public rill::layers::Layer {
 public:
  Projection(std::string name, std::int64_t units);
  void build(const PartialShape& input) override;
  Output call(Output x, const rill::layers::CallArguments& arguments) override;

 private:
  std::int64_t units_;
  rill::layers::Weight kernel_;
};

// memory_sequence_length: places after the end of an example get no weight. score_mask_value: the
// score that they have instead; minus infinity makes the weight exactly 0.
struct AttentionOptions {
  OptionalInput memory_sequence_length = {};
  bool scaled = false;     // Luong: the score has a learned scale
  bool normalize = false;  // Bahdanau: the score is normalised
  double score_mask_value = -std::numeric_limits<double>::infinity();
  std::string name = {};
};

// Where in a memory to look, for a query: softmax(score(query, keys)), where keys are the memory
// [batch, time, depth] through a layer "memory_layer" of num_units.
class AttentionMechanism {
 public:
  AttentionMechanism(std::int64_t num_units, const Input& memory, const AttentionOptions& options,
                     const char* default_name);
  virtual ~AttentionMechanism() = default;

  Output keys() const { return keys_; }
  Output values() const { return values_; }
  nn::BatchSize alignments_size() const { return nn::BatchSize::of(keys_, 1); }
  // A weight for each place of the memory.
  Output operator()(Output query);

 protected:
  virtual Output score(Output query) = 0;  // with variables of the current scope
  std::int64_t num_units_;
  AttentionOptions options_;
  Output keys_, values_;
};

// score = query . key, times a learned scale where `scaled`. Queries must have num_units elements,
// or InvalidArgument is thrown.
class LuongAttention : public AttentionMechanism {
 public:
  LuongAttention(std::int64_t num_units, const Input& memory, const AttentionOptions& options = {})
      : AttentionMechanism(num_units, memory, options, "LuongAttention") {}

 protected:
  Output score(Output query) override;
};

// score = sum(v * tanh(W query + key)); with `normalize` v is g * v / |v| and a bias is added.
class BahdanauAttention : public AttentionMechanism {
 public:
  BahdanauAttention(std::int64_t num_units, const Input& memory,
                    const AttentionOptions& options = {})
      : AttentionMechanism(num_units, memory, options, "BahdanauAttention"),
        query_layer_(std::make_shared<Projection>("query_layer", num_units)) {}

 protected:
  Output score(Output query) override;

 private:
  std::shared_ptr<Projection> query_layer_;
};

struct AttentionWrapperOptions {
  std::optional<std::int64_t> attention_layer_size = {};  // none: attention is what was looked at
  bool output_attention = true;                           // false: the cell's own outputs go out
  std::string name = {};
};
// A cell that looks into a memory after each step, and sees what it found in the next. Its state:
// those of the cell, the attention, the time, and the alignments.
//
//   auto mechanism = std::make_shared<LuongAttention>(256, encoder_outputs);
//   AttentionWrapper cell(lstm, mechanism, {.attention_layer_size = 256});
//
// Start it with zero_state: the encoder's last state alone does not fit.
class AttentionWrapper : public nn::rnn_cell::RNNCell {
 public:
  AttentionWrapper(std::shared_ptr<RNNCell> cell, std::shared_ptr<AttentionMechanism> mechanism,
                   const AttentionWrapperOptions& options = {});

  nn::rnn_cell::Sizes state_sizes() const override;
  nn::rnn_cell::Sizes output_sizes() const override;
  nn::rnn_cell::CellOutput compute(const std::vector<Output>& inputs,
                                   const nn::rnn_cell::State& state) override;
  nn::rnn_cell::State zero_state(
      const nn::BatchSize& batch_size, DType dtype,
      std::source_location at = std::source_location::current()) override;

 private:
  std::shared_ptr<RNNCell> cell_;
  std::shared_ptr<AttentionMechanism> mechanism_;
  AttentionWrapperOptions options_;
  std::shared_ptr<Projection> attention_layer_;
  std::int64_t attention_size_;
};

}  // namespace rill::contrib::seq2seq
