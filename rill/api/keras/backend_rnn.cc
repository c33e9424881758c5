#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/tensor_array.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/casts.h"
#include "rill/base/error.h"

namespace rill::keras::backend {

using namespace parts;

namespace {

// The first two dimensions exchanged.
Output exchanged(Output x) {
  std::vector<std::int64_t> order;
  for (int i = 0; i < x.shape().rank(); ++i) order.push_back(i);
  std::swap(order.at(0), order.at(1));
  return permuted(x, order);
}

// `taken` for the examples that the mask (examples, 1) is true for.
Output masked(Output mask, Output taken, Output otherwise) {
  Output wide = mask;
  for (int i = mask.shape().rank(); i < taken.shape().rank(); ++i) wide = expand_dims(wide, -1);
  const Output result = where_v2(wide, taken, otherwise);
  default_graph()->refine_shape(result, taken.shape());
  return result;
}

// The steps through time: what they have in common, unrolled or in a loop.
class Steps {
 public:
  Steps(const StepFunction& step, const RnnOptions& o) : step_(step), o_(o) {}

  StepResult take(Output input, Output mask, Output previous,
                  const std::vector<Output>& states) const {
    StepResult next = step_(input, states);
    require(next.states.size() == states.size(), "the step returns ", next.states.size(),
            " states and takes ", states.size());
    if (!mask.node) return next;
    next.output =
        masked(mask, next.output,
               previous.node && !o_.zero_output_for_mask ? previous : zeros_like(next.output));
    for (std::size_t i = 0; i < states.size(); ++i)
      next.states[i] = masked(mask, next.states[i], states[i]);
    return next;
  }

 private:
  const StepFunction& step_;
  const RnnOptions& o_;
};

RnnResult unrolled(const Steps& steps, Output inputs, Output mask, std::vector<Output> states,
                   bool backwards) {
  require(inputs.shape().dim(0) >= 0, "Unrolling requires a fixed number of timesteps.");
  std::vector<Output> rows = unstack(inputs), masks;
  if (mask.node) masks = unstack(mask);
  if (backwards) {
    std::ranges::reverse(rows);
    std::ranges::reverse(masks);
  }
  std::vector<Input> outputs;
  Output last;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const StepResult next = steps.take(rows[t], masks.empty() ? Output() : masks[t], last, states);
    last = next.output;
    states = next.states;
    outputs.push_back(last);
  }
  require(!outputs.empty(), "there are no timesteps to unroll");
  return {last, stack(outputs), states};
}

Output reversed(Output x) { return raw::ReverseV2(x, rill::parts::ints({0})); }

RnnResult looped(const Steps& steps, Output inputs, Output mask, const std::vector<Output>& states,
                 bool backwards) {
  const Output times = as_tensor(dim_of(inputs, 0), "time_steps", DType::i32);
  if (backwards) inputs = reversed(inputs);
  if (mask.node && backwards) mask = reversed(mask);
  const TensorArray rows =
      TensorArray(base_type(inputs.dtype()), times, {.tensor_array_name = "input_ta"})
          .unstack(inputs);
  std::optional<TensorArray> masks;
  if (mask.node)
    masks = TensorArray(DType::boolean, times, {.tensor_array_name = "mask_ta"}).unstack(mask);
  // What a step makes is asked of the first one.
  const StepResult first = steps.take(rill::parts::item(inputs, 0), {}, {}, states);
  const TensorArray results(base_type(first.output.dtype()), times,
                            {.tensor_array_name = "output_ta_0"});
  std::vector<Input> carried{0, results.flow()};
  if (masks) carried.emplace_back(zeros_like(first.output));
  const std::size_t states_from = carried.size();
  for (const Output& state : states) carried.emplace_back(state);
  carried[0] = as_tensor(0, "time", DType::i32);
  const auto body = [&](const std::vector<Output>& vars) {
    const std::vector<Output> old(vars.begin() + static_cast<std::ptrdiff_t>(states_from),
                                  vars.end());
    const Output row = rows.read(vars[0]);
    const PartialShape shape = inputs.shape();
    default_graph()->refine_shape(row, PartialShape(shape.dims().subspan(1)));
    Output kept;
    if (masks) {
      kept = masks->read(vars[0]);
      default_graph()->refine_shape(kept, PartialShape(mask.shape().dims().subspan(1)));
    }
    const StepResult next = steps.take(row, kept, masks ? vars[2] : Output(), old);
    const TensorArray written = results.with_flow(vars[1]).write(vars[0], next.output);
    std::vector<Output> after{rill::parts::plus(vars[0], 1), written.flow()};
    if (masks) after.push_back(next.output);
    for (std::size_t i = 0; i < old.size(); ++i) {
      default_graph()->refine_shape(next.states[i], old[i].shape());
      after.push_back(next.states[i]);
    }
    return after;
  };
  const std::vector<Output> last =
      while_loop([&](const std::vector<Output>& vars) { return raw::Less(vars[0], times); }, body,
                 carried, {.parallel_iterations = 32});
  const TensorArray outputs = results.with_flow(last[1]);
  Output stacked = outputs.stack();
  PartialShape shape = first.output.shape();
  if (shape.has_rank()) {
    std::vector<std::int64_t> dims{inputs.shape().dim(0)};
    dims.insert(dims.end(), shape.dims().begin(), shape.dims().end());
    default_graph()->refine_shape(stacked, PartialShape(std::span<const std::int64_t>(dims)));
  }
  Output final_output = outputs.read(rill::parts::minus(last[0], 1));
  default_graph()->refine_shape(final_output, shape);
  return {final_output, stacked,
          std::vector<Output>(last.begin() + static_cast<std::ptrdiff_t>(states_from), last.end())};
}

}  // namespace

RnnResult rnn(const StepFunction& step, Output inputs, const std::vector<Output>& states,
              const RnnOptions& o, std::source_location at) {
  const MadeAt place(at);
  require(!o.mask.node || o.mask.shape().rank() >= 2, "masks of steps have two dimensions or more");
  require(inputs.shape().rank() >= 2, "an input of steps has two dimensions or more, not shape ",
          inputs.shape());
  Output rows = o.time_major ? inputs : exchanged(inputs);
  Output mask = o.mask;
  if (mask.node) {
    mask = rill::cast(mask, DType::boolean);
    if (mask.shape().rank() == 2) mask = expand_dims(mask, -1);
    if (!o.time_major) mask = exchanged(mask);
  }
  const Steps steps(step, o);
  RnnResult result = o.unroll ? unrolled(steps, rows, mask, states, o.go_backwards)
                              : looped(steps, rows, mask, states, o.go_backwards);
  if (!o.time_major) result.outputs = exchanged(result.outputs);
  return result;
}

}  // namespace rill::keras::backend
