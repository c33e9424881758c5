#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/rnn.h"
#include "rill/api/rnn/contrib_recurrences.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

class LstmBlock : public Recurrence {
 public:
  LstmBlock(std::int64_t units, LstmBlockForm form) : units_(checked_units(units)), form_(form) {}

  Sizes state_size() const override { return {{units_}, {units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return lstm_block_weights(depth, units_, form_.use_peephole);
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_state(state, 2);
    const std::vector<Input> peepholes = block_peepholes(weights, units_, input.dtype());
    const auto made =
        raw::LSTMBlockCell(input, state[0], state[1], weights.at(0), peepholes[0], peepholes[1],
                           peepholes[2], weights.at(1),
                           {.forget_bias = static_cast<float>(form_.forget_bias),
                            .cell_clip = static_cast<float>(form_.cell_clip.value_or(-1)),
                            .use_peephole = form_.use_peephole});
    return {{made.h}, {made.cs, made.h}};
  }

 private:
  std::int64_t units_;
  LstmBlockForm form_;
};

class GruBlock : public Recurrence {
 public:
  GruBlock(std::int64_t units, bool second_names)
      : units_(checked_units(units)), second_names_(second_names) {}

  Sizes state_size() const override { return {{units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    const char* const names[2][4] = {
        {"w_ru", "b_ru", "w_c", "b_c"},
        {"gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias"}};
    const auto& name = names[second_names_ ? 1 : 0];
    return {{name[0], {depth + units_, 2 * units_}},
            {name[1], {2 * units_}, CellWeight::Start::kOnes},
            {name[2], {depth + units_, units_}},
            {name[3], {units_}, CellWeight::Start::kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_state(state, 1);
    const auto made = raw::GRUBlockCell(input, state[0], weights.at(0), weights.at(2),
                                        weights.at(1), weights.at(3));
    return {{made.h}, {made.h}};
  }

 private:
  std::int64_t units_;
  bool second_names_;
};

}  // namespace

std::vector<CellWeight> lstm_block_weights(std::int64_t depth, std::int64_t units,
                                           bool use_peephole) {
  std::vector<CellWeight> all{{"kernel", {depth + units, 4 * units}},
                              {"bias", {4 * units}, CellWeight::Start::kZeros}};
  if (use_peephole)
    for (const char* name : {"w_i_diag", "w_f_diag", "w_o_diag"}) all.push_back({name, {units}});
  return all;
}

std::vector<Input> block_peepholes(const Inputs& weights, std::int64_t units, DType dtype) {
  if (weights.size() > 2) return {weights.at(2), weights.at(3), weights.at(4)};
  const Output none = zeros({units}, {.dtype = base_type(dtype)});
  return {none, none, none};
}

RecurrenceRef lstm_block(std::int64_t num_units, const LstmBlockForm& form) {
  return std::make_shared<LstmBlock>(num_units, form);
}

RecurrenceRef gru_block(std::int64_t num_units, bool second_names) {
  return std::make_shared<GruBlock>(num_units, second_names);
}

}  // namespace rill::nn::rnn_cell
