#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rill/api/core/tensor_array.h"
#include "rill/api/nn/embedding.h"
#include "rill/api/seq2seq/decoder.h"

namespace rill::contrib::seq2seq {

struct HelperStart {
  Output finished = {};
  std::vector<Output> inputs = {};
};

// Chooses what a decoder gets as input: true sequences while it is trained, its own outputs later.
// The methods make nodes: initialize once, the other two once, in the body of the loop.
class Helper {
 public:
  virtual ~Helper() = default;
  virtual BatchSize batch_size() = 0;
  virtual DType sample_ids_dtype() const { return DType::i32; }
  virtual PartialShape sample_ids_shape() const { return PartialShape::scalar(); }
  // Which examples are finished before the first step, and its inputs.
  virtual HelperStart initialize() = 0;
  // The words that a step's outputs stand for.
  virtual Output sample(Output time, const std::vector<Output>& outputs) = 0;
  // Whether examples are finished after this step, and the inputs of the next.
  virtual HelperStart next_inputs(Output time, Output sample_ids) = 0;
};

// Reads inputs that are known, each as long as it is; [batch, time, ...] unless time_major.
class TrainingHelper : public Helper {
 public:
  TrainingHelper(const Inputs& inputs, const Input& sequence_length, bool time_major = false);
  TrainingHelper(const Input& inputs, const Input& sequence_length, bool time_major = false)
      : TrainingHelper(std::vector<Input>{inputs}, sequence_length, time_major) {}

  BatchSize batch_size() override { return *batch_size_; }
  HelperStart initialize() override;
  Output sample(Output time, const std::vector<Output>& outputs) override;
  HelperStart next_inputs(Output time, Output sample_ids) override;
  Output sequence_length() const { return lengths_; }

 private:
  std::vector<Output> zero_inputs_;
  std::vector<TensorArray> elements_;
  Output lengths_;
  std::optional<BatchSize> batch_size_;
};

// Numbers of words as rows of a table, or as a function says.
using Embedding = std::function<Output(Output ids)>;
Embedding embedding_of(const nn::EmbeddingTable& table);

// Takes the most likely word, or one by chance, as next input, until that is the last word. It need
// never come: give dynamic_decode a number of maximum_iterations.
class EmbeddingHelper : public Helper {
 public:
  struct Sampling {
    OptionalInput softmax_temperature = {};
    std::optional<std::int64_t> seed = {};
  };
  // `sampling`: none takes the most likely one. Throws InvalidArgument when start_tokens is no
  // vector or end_token no scalar.
  EmbeddingHelper(Embedding embedding, const Input& start_tokens, const Input& end_token,
                  std::optional<Sampling> sampling = {});

  BatchSize batch_size() override { return *batch_size_; }
  HelperStart initialize() override;
  Output sample(Output time, const std::vector<Output>& outputs) override;
  HelperStart next_inputs(Output time, Output sample_ids) override;

 private:
  Embedding embedding_;
  Output start_tokens_, end_token_, start_inputs_;
  std::optional<Sampling> sampling_;
  std::optional<BatchSize> batch_size_;
};
// Always the most likely word.
struct GreedyEmbeddingHelper : EmbeddingHelper {
  GreedyEmbeddingHelper(Embedding embedding, const Input& start_tokens, const Input& end_token)
      : EmbeddingHelper(std::move(embedding), start_tokens, end_token) {}
};
// A word by chance, as its probability is; a softmax_temperature above 1 makes rare ones likelier.
struct SampleEmbeddingHelper : EmbeddingHelper {
  SampleEmbeddingHelper(Embedding embedding, const Input& start_tokens, const Input& end_token,
                        const Sampling& sampling = {})
      : EmbeddingHelper(std::move(embedding), start_tokens, end_token, sampling) {}
};

// Now and then, with sampling_probability, replaces a known input by the row of a word that the
// decoder chose, so that it learns from its own mistakes.
class ScheduledEmbeddingTrainingHelper : public TrainingHelper {
 public:
  struct Schedule {
    Input sampling_probability = 0.0F;
    std::optional<std::int64_t> seed = {}, scheduling_seed = {};
  };
  ScheduledEmbeddingTrainingHelper(const Input& inputs, const Input& sequence_length,
                                   Embedding embedding, const Schedule& schedule,
                                   bool time_major = false);

  // -1: the known input stays.
  Output sample(Output time, const std::vector<Output>& outputs) override;
  HelperStart next_inputs(Output time, Output sample_ids) override;

 private:
  Embedding embedding_;
  Schedule schedule_;
  Output probability_;
};

// A cell whose inputs a helper chooses. Outputs are those of the cell, through `output_layer` where
// there is one, and the sampled words.
//
//   TrainingHelper helper(inputs, lengths);
//   BasicDecoder decoder(cell, helper, encoder_state);
//   Decoded result = dynamic_decode(decoder);
//
// Cell and helper are borrowed and must outlive it. Throws InvalidArgument for a layer without its
// output_size.
class BasicDecoder : public Decoder {
 public:
  using Layer = std::function<Output(Output)>;
  BasicDecoder(nn::Cell& cell, Helper& helper, State initial_state, Layer output_layer = {},
               PartialShape output_size = {});

  BatchSize batch_size() override { return helper_.batch_size(); }
  Sizes output_sizes() const override;
  std::vector<DType> output_dtypes() const override;
  DecoderStart initialize() override;
  DecoderStep step(Output time, const std::vector<Output>& inputs, const State& state) override;

 private:
  nn::Cell& cell_;
  Helper& helper_;
  State initial_state_;
  Layer output_layer_;
  PartialShape output_size_;  // of the layer
};

}  // namespace rill::contrib::seq2seq
