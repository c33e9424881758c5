#include "rill/api/rnn/independent_cells.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/plain_ops.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/nn/activations.h"
#include "rill/api/rnn/recurrence_parts.h"

namespace rill::contrib::rnn {
namespace {

// Vectors that the state is multiplied with are CellWeight::Start::kScales here.
constexpr auto kVector = CellWeight::Start::kScales;
constexpr auto kZeros = CellWeight::Start::kZeros;

// What all of them have: so many units, states of that size, and an activation.
class IndependentRecurrence : public Recurrence {
 public:
  IndependentRecurrence(std::int64_t units, Activation activation)
      : units_(checked_units(units)), activation_(std::move(activation)) {}
  Sizes state_size() const override { return {{units_}}; }
  PartialShape output_size() const override { return {units_}; }

 protected:
  // W x + u * state + b, the state beside itself for each of the gates.
  Output gates(Output input, Output state, const Input& w, const Input& u, const Input& b,
               int count = 1) const {
    const Output wide = count == 1 ? state : tile(state, {1, count});
    return nn::bias_add(matmul(input, w) + wide * u, b);
  }
  std::int64_t units_;
  Activation activation_;
};

class IndRnn : public IndependentRecurrence {
 public:
  using IndependentRecurrence::IndependentRecurrence;
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel_w", {depth, units_}},
            {"kernel_u", {1, units_}, kVector},
            {"bias", {units_}, kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& w) const override {
    check_state(state, 1);
    const Output next = activated(activation_, gates(input, state[0], w.at(0), w.at(1), w.at(2)));
    return {{next}, {next}};
  }
};

class IndyGru : public IndependentRecurrence {
 public:
  using IndependentRecurrence::IndependentRecurrence;
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"gates/kernel_w", {depth, 2 * units_}},
            {"gates/kernel_u", {1, 2 * units_}, kVector},
            {"gates/bias", {2 * units_}, CellWeight::Start::kOnes},
            {"candidate/kernel", {depth, units_}},
            {"candidate/kernel_u", {1, units_}, kVector},
            {"candidate/bias", {units_}, kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& w) const override {
    check_state(state, 1);
    const Output h = state[0];
    const std::vector<Output> open =
        split(raw::Sigmoid(gates(input, h, w.at(0), w.at(1), w.at(2), 2)), 2, {.axis = 1});
    const Output reset = open[0], update = open[1];
    const Output candidate =
        activated(activation_, gates(input, reset * h, w.at(3), w.at(4), w.at(5)));
    const Output next = update * h + (1.0f - update) * candidate;
    return {{next}, {next}};
  }
};

class IndyLstm : public IndependentRecurrence {
 public:
  IndyLstm(std::int64_t units, double forget_bias, Activation activation)
      : IndependentRecurrence(units, std::move(activation)), forget_bias_(forget_bias) {}
  Sizes state_size() const override { return {{units_}, {units_}}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel_w", {depth, 4 * units_}},
            {"kernel_u", {1, 4 * units_}, kVector},
            {"bias", {4 * units_}, kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& w) const override {
    check_state(state, 2);
    const std::vector<Output> parts =
        split(gates(input, state[1], w.at(0), w.at(1), w.at(2), 4), 4, {.axis = 1});
    const Output forget = raw::Sigmoid(parts[2] + forget_bias_);
    const Output c = state[0] * forget + raw::Sigmoid(parts[0]) * activated(activation_, parts[1]);
    const Output h = activated(activation_, c) * raw::Sigmoid(parts[3]);
    return {{h}, {c, h}};
  }

 private:
  double forget_bias_;
};

class Sru : public IndependentRecurrence {
 public:
  using IndependentRecurrence::IndependentRecurrence;
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel", {depth, 4 * units_}}, {"bias", {2 * units_}, kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& w) const override {
    check_state(state, 1);
    const std::vector<Output> parts = split(matmul(input, w.at(0)), 4, {.axis = 1});
    const Output both = concat(std::vector<Output>{parts[1], parts[2]}, 1);
    const std::vector<Output> open =
        split(raw::Sigmoid(nn::bias_add(both, w.at(1))), 2, {.axis = 1});
    const Output forget = open[0], shown = open[1];
    const Output c = forget * state[0] + (1.0f - forget) * parts[0];
    const Output h = shown * activated(activation_, c) + (1.0f - shown) * parts[3];
    return {{h}, {c}};
  }
};

rill::layers::LayerOptions options_of(const IndependentCellOptions& o) {
  rill::layers::LayerOptions options;
  options.reuse = o.reuse;
  options.name = o.name;
  options.dtype = o.dtype;
  return options;
}

}  // namespace

Initializer IndependentCell::start_of(CellWeight::Start start) const {
  if (start == kVector) return random_uniform_initializer({.minval = -1.0, .maxval = 1.0});
  return LayerRNNCell::start_of(start);
}

IndRNNCell::IndRNNCell(std::int64_t num_units, const IndependentCellOptions& o)
    : IndependentCell("IndRNNCell", std::make_shared<IndRnn>(num_units, o.activation),
                      o.kernel_initializer, o.bias_initializer, options_of(o)) {}

IndyGRUCell::IndyGRUCell(std::int64_t num_units, const IndependentCellOptions& o)
    : IndependentCell("IndyGRUCell", std::make_shared<IndyGru>(num_units, o.activation),
                      o.kernel_initializer, o.bias_initializer, options_of(o)) {}

IndyLSTMCell::IndyLSTMCell(std::int64_t num_units, double forget_bias,
                           const IndependentCellOptions& o)
    : IndependentCell("IndyLSTMCell",
                      std::make_shared<IndyLstm>(num_units, forget_bias, o.activation),
                      o.kernel_initializer, o.bias_initializer, options_of(o)) {}

SRUCell::SRUCell(std::int64_t num_units, const IndependentCellOptions& o)
    : IndependentCell("SRUCell", std::make_shared<Sru>(num_units, o.activation),
                      o.kernel_initializer, o.bias_initializer, options_of(o)) {}

}  // namespace rill::contrib::rnn
