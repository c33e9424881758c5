#include <array>

#include "rill/api/array/joining.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/rnn/contrib_recurrences.h"
#include "rill/api/rnn/recurrence_parts.h"

namespace rill::nn::rnn_cell {
namespace {

class Nas : public Recurrence {
 public:
  Nas(std::int64_t units, NasForm form)
      : units_(checked_units(units)),
        out_(checked_units(form.num_proj.value_or(units))),
        form_(form) {}

  Sizes state_size() const override { return {{units_}, {out_}}; }
  PartialShape output_size() const override { return {out_}; }
  std::vector<CellWeight> weights(std::int64_t depth) const override {
    std::vector<CellWeight> all{{"recurrent_kernel", {out_, 8 * units_}},
                                {"kernel", {depth, 8 * units_}}};
    if (form_.use_bias) all.push_back({"bias", {8 * units_}, CellWeight::Start::kZeros});
    if (form_.num_proj) all.push_back({"projection_weights", {units_, out_}});
    return all;
  }

  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_supported(input.dtype());
    check_state(state, 2);
    Output of_state = matmul(state[1], weights.at(0));
    const Output of_input = matmul(input, weights.at(1));
    if (form_.use_bias) of_state = raw::BiasAdd(of_state, weights.at(2));
    const std::vector<Output> m = split(of_state, 8, {.axis = 1});
    const std::vector<Output> x = split(of_input, 8, {.axis = 1});
    std::array<Output, 8> first;
    for (std::size_t i = 0; i < first.size(); ++i)
      first[i] = squashed(i, i == 3 ? x[i] * m[i] : x[i] + m[i]);
    const Output a = raw::Tanh(first[0] * first[1]), b = raw::Tanh(first[2] + first[3]);
    const Output c = raw::Tanh(first[4] * first[5]), d = raw::Sigmoid(first[6] + first[7]);
    const Output new_c = raw::Tanh(a + state[0]) * b;
    const Output shown = raw::Tanh(c + d);
    Output new_h = raw::Tanh(new_c * shown);
    if (form_.num_proj) new_h = matmul(new_h, weights.back());
    return {{new_h}, {new_c, new_h}};
  }

 private:
  // What the search chose for each of the eight sums.
  static Output squashed(std::size_t i, Output x) {
    if (i == 1 || i == 3) return raw::Relu(x);
    return i == 4 || i == 6 ? raw::Tanh(x) : raw::Sigmoid(x);
  }

  std::int64_t units_, out_;
  NasForm form_;
};

}  // namespace

RecurrenceRef nas(std::int64_t num_units, const NasForm& form) {
  return std::make_shared<Nas>(num_units, form);
}

}  // namespace rill::nn::rnn_cell
