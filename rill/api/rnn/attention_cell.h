#pragma once

#include <memory>
#include <optional>

#include "rill/api/rnn/rnn_cell.h"

namespace rill::contrib::rnn {

struct AttentionCellWrapperOptions {
  std::optional<std::int64_t> attn_size = {};      // of what is remembered of a step; the output's
  std::optional<std::int64_t> attn_vec_size = {};  // of what scores are made of; attn_size
  std::optional<std::int64_t> input_size = {};     // of what the cell gets; the input's
};
// A cell that looks at what it gave out in the last `attn_length` steps. Its state: those of the
// cell, what it saw, and what it remembers.
class AttentionCellWrapper : public nn::rnn_cell::RNNCell {
 public:
  // Throws InvalidArgument when attn_length is not positive.
  AttentionCellWrapper(std::shared_ptr<RNNCell> cell, std::int64_t attn_length,
                       const AttentionCellWrapperOptions& options = {});

  nn::rnn_cell::Sizes state_sizes() const override;
  nn::rnn_cell::Sizes output_sizes() const override { return {{size_}}; }
  nn::rnn_cell::CellOutput compute(const std::vector<Output>& inputs,
                                   const nn::rnn_cell::State& state) override;

 private:
  std::shared_ptr<RNNCell> cell_;
  std::int64_t length_, size_, vector_size_;
  std::optional<std::int64_t> input_size_;
};

// What is seen of the memory [batch, length, size] for a query, with variables of a scope
// "attention".
Output look_back(const nn::rnn_cell::State& query, Output memory, std::int64_t vector_size);
// The memory without its oldest row and with a new one, flat.
Output remembered(Output memory, Output newest);

}  // namespace rill::contrib::rnn
