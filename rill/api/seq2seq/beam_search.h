#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rill/api/seq2seq/basic_decoder.h"

namespace rill::contrib::seq2seq {

// The sequences [time, batch, beam] that end in each beam: parent_ids say in which beam a sequence
// was one step before. What comes after the end of a sequence is end_token.
Output gather_tree(const Input& step_ids, const Input& parent_ids,
                   const Input& max_sequence_lengths, const Input& end_token,
                   std::source_location at = std::source_location::current());

// Scores are log-probabilities over ((5 + length) / 6) ** length_penalty_weight.
struct BeamSearchOptions {
  std::function<Output(Output)> output_layer = {};
  double length_penalty_weight = 0.0;  // larger: longer sequences are liked more
};

// Keeps the `beam_width` most likely beginnings of sequences. Its outputs are scores, words and the
// beams that these come from, each [batch, beam]; finalize() puts whole sequences first. States of
// the cell are [batch * beam, ...]; tile_batch makes such.
class BeamSearchDecoder : public Decoder {
 public:
  // Throws InvalidArgument when start_tokens is no vector, end_token no scalar, or the width less
  // than one.
  BeamSearchDecoder(nn::Cell& cell, Embedding embedding, const Input& start_tokens,
                    const Input& end_token, State initial_state, std::int64_t beam_width,
                    const BeamSearchOptions& options = {});

  BatchSize batch_size() override { return *batch_size_; }
  Sizes output_sizes() const override { return Sizes(3, PartialShape{beam_width_}); }
  std::vector<DType> output_dtypes() const override { return {DType::f32, DType::i32, DType::i32}; }
  DecoderStart initialize() override;
  DecoderStep step(Output time, const std::vector<Output>& inputs, const State& state) override;
  bool tracks_own_finished() const override { return true; }
  Output lengths_of(const State& state) override { return state.back(); }
  // Follows the parents back, so that outputs hold whole sequences, the best beam first.
  void finalize(std::vector<Output>& outputs, State& state, Output lengths) override;

 private:
  // [batch * beam, ...] as [batch, beam, ...] and back; scalars stay.
  Output apart(Output x) const;
  Output merged(Output x) const;
  // Element [b, beams[b][k]] of a tensor [batch, beam, ...] at [b, k].
  Output chosen(Output x, Output beams) const;
  Output penalty(Output lengths) const;

  nn::Cell& cell_;
  Embedding embedding_;
  State initial_state_;
  std::int64_t beam_width_;
  BeamSearchOptions options_;
  Output start_tokens_, end_token_, start_inputs_;
  std::optional<BatchSize> batch_size_;
};

}  // namespace rill::contrib::seq2seq
