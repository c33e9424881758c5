#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rill/api/seq2seq/attention.h"
#include "rill/api/seq2seq/basic_decoder.h"
#include "rill/api/seq2seq/beam_search.h"

// Outputs and states of decoders by name, and helpers that are made of functions.
namespace rill::contrib::seq2seq {

// What dynamic_decode() gives with a BasicDecoder.
//
//   const auto decoded = dynamic_decode(decoder);
//   const tf::Output logits = BasicDecoderOutput::of(decoded).rnn_output;
struct BasicDecoderOutput {
  Output rnn_output = {}, sample_id = {};
  static BasicDecoderOutput of(const Decoded& decoded);
};
// With a BeamSearchDecoder: whole sequences, the best beam first, and their last step's scores,
// words and parents.
struct BeamSearchDecoderOutput {
  Output scores = {}, predicted_ids = {}, parent_ids = {};
};
struct FinalBeamSearchDecoderOutput {
  Output predicted_ids = {};  // [batch, time, beam]
  BeamSearchDecoderOutput beam_search_decoder_output = {};
  static FinalBeamSearchDecoderOutput of(const Decoded& decoded);
};
struct BeamSearchDecoderState {
  State cell_state = {};
  Output log_probs = {}, finished = {}, lengths = {};
  static BeamSearchDecoderState of(const State& state);
};

// The state of an AttentionWrapper by name. clone() replaces parts: the encoder's last state takes
// the place of the cell's.
//
//   const auto zero = wrapper.zero_state(batch_size, tf::float32);
//   const auto state = AttentionWrapperState::of(zero).clone({.cell_state = encoder_state});
struct AttentionWrapperState {
  State cell_state = {};
  Output attention = {}, time = {}, alignments = {};

  static AttentionWrapperState of(const State& state);  // throws InvalidArgument: no such state
  struct Parts {
    std::optional<State> cell_state = {};
    std::optional<Output> attention = {}, time = {}, alignments = {};
  };
  AttentionWrapperState clone(const Parts& parts) const;
  operator State() const;
};

// A helper of three functions.
class CustomHelper : public Helper {
 public:
  struct Functions {
    std::function<HelperStart()> initialize = {};
    std::function<Output(Output time, const std::vector<Output>& outputs)> sample = {};
    std::function<HelperStart(Output time, const std::vector<Output>& outputs, Output sample_ids)>
        next_inputs = {};
    PartialShape sample_ids_shape = PartialShape::scalar();
    DType sample_ids_dtype = DType::i32;
  };
  explicit CustomHelper(Functions functions) : functions_(std::move(functions)) {}

  BatchSize batch_size() override;  // throws FailedPrecondition before initialize()
  DType sample_ids_dtype() const override { return functions_.sample_ids_dtype; }
  PartialShape sample_ids_shape() const override { return functions_.sample_ids_shape; }
  HelperStart initialize() override;
  Output sample(Output time, const std::vector<Output>& outputs) override;
  HelperStart next_inputs(Output time, Output sample_ids) override;

 private:
  Functions functions_;
  std::optional<BatchSize> batch_size_;
  std::vector<Output> outputs_;  // of the step that samples
};

// What a decoder chooses is its next input, until a function says that it is the end.
class InferenceHelper : public Helper {
 public:
  struct Functions {
    std::function<Output(const std::vector<Output>& outputs)> sample = {};
    std::function<Output(Output sample_ids)> end = {};  // a bool for each example
    std::function<std::vector<Output>(Output sample_ids)> next_inputs = {};  // none: the sample
    PartialShape sample_shape = PartialShape::scalar();
    DType sample_dtype = DType::i32;
  };
  InferenceHelper(Functions functions, const Input& start_inputs);

  BatchSize batch_size() override { return BatchSize::of(start_inputs_, 0); }
  DType sample_ids_dtype() const override { return functions_.sample_dtype; }
  PartialShape sample_ids_shape() const override { return functions_.sample_shape; }
  HelperStart initialize() override;
  Output sample(Output time, const std::vector<Output>& outputs) override;
  HelperStart next_inputs(Output time, Output sample_ids) override;

 private:
  Functions functions_;
  Output start_inputs_;
};

}  // namespace rill::contrib::seq2seq
