#include "rill/api/array/joining.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/math/operators.h"
#include "rill/api/nn/convolution.h"
#include "rill/api/rnn/contrib_recurrences.h"
#include "rill/api/rnn/recurrence_parts.h"
#include "rill/base/error.h"

namespace rill::nn::rnn_cell {
namespace {

class ConvLstm : public Recurrence {
 public:
  explicit ConvLstm(ConvLstmForm form) : form_(std::move(form)) {
    checked_units(form_.output_channels);
    require(
        !form_.kernel_shape.empty() && form_.input_shape.size() == form_.kernel_shape.size() + 1,
        "Invalid input_shape of ", form_.input_shape.size(), " dimensions for a kernel of ",
        form_.kernel_shape.size());
  }

  Sizes state_size() const override {
    const PartialShape size = with_channels(form_.output_channels);
    return {size, output_size()};
  }
  PartialShape output_size() const override {
    return with_channels(form_.output_channels + (form_.skip_connection ? channels() : 0));
  }
  std::vector<CellWeight> weights(std::int64_t) const override {
    const std::int64_t hidden = output_size()[output_size().rank() - 1];
    std::vector<std::int64_t> kernel = form_.kernel_shape;
    kernel.push_back(channels() + hidden);
    kernel.push_back(4 * form_.output_channels);
    std::vector<CellWeight> all{{"kernel", PartialShape(kernel)}};
    if (form_.use_bias)
      all.push_back({"biases", {4 * form_.output_channels}, CellWeight::Start::kZeros});
    return all;
  }
  CellOutput step(Output input, const State& state, const Inputs& weights) const override {
    check_state(state, 2);
    const int last = static_cast<int>(form_.kernel_shape.size()) + 1;
    const Output joined = concat({input, state[1]}, last);
    Output all = convolution(joined, as_tensor(weights.at(0)), "SAME");
    if (form_.use_bias) all = all + weights.at(1);
    const std::vector<Output> gates = split(all, 4, {.axis = last});
    const Output kept = raw::Sigmoid(gates[2] + form_.forget_bias) * state[0];
    const Output let_in = raw::Sigmoid(gates[0]);
    const Output new_c = kept + let_in * raw::Tanh(gates[1]);
    const Output shown = raw::Tanh(new_c);
    Output output = shown * raw::Sigmoid(gates[3]);
    if (form_.skip_connection) output = concat({output, input}, -1);
    return {{output}, {new_c, output}};
  }

 private:
  std::int64_t channels() const { return form_.input_shape.back(); }
  PartialShape with_channels(std::int64_t count) const {
    std::vector<std::int64_t> dims = form_.input_shape;
    dims.back() = count;
    return PartialShape(dims);
  }

  ConvLstmForm form_;
};

}  // namespace

RecurrenceRef conv_lstm(const ConvLstmForm& form) { return std::make_shared<ConvLstm>(form); }

}  // namespace rill::nn::rnn_cell
