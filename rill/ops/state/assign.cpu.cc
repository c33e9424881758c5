#include "rill/kernel/kernel_registry.h"
#include "rill/ops/update/element_update.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kAssign, kAssignAdd, kAssignSub, kCountUpTo, kResourceCountUpTo;

namespace {

void check_assigned_shape(const VariableResource& variable, const Shape& value) {
  const Tensor current = variable.read();
  const PartialShape expected =
      current.has_value() ? PartialShape(current.shape()) : variable.declared_shape();
  require(expected.accepts(value),
          "Assign requires shapes of both tensors to match. lhs shape= ", expected,
          " rhs shape= ", value);
}

void assign(KernelCall& call) {
  const auto& variable = call.ref_input(0);
  const Tensor& value = call.input_tensor(1);
  if (call.node().attr<bool>("validate_shape")) check_assigned_shape(*variable, value.shape());
  variable->assign(kept(value));
  call.set_ref_output(0, variable);
}

template <UpdateKind kind>
void assign_update(KernelCall& call) {
  const auto& variable = call.ref_input(0);
  const Tensor& value = call.input_tensor(1);
  variable->update([&](Tensor& current) {
    require(current.shape() == value.shape(),
            "Parameters and update must be the same size: ", current.shape(), " and ",
            value.shape());
    update_all(call, kind, current, value);
  });
  call.set_ref_output(0, variable);
}

template <class T>
void count_up(KernelCall& call, VariableResource& variable) {
  const auto limit = call.node().attr<std::int64_t>("limit");
  variable.update([&](Tensor& current) {
    require(current.dtype() == dtype_of<T>, "Trying to count in a variable of ", current.dtype(),
            " as ", dtype_of<T>);
    require(current.rank() == 0, "input is not a scalar: ", current.shape());
    T& count = *current.data<T>();
    if (count >= limit) raise(Code::kOutOfRange, "Reached limit of ", limit);
    call.output<T>(0)[0] = count;
    count = static_cast<T>(static_cast<std::uint64_t>(count) + 1);
  });
}

template <class T>
void count_up_to(KernelCall& call) {
  count_up<T>(call, *call.ref_input(0));
}

template <class T>
void resource_count_up_to(KernelCall& call) {
  count_up<T>(call, *variable_input(call, 0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAssign, .run = assign, .allocates = true, .expensive = false},
    {.op = &kAssignAdd,
     .types = kUpdateTypes,
     .run = assign_update<UpdateKind::kAdd>,
     .allocates = true},
    {.op = &kAssignSub,
     .types = kUpdateTypes,
     .run = assign_update<UpdateKind::kSub>,
     .allocates = true},
    {.op = &kCountUpTo, .types = DType::i32, .run = count_up_to<std::int32_t>, .expensive = false},
    {.op = &kCountUpTo, .types = DType::i64, .run = count_up_to<std::int64_t>, .expensive = false},
    {.op = &kResourceCountUpTo,
     .types = DType::i32,
     .run = resource_count_up_to<std::int32_t>,
     .expensive = false},
    {.op = &kResourceCountUpTo,
     .types = DType::i64,
     .run = resource_count_up_to<std::int64_t>,
     .expensive = false},
};

}  // namespace

extern const KernelTable kAssignCpu{kEntries};

}  // namespace rill
