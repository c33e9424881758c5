#pragma once

#include <optional>
#include <vector>

#include "rill/api/rnn/recurrence.h"

namespace rill::nn::rnn_cell {

// A probability is of keeping: 1 drops nothing. It may be a tensor.
struct DropoutForm {
  Input input_keep_prob = 1.0, output_keep_prob = 1.0, state_keep_prob = 1.0;
  bool variational_recurrent = false;    // the same elements in all steps and examples
  std::optional<Sizes> input_size = {};  // needed where inputs are dropped so
  DType dtype = DType::invalid;          // needed where anything is
  std::optional<std::int64_t> seed = {};
  // Wrappers: for each tensor of the state whether it is dropped; empty: all but the c of LSTMs.
  std::vector<bool> dropped_states = {};
};

// Sets elements of what goes into and comes out of a cell to 0 at random.
class CellDropout {
 public:
  // Makes the noise where it is the same in all steps. Throws InvalidArgument when a probability is
  // not in [0, 1], or what is needed is missing.
  CellDropout(const DropoutForm& form, const Sizes& state, const Sizes& output);

  enum Part { kInput, kState, kOutput };
  // Whether anything is ever dropped there.
  bool drops(Part part) const;
  // Tensor `index` of that part with elements dropped; `noise` is its place among all tensors of
  // the part where that is another one.
  Output drop(Part part, Output value, std::size_t index,
              std::optional<std::size_t> noise = {}) const;
  // All tensors of a part.
  std::vector<Output> drop_all(Part part, std::vector<Output> values) const;
  const std::optional<double>& known(Part part) const { return keep_[part].number; }
  Output tensor(Part part) const { return keep_[part].tensor; }

 private:
  struct Probability {
    std::optional<double> number;  // none: `tensor`
    Output tensor;
  };
  std::optional<std::int64_t> seed(Part part, std::size_t index) const;
  void make_noise(Part part, const Sizes& sizes);

  Probability keep_[3];
  bool variational_;
  DType dtype_;
  std::optional<std::int64_t> seed_;
  std::vector<Output> noise_[3];
};

}  // namespace rill::nn::rnn_cell
