#pragma once

#include <optional>
#include <source_location>
#include <vector>

#include "rill/api/layers/scope_choice.h"
#include "rill/api/rnn/cell.h"

namespace rill::contrib::seq2seq {

using nn::BatchSize;
using nn::rnn_cell::Sizes;
using nn::rnn_cell::State;

// What a decoder begins with.
struct DecoderStart {
  Output finished = {};  // a bool for each example
  std::vector<Output> inputs = {};
  State state = {};
};
struct DecoderStep {
  std::vector<Output> outputs = {};
  State state = {};
  std::vector<Output> inputs = {};  // of the next step
  Output finished = {};
};

// Makes one element of a sequence after the other. dynamic_decode calls initialize before the loop
// and step in its body, once each.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual BatchSize batch_size() = 0;
  virtual Sizes output_sizes() const = 0;
  virtual std::vector<DType> output_dtypes() const = 0;
  virtual DecoderStart initialize() = 0;
  // With as many tensors of each kind as initialize gave, or dynamic_decode throws InvalidArgument.
  virtual DecoderStep step(Output time, const std::vector<Output>& inputs, const State& state) = 0;
  // Whether `finished` of a step says it of the whole sequence, as where beams change places.
  virtual bool tracks_own_finished() const { return false; }
  // How long sequences are by the state of such a decoder; empty: it does not say.
  virtual Output lengths_of(const State&) { return {}; }
  // May change what the loop gave, before batch and time are exchanged.
  virtual void finalize(std::vector<Output>&, State&, Output /*lengths*/) {}
};

struct DynamicDecodeOptions {
  bool output_time_major = false;
  bool impute_finished = false;  // zeros and old states for examples that are finished
  OptionalInput maximum_iterations = {};
  int parallel_iterations = 32;
  bool swap_memory = false;
  rill::layers::ScopeChoice scope = {};  // "decoder", made unique
};
struct Decoded {
  std::vector<Output> outputs = {};
  State state = {};
  Output lengths = {};  // of the sequences
};
// Steps until all examples are finished, or maximum_iterations are over. Outputs are [batch, time,
// ...] unless output_time_major. Without impute_finished what comes after an example's end is
// whatever the cell gives: use `lengths`. Throws InvalidArgument when maximum_iterations is no
// scalar.
Decoded dynamic_decode(Decoder& decoder, const DynamicDecodeOptions& options = {},
                       std::source_location at = std::source_location::current());

}  // namespace rill::contrib::seq2seq
