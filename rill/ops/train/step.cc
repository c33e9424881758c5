#include "rill/ops/train/step.h"

#include <algorithm>

#include "rill/ops/array/index_values.h"
#include "rill/ops/resource/variable_input.h"
#include "rill/ops/train/step_shape.h"

namespace rill {
namespace {

constexpr double kElementCost = 0.5;  // nanoseconds for each array, roughly

struct StepState final : KernelState {
  StepFn step = nullptr;
  StepArgs args;
  bool by_reference = false, flag = false;
};

const std::string& arg_name(const KernelCall& call, int i) {
  return call.node().op->inputs[static_cast<std::size_t>(i)].name;
}

double scalar_value(const KernelCall& call, int i) {
  const Tensor& tensor = call.input_tensor(i);
  require(tensor.rank() == 0, arg_name(call, i), " is not a scalar: ", tensor.shape());
  switch (tensor.dtype()) {
    case DType::f32:
      return *tensor.data<float>();
    case DType::f64:
      return *tensor.data<double>();
    case DType::f16:
      return static_cast<float>(*tensor.data<half>());
    case DType::bf16:
      return static_cast<float>(*tensor.data<bfloat16>());
    default:
      return static_cast<double>(int_at(tensor, 0));
  }
}

struct Locked {
  VariableResource* variable;
  int argument;
};

// Locks the variables from `next` on, always in the same order so that two steps cannot wait for
// each other, and calls `body` with all of them locked.
void with_locked(std::span<const Locked> next, std::span<Tensor*> tensors,
                 FunctionRef<void()> body) {
  if (next.empty()) return body();
  next[0].variable->update([&](Tensor& current) {
    tensors[static_cast<std::size_t>(next[0].argument)] = &current;
    with_locked(next.subspan(1), tensors, body);
  });
}

void check_state(const KernelCall& call, const StepArgs& args, std::span<Tensor* const> tensors) {
  const Tensor& variable = *tensors[0];
  const Tensor& grad = call.input_tensor(args.grad);
  for (int i = 0; i < args.states; ++i) {
    const Tensor& slot = *tensors[static_cast<std::size_t>(i)];
    require(slot.dtype() == grad.dtype(), arg_name(call, i), " holds ", slot.dtype(), ", not ",
            grad.dtype());
    require(slot.shape() == variable.shape(), "var and ", arg_name(call, i),
            " do not have the same shape", variable.shape(), " ", slot.shape());
  }
  if (args.indices >= 0) return;
  require(grad.shape() == variable.shape(), "var and ", arg_name(call, args.grad),
          " do not have the same shape", variable.shape(), " ", grad.shape());
}

void check_rows(const Tensor& variable, const Tensor& grad, const Tensor& indices) {
  require(variable.rank() >= 1, "var must be at least 1 dimensional");
  require(indices.rank() == 1, "indices must be one-dimensional");
  require(grad.rank() == variable.rank(), "var and grad must have the same number of dimensions, ",
          "not ", variable.shape(), " and ", grad.shape());
  for (int d = 1; d < variable.rank(); ++d)
    require(grad.dim(d) == variable.dim(d), "var and grad must match in dimension ", d);
  require(grad.dim(0) == indices.dim(0),
          "grad must be the same size as indices in the first dimension.");
  for (std::int64_t i = 0; i < indices.element_count(); ++i) {
    const std::int64_t row = int_at(indices, i);
    require(row >= 0 && row < variable.dim(0), "Index ", row, " at offset ", i,
            " in indices is out of range");
  }
}

// Rows are taken in their order, because one may be named twice; threads share out the columns.
void step_rows(const KernelCall& call, const StepState& state, const StepData& data,
               const Tensor& variable) {
  const Tensor& indices = call.input_tensor(state.args.indices);
  check_rows(variable, call.input_tensor(state.args.grad), indices);
  if (variable.element_count() == 0 || indices.element_count() == 0) return;
  const auto width = static_cast<std::size_t>(variable.element_count() / variable.dim(0));
  const auto count = static_cast<std::size_t>(indices.element_count());
  const double cost = kElementCost * state.args.states * static_cast<double>(count);
  call.parallel_for(width, cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(int_at(indices, static_cast<std::int64_t>(i)));
      state.step(data, row * width + begin, i * width + begin, end - begin);
    }
  });
}

void take_step(const KernelCall& call, const StepState& state, std::span<Tensor* const> tensors) {
  check_state(call, state.args, tensors);
  StepData data{.grad = call.input_tensor(state.args.grad).raw_data(), .flag = state.flag};
  for (std::size_t i = 0; i < tensors.size(); ++i) data.state[i] = tensors[i]->raw_data();
  for (std::size_t i = 0; i < state.args.scalars.size(); ++i)
    data.scalar[i] = scalar_value(call, state.args.scalars[i]);
  if (state.args.indices >= 0) return step_rows(call, state, data, *tensors[0]);
  call.parallel_for(
      static_cast<std::size_t>(tensors[0]->element_count()), kElementCost * state.args.states,
      [&](std::size_t begin, std::size_t end) { state.step(data, begin, begin, end - begin); });
}

}  // namespace

std::unique_ptr<KernelState> make_step_state(const KernelNode& node, FindStep find) {
  auto state = std::make_unique<StepState>();
  state->args = step_args(*node.op);
  state->by_reference = node.op->inputs[0].is_ref;
  for (const char* flag : {"use_nesterov", "update_slots"})
    if (node.op->find_attr(flag) != nullptr) state->flag = node.attr<bool>(flag);
  state->step = find(node.attr<DType>("T"));
  return state;
}

void run_step_kernel(KernelCall& call) {
  const auto& state = call.state<StepState>();
  std::vector<std::shared_ptr<VariableResource>> variables;
  std::vector<Locked> locked;
  for (int i = 0; i < state.args.states; ++i) {
    variables.push_back(state.by_reference ? call.ref_input(i) : variable_input(call, i));
    for (const Locked& other : locked)
      require(other.variable != variables.back().get(), arg_name(call, other.argument), " and ",
              arg_name(call, i), " are the same variable, '", variables.back()->name(), "'");
    locked.push_back({variables.back().get(), i});
  }
  std::ranges::sort(locked, std::less<>(), &Locked::variable);
  std::vector<Tensor*> tensors(variables.size());
  with_locked(locked, tensors, [&] { take_step(call, state, tensors); });
  if (state.by_reference) call.set_ref_output(0, variables[0]);
}

}  // namespace rill
