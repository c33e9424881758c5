#include "rill/api/rnn/contrib_recurrences.h"

#include "rill/api/array/joining.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/nn/dropout.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

// (x - mean) / deviation of each row, then scaled and moved.
Output normalised(Output x, const Input& gamma, const Input& beta) {
  constexpr double kEpsilon = 1e-12;  // so small that rows of equal values stay finite, no more
  const Output mean = reduce_mean(x, {.axis = Input(1), .keepdims = true});
  const Output moved = x - mean;
  const Output variance = reduce_mean(raw::Square(moved), {.axis = Input(1), .keepdims = true});
  const Output scale = raw::Rsqrt(variance + kEpsilon);
  const Output unit = moved * scale;
  return unit * gamma + beta;
}

class LayerNormLstm : public Recurrence {
 public:
  LayerNormLstm(std::int64_t units, LayerNormLstmForm form)
      : units_(checked_units(units)), form_(std::move(form)) {}

  Sizes state_size() const override { return {{units_}, {units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    std::vector<CellWeight> all{{"kernel", {depth + units_, 4 * units_}}};
    if (!form_.layer_norm) {
      all.push_back({"bias", {4 * units_}, CellWeight::Start::kZeros});
      return all;
    }
    for (const char* part : {"input", "transform", "forget", "output", "state"}) {
      all.push_back({std::string(part) + "/gamma", {units_}, CellWeight::Start::kScales});
      all.push_back({std::string(part) + "/beta", {units_}, CellWeight::Start::kOffsets});
    }
    return all;
  }

  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, 2);
    const Output c = state[0], h = state[1];
    const Output all = form_.layer_norm ? joined_product(input, h, weights.at(0))
                                        : affine(input, h, weights.at(0), weights.at(1));
    std::vector<Output> gates = split(all, 4, {.axis = 1});
    for (std::size_t i = 0; i < 4; ++i) gates[i] = norm(gates[i], i, weights);
    const Output candidate = dropped(activated(form_.activation, gates[1]));
    const Output kept = c * raw::Sigmoid(gates[2] + form_.forget_bias);
    const Output let_in = raw::Sigmoid(gates[0]);
    const Output new_c = norm(kept + let_in * candidate, 4, weights);
    const Output shown = activated(form_.activation, new_c);
    const Output new_h = shown * raw::Sigmoid(gates[3]);
    return {{new_h}, {new_c, new_h}};
  }

 private:
  Output norm(Output x, std::size_t part, const Inputs& weights) const {
    if (!form_.layer_norm) return x;
    return normalised(x, weights.at(1 + 2 * part), weights.at(2 + 2 * part));
  }
  Output dropped(Output x) const {
    if (form_.dropout_keep_prob >= 1) return x;
    return dropout(x,
                   {.keep_prob = Input(form_.dropout_keep_prob), .seed = form_.dropout_prob_seed});
  }

  std::int64_t units_;
  LayerNormLstmForm form_;
};

class Ugrnn : public Recurrence {
 public:
  Ugrnn(std::int64_t units, double forget_bias, Activation activation)
      : units_(checked_units(units)),
        forget_bias_(forget_bias),
        activation_(std::move(activation)) {}

  Sizes state_size() const override { return {{units_}}; }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel", {depth + units_, 2 * units_}},
            {"bias", {2 * units_}, CellWeight::Start::kZeros}};
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, 1);
    const std::vector<Output> parts =
        split(affine(input, state[0], weights.at(0), weights.at(1)), 2, {.axis = 1});
    const Output candidate = activated(activation_, parts[1]);
    const Output gate = raw::Sigmoid(parts[0] + forget_bias_);
    const Output kept = gate * state[0];
    const Output open = 1 - gate;
    const Output next = kept + open * candidate;
    return {{next}, {next}};
  }

 private:
  std::int64_t units_;
  double forget_bias_;
  Activation activation_;
};

class CoupledLstm : public Recurrence {
 public:
  CoupledLstm(std::int64_t units, CoupledLstmForm form)
      : units_(checked_units(units)),
        out_(checked_units(form.num_proj.value_or(units))),
        form_(std::move(form)) {}

  Sizes state_size() const override {
    return form_.state_is_tuple ? Sizes{{units_}, {out_}} : Sizes{{units_ + out_}};
  }
  PartialShape output_size() const override { return {out_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    std::vector<CellWeight> all{{"W_0", {depth + out_, 3 * units_}},
                                {"B", {3 * units_}, CellWeight::Start::kZeros}};
    if (form_.use_peepholes)
      for (const char* name : {"W_F_diag", "W_O_diag"}) all.push_back({name, {units_}});
    if (form_.num_proj) all.push_back({"W_P_0", {units_, out_}});
    return all;
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, form_.state_is_tuple ? 2 : 1);
    const Output c = form_.state_is_tuple ? state[0] : columns(state[0], 0, units_);
    const Output h = form_.state_is_tuple ? state[1] : columns(state[0], units_, out_);
    const std::vector<Output> parts =
        split(affine(input, h, weights.at(0), weights.at(1)), 3, {.axis = 1});
    Output forget = parts[1] + form_.forget_bias;
    if (form_.use_peepholes) forget = forget + weights.at(2) * c;
    forget = raw::Sigmoid(forget);
    const Output kept = forget * c;
    const Output open = 1 - forget;
    const Output new_c = kept + open * activated(form_.activation, parts[0]);
    Output shown = parts[2];
    if (form_.use_peepholes) shown = shown + weights.at(3) * new_c;
    shown = raw::Sigmoid(shown);
    Output new_h = shown * activated(form_.activation, new_c);
    if (form_.num_proj) new_h = matmul(new_h, weights.back());
    if (form_.num_proj && form_.proj_clip)
      new_h = clip_by_value(new_h, -*form_.proj_clip, *form_.proj_clip);
    if (form_.state_is_tuple) return {{new_h}, {new_c, new_h}};
    return {{new_h}, {concat({new_c, new_h}, 1)}};
  }

 private:
  std::int64_t units_, out_;
  CoupledLstmForm form_;
};

}  // namespace

RecurrenceRef layer_norm_lstm(std::int64_t num_units, const LayerNormLstmForm& form) {
  return std::make_shared<LayerNormLstm>(num_units, form);
}

RecurrenceRef ugrnn(std::int64_t num_units, double forget_bias, Activation activation) {
  return std::make_shared<Ugrnn>(num_units, forget_bias, std::move(activation));
}

RecurrenceRef coupled_lstm(std::int64_t num_units, const CoupledLstmForm& form) {
  return std::make_shared<CoupledLstm>(num_units, form);
}

}  // namespace rill::nn::rnn_cell
