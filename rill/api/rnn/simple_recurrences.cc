#include "rill/api/array/joining.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/rnn/recurrence_parts.h"

namespace rill::nn::rnn_cell {
namespace {

class BasicRnn : public Recurrence {
 public:
  BasicRnn(std::int64_t units, Activation activation)
      : units_(checked_units(units)), activation_(std::move(activation)) {}

  Sizes state_size() const override { return {{units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel", {depth + units_, units_}}, {"bias", {units_}, CellWeight::Start::kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, 1);
    const Output output =
        activated(activation_, affine(input, state[0], weights.at(0), weights.at(1)));
    return {{output}, {output}};
  }

 private:
  std::int64_t units_;
  Activation activation_;
};

class Gru : public Recurrence {
 public:
  Gru(std::int64_t units, Activation activation)
      : units_(checked_units(units)), activation_(std::move(activation)) {}

  Sizes state_size() const override { return {{units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"gates/kernel", {depth + units_, 2 * units_}},
            {"gates/bias", {2 * units_}, CellWeight::Start::kOnes},
            {"candidate/kernel", {depth + units_, units_}},
            {"candidate/bias", {units_}, CellWeight::Start::kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, 1);
    const Output h = state[0];
    const Output gates = raw::Sigmoid(affine(input, h, weights.at(0), weights.at(1)));
    const std::vector<Output> parts = split(gates, 2, {.axis = 1});
    const Output reset = parts[0], update = parts[1];
    const Output candidate =
        activated(activation_, affine(input, reset * h, weights.at(2), weights.at(3)));
    const Output kept = update * h;
    const Output open = 1 - update;
    const Output next = kept + open * candidate;
    return {{next}, {next}};
  }

 private:
  std::int64_t units_;
  Activation activation_;
};

}  // namespace

RecurrenceRef basic_rnn(std::int64_t num_units, Activation activation) {
  return std::make_shared<BasicRnn>(num_units, std::move(activation));
}

RecurrenceRef gru(std::int64_t num_units, Activation activation) {
  return std::make_shared<Gru>(num_units, std::move(activation));
}

}  // namespace rill::nn::rnn_cell
