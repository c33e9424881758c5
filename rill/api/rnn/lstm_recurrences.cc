#include "rill/api/array/joining.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

// One tensor, or c and h apart.
Sizes lstm_sizes(std::int64_t c, std::int64_t h, bool apart) {
  return apart ? Sizes{{c}, {h}} : Sizes{{c + h}};
}

class BasicLstm : public Recurrence {
 public:
  BasicLstm(std::int64_t units, BasicLstmForm form)
      : units_(checked_units(units)), form_(std::move(form)) {}

  Sizes state_size() const override { return lstm_sizes(units_, units_, form_.state_is_tuple); }
  PartialShape output_size() const override { return {units_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    return {{"kernel", {depth + units_, 4 * units_}},
            {"bias", {4 * units_}, CellWeight::Start::kZeros}};
  }

  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, form_.state_is_tuple ? 2 : 1);
    if (form_.state_is_tuple && !form_.activation)
      if (auto made = lstm_step_now(input, state[0], state[1], weights, form_.forget_bias))
        return *made;
    const Output one = constant(1, {.dtype = DType::i32});
    const State apart = form_.state_is_tuple ? state : split(state[0], 2, {.axis = one});
    const Output c = apart[0], h = apart[1];
    const Output gates = affine(input, h, weights.at(0), weights.at(1));
    const std::vector<Output> parts = split(gates, 4, {.axis = one});
    const Output i = parts[0], j = parts[1], f = parts[2], o = parts[3];
    const Output bias = constant(form_.forget_bias, {.dtype = base_type(f.dtype())});
    const Output kept = raw::Mul(c, raw::Sigmoid(add(f, bias)));
    const Output let_in = raw::Sigmoid(i);
    const Output new_c = add(kept, raw::Mul(let_in, activated(form_.activation, j)));
    const Output shown = activated(form_.activation, new_c);
    const Output new_h = raw::Mul(shown, raw::Sigmoid(o));
    if (form_.state_is_tuple) return {{new_h}, {new_c, new_h}};
    return {{new_h}, {concat({new_c, new_h}, 1)}};
  }

 private:
  std::int64_t units_;
  BasicLstmForm form_;
};

class Lstm : public Recurrence {
 public:
  Lstm(std::int64_t units, LstmForm form)
      : units_(checked_units(units)),
        out_(checked_units(form.num_proj.value_or(units))),
        form_(std::move(form)) {}

  Sizes state_size() const override { return lstm_sizes(units_, out_, form_.state_is_tuple); }
  PartialShape output_size() const override { return {out_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    std::vector<CellWeight> all{
        {"kernel", {depth + out_, 4 * units_}, CellWeight::Start::kGiven, form_.num_unit_shards},
        {"bias", {4 * units_}, CellWeight::Start::kZeros}};
    if (form_.use_peepholes)
      for (const char* name : {"w_f_diag", "w_i_diag", "w_o_diag"}) all.push_back({name, {units_}});
    if (form_.num_proj)
      all.push_back(
          {"projection/kernel", {units_, out_}, CellWeight::Start::kGiven, form_.num_proj_shards});
    return all;
  }

  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, form_.state_is_tuple ? 2 : 1);
    if (is_plain())
      if (auto made = lstm_step_now(input, state[0], state[1], weights, form_.forget_bias))
        return *made;
    const Output c = form_.state_is_tuple ? state[0] : columns(state[0], 0, units_);
    const Output h = form_.state_is_tuple ? state[1] : columns(state[0], units_, out_);
    const Output gates = affine(input, h, weights.at(0), weights.at(1));
    const std::vector<Output> parts = split(gates, 4, {.axis = 1});
    const Output new_c = next_c(parts, c, weights);
    const Output new_h = projected(next_h(parts[3], new_c, weights), weights);
    if (form_.state_is_tuple) return {{new_h}, {new_c, new_h}};
    return {{new_h}, {concat({new_c, new_h}, 1)}};
  }

 private:
  bool is_plain() const {
    return form_.state_is_tuple && !form_.activation && !form_.use_peepholes && !form_.cell_clip &&
           !form_.num_proj;
  }
  // A gate that also sees c, through peephole `which`, where there are any.
  Output gate(Output x, Output c, const Inputs& weights, std::size_t which) const {
    if (form_.use_peepholes) x = x + weights.at(2 + which) * c;
    return raw::Sigmoid(x);
  }
  Output next_c(const std::vector<Output>& parts, Output c, const Inputs& weights) const {
    const Output forget = gate(parts[2] + form_.forget_bias, c, weights, 0);
    const Output kept = forget * c;
    const Output let_in = gate(parts[0], c, weights, 1);
    const Output next = kept + let_in * activated(form_.activation, parts[1]);
    return clipped(next, form_.cell_clip);
  }
  Output next_h(Output o, Output new_c, const Inputs& weights) const {
    const Output shown = gate(o, new_c, weights, 2);
    return shown * activated(form_.activation, new_c);
  }
  Output projected(Output h, const Inputs& weights) const {
    if (!form_.num_proj) return h;
    return clipped(matmul(h, weights.back()), form_.proj_clip);
  }
  static Output clipped(Output x, std::optional<double> limit) {
    return limit ? clip_by_value(x, -*limit, *limit) : x;
  }

  std::int64_t units_, out_;
  LstmForm form_;
};

}  // namespace

RecurrenceRef basic_lstm(std::int64_t num_units, const BasicLstmForm& form) {
  return std::make_shared<BasicLstm>(num_units, form);
}

RecurrenceRef lstm(std::int64_t num_units, const LstmForm& form) {
  return std::make_shared<Lstm>(num_units, form);
}

}  // namespace rill::nn::rnn_cell
