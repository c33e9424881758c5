#include "rill/ops/train/optimizer_update.h"

#include <algorithm>
#include <array>

#include "rill/ops/array/values/index_values.h"
#include "rill/ops/update/column_parts.h"
#include "rill/ops/update/row_parts.h"
#include "rill/ops/update/variable_input.h"

namespace rill {
namespace {

// Nanoseconds for each array, roughly; rows of a few elements stay in the cache while they are
// changed, and cost a call each.
constexpr double kElementCost = 0.5, kRowElementCost = 0.15, kRowCost = 5;

// What one update works with.
struct OptimizerUpdate {
  const KernelCall& call;
  const UpdateState& state;
  const Op& op;
  const UpdateInputs& inputs;

  const std::string& arg_name(int i) const { return op.inputs[static_cast<std::size_t>(i)].name; }
  const Tensor& grad() const { return call.input_tensor(inputs.grad); }
  const Tensor& scalar(int i) const {
    const int own = state.args.scalars[static_cast<std::size_t>(i)];
    return call.input_tensor(inputs.scalars < 0 ? own : inputs.scalars + i);
  }
};

double scalar_value(const OptimizerUpdate& update, int i) {
  const Tensor& tensor = update.scalar(i);
  require(tensor.rank() == 0,
          update.arg_name(update.state.args.scalars[static_cast<std::size_t>(i)]),
          " is not a scalar: ", tensor.shape());
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

// Locks the variables from `next` on and calls `body` with all of them locked.
void with_locked(std::span<const Locked> next, std::span<Tensor*> tensors,
                 FunctionRef<void()> body) {
  if (next.empty()) return body();
  next[0].variable->update([&](Tensor& current) {
    tensors[static_cast<std::size_t>(next[0].argument)] = &current;
    with_locked(next.subspan(1), tensors, body);
  });
}

void check_state(const OptimizerUpdate& update, std::span<Tensor* const> tensors) {
  const UpdateArgs& args = update.state.args;
  const Tensor& variable = *tensors[0];
  const Tensor& grad = update.grad();
  for (int i = 0; i < args.states; ++i) {
    const Tensor& slot = *tensors[static_cast<std::size_t>(i)];
    require(slot.dtype() == grad.dtype(), update.arg_name(i), " holds ", slot.dtype(), ", not ",
            grad.dtype());
    require(slot.shape() == variable.shape(), "var and ", update.arg_name(i),
            " do not have the same shape", variable.shape(), " ", slot.shape());
  }
  if (args.indices >= 0) return;
  require(grad.shape() == variable.shape(), "var and ", update.arg_name(args.grad),
          " do not have the same shape", variable.shape(), " ", grad.shape());
}

void check_sparse_grad(const Tensor& variable, const Tensor& grad, const Tensor& indices) {
  require(variable.rank() >= 1, "var must be at least 1 dimensional");
  require(indices.rank() == 1, "indices must be one-dimensional");
  require(grad.rank() == variable.rank(), "var and grad must have the same number of dimensions, ",
          "not ", variable.shape(), " and ", grad.shape());
  for (int d = 1; d < variable.rank(); ++d)
    require(grad.dim(d) == variable.dim(d), "var and grad must match in dimension ", d);
  require(grad.dim(0) == indices.dim(0),
          "grad must be the same size as indices in the first dimension.");
}

template <class Index>
void check_indices(std::span<const Index> indices, std::int64_t rows) {
  std::uint64_t largest = 0;  // negative ones are the largest
  for (const Index index : indices)
    largest = std::max(largest, static_cast<std::uint64_t>(std::int64_t{index}));
  if (largest < static_cast<std::uint64_t>(rows)) return;
  for (std::size_t i = 0; i < indices.size(); ++i)
    require(indices[i] >= 0 && indices[i] < rows, "Index ", indices[i], " at offset ", i,
            " in indices is out of range");
}

constexpr std::size_t kLine = 64, kMaxLines = 8;  // bytes of the cache's lines; fetched ahead
constexpr std::size_t kRowsAhead = 8;

// Brings the state of a row that is soon needed into the cache: the next row may be anywhere.
void fetch_ahead(const UpdateData& data, int states, std::size_t at, std::size_t bytes) {
  bytes = std::min(bytes, kLine * kMaxLines);
  for (int s = 0; s < states; ++s)
    for (std::size_t line = 0; line < bytes; line += kLine)
      __builtin_prefetch(static_cast<const std::byte*>(data.state[s]) + at + line, 1);
}

// The rows indices[at(0)], indices[at(1)], ..., of which columns [begin, end) take their update.
template <class Index, class At>
void update_some_rows(const OptimizerUpdate& update, const UpdateData& data,
                      std::span<const Index> indices, std::size_t count, At at, std::size_t width,
                      std::size_t begin, std::size_t end) {
  const int states = update.state.args.states;
  const std::size_t size = element_size(update.grad().dtype());
  const auto element = [&](std::size_t i) {
    return static_cast<std::size_t>(indices[at(i)]) * width + begin;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kRowsAhead < count)
      fetch_ahead(data, states, element(i + kRowsAhead) * size, (end - begin) * size);
    update.state.update(data, element(i), at(i) * width + begin, end - begin);
  }
}

// Rows that are named twice are updateds in the order of the indices: threads share out the
// columns of wide rows, and otherwise the rows themselves.
template <class Index>
void update_rows(const OptimizerUpdate& update, const UpdateData& data, const Tensor& variable) {
  constexpr std::size_t kWideBytes = 4096;
  const auto indices = update.call.input<Index>(update.inputs.indices);
  if (variable.element_count() == 0 || indices.empty()) return;
  check_indices(indices, variable.dim(0));
  const auto width = static_cast<std::size_t>(variable.element_count() / variable.dim(0));
  const std::size_t size = element_size(variable.dtype()), bytes = width * size;
  const auto every = [](std::size_t i) { return i; };
  if (bytes >= kWideBytes)
    return for_column_parts(
        update.call, std::ssize(indices), width, size, [&](std::size_t begin, std::size_t n) {
          update_some_rows(update, data, indices, indices.size(), every, width, begin, begin + n);
        });
  const double nanos =
      kRowCost + kRowElementCost * update.state.args.states * static_cast<double>(width);
  for_row_parts(update.call, indices, bytes, nanos, [&](std::size_t count, auto at) {
    update_some_rows(update, data, indices, count, at, width, 0, width);
  });
}

void update_elements(const OptimizerUpdate& update, std::span<Tensor* const> tensors) {
  const UpdateState& state = update.state;
  check_state(update, tensors);
  const Tensor& variable = *tensors[0];
  UpdateData data{.grad = update.grad().raw_data(), .flag = state.flag};
  for (std::size_t i = 0; i < tensors.size(); ++i) data.state[i] = tensors[i]->raw_data();
  for (std::size_t i = 0; i < state.args.scalars.size(); ++i)
    data.scalar[i] = scalar_value(update, static_cast<int>(i));
  if (state.args.indices >= 0) {
    const Tensor& indices = update.call.input_tensor(update.inputs.indices);
    check_sparse_grad(variable, update.grad(), indices);
    return indices.dtype() == DType::i32 ? update_rows<std::int32_t>(update, data, variable)
                                         : update_rows<std::int64_t>(update, data, variable);
  }
  update.call.parallel_for(
      static_cast<std::size_t>(variable.element_count()), kElementCost * state.args.states,
      [&](std::size_t begin, std::size_t end) { state.update(data, begin, begin, end - begin); });
}

}  // namespace

std::unique_ptr<KernelState> make_update_state(const KernelNode& node, FindUpdate find) {
  auto state = std::make_unique<UpdateState>();
  state->args = update_args(*node.op);
  state->by_reference = node.op->inputs[0].is_ref;
  const std::string_view flag = update_flag(*node.op);
  if (!flag.empty()) state->flag = node.attr<bool>(flag);
  state->update = find(node.attr<DType>("T"));
  return state;
}

std::shared_ptr<VariableResource> apply_update(const KernelCall& call, const UpdateState& state,
                                               const Op& op, const UpdateInputs& inputs) {
  const OptimizerUpdate update{call, state, op, inputs};
  std::array<std::shared_ptr<VariableResource>, 1 + kMaxSlots> variables;
  std::array<Locked, 1 + kMaxSlots> locked;
  const auto count = static_cast<std::size_t>(state.args.states);
  for (std::size_t i = 0; i < count; ++i) {
    const int input = inputs.state + static_cast<int>(i);
    variables[i] = state.by_reference ? call.ref_input(input) : variable_input(call, input);
    for (std::size_t k = 0; k < i; ++k)
      require(variables[k] != variables[i], update.arg_name(static_cast<int>(k)), " and ",
              update.arg_name(static_cast<int>(i)), " are the same variable, '",
              variables[i]->name(), "'");
    std::size_t place = i;  // by address, so that two steps cannot wait for each other
    for (; place > 0 && std::less<>()(variables[i].get(), locked[place - 1].variable); --place)
      locked[place] = locked[place - 1];
    locked[place] = {variables[i].get(), static_cast<int>(i)};
  }
  std::array<Tensor*, 1 + kMaxSlots> tensors;
  with_locked({locked.data(), count}, {tensors.data(), count}, [&] {
    update_elements(update, {tensors.data(), count});
  });
  return variables[0];
}

void run_update_kernel(KernelCall& call) {
  const auto& state = call.state<UpdateState>();
  auto variable = apply_update(call, state, *call.node().op,
                               {.grad = state.args.grad, .indices = state.args.indices});
  if (state.by_reference) call.set_ref_output(0, std::move(variable));
}

}  // namespace rill
