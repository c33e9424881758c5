#include "rill/kernel/kernel_registry.h"
#include "rill/ops/state/shared_variable.h"
#include "rill/ops/update/element_update.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kVarHandleOp, kReadVariableOp, kAssignVariableOp, kAssignAddVariableOp,
    kAssignSubVariableOp, kVarIsInitializedOp, kDestroyResourceOp, kVariableShape;

namespace {

// The handle is made on the first call and handed out from then on.
class HandleState final : public SharedVariable {
 public:
  using SharedVariable::SharedVariable;

  Tensor handle(const KernelCall& call) {
    auto variable = get(call);
    std::lock_guard lock(mutex_);
    if (!handle_.has_value() || variable != made_for_) handle_ = make(call, variable);
    made_for_ = std::move(variable);
    return handle_;
  }

 private:
  Tensor make(const KernelCall& call, std::shared_ptr<VariableResource> variable) const {
    return Tensor::scalar(ResourceHandle{
        .device = call.device().name(),
        .container = container().empty() ? call.step().resources->default_container() : container(),
        .name = name(),
        .type_name = VariableResource::kTypeName,
        .resource = std::move(variable)});
  }

  std::mutex mutex_;
  Tensor handle_;
  std::shared_ptr<VariableResource> made_for_;
};

std::unique_ptr<KernelState> make_handle_state(const KernelNode& node) {
  return std::make_unique<HandleState>(node);
}

void var_handle(KernelCall& call) { call.set_output(0, call.state<HandleState>().handle(call)); }

[[noreturn]] void raise_unreadable(const KernelCall& call) {
  const auto& handle = call.input_tensor(0).scalar_value<ResourceHandle>();
  raise(Code::kFailedPrecondition, "Error while reading resource variable ", handle.name,
        " from Container: ", handle.container,
        ". This could mean that the variable was uninitialized. Not found: Resource ",
        variable_path(call, 0), " does not exist.");
}

void read_variable(KernelCall& call) {
  const auto variable = find_variable_input(call, 0);
  Tensor value = variable == nullptr ? Tensor() : variable->read();
  if (!value.has_value()) raise_unreadable(call);
  const DType dtype = call.node().output_type(0);
  require(value.dtype() == dtype, "Trying to read variable with wrong dtype. Expected ", dtype,
          " got ", value.dtype());
  call.set_output(0, std::move(value));
}

// A handle that was fed or came from elsewhere may name a variable that nobody has made yet.
std::shared_ptr<VariableResource> find_or_make_variable(const KernelCall& call) {
  if (auto variable = find_variable_input(call, 0)) return variable;
  const auto& handle = call.input_tensor(0).scalar_value<ResourceHandle>();
  return call.step().resources->find_or_make<VariableResource>(handle.container, handle.name, [&] {
    return std::make_shared<VariableResource>(handle.name, call.node().attr<DType>("dtype"));
  });
}

void assign_variable(KernelCall& call) {
  const auto variable = find_or_make_variable(call);
  const Tensor& value = call.input_tensor(1);
  require(variable != nullptr && variable->dtype() == value.dtype(),
          "Trying to assign variable with wrong dtype. Expected ",
          variable == nullptr ? DType::invalid : variable->dtype(), " got ", value.dtype());
  variable->assign(kept(value));
}

template <UpdateKind kind>
void update_variable(KernelCall& call) {
  const Tensor& value = call.input_tensor(1);
  variable_input(call, 0)->update([&](Tensor& current) {
    require(current.dtype() == value.dtype(),
            "Trying to update variable with wrong dtype. Expected ", current.dtype(), " got ",
            value.dtype());
    require(current.shape() == value.shape(), "Cannot update variable with shape ", current.shape(),
            " using a Tensor with shape ", value.shape(), ", shapes must be equal.");
    update_all(call, kind, current, value);
  });
}

void is_initialized(KernelCall& call) {
  const auto variable = find_variable_input(call, 0);
  call.output<bool>(0)[0] = variable != nullptr && variable->initialized();
}

// A variable is emptied rather than removed, because nodes remember the one they found.
void destroy_resource(KernelCall& call) {
  const auto& handle = call.input_tensor(0).scalar_value<ResourceHandle>();
  bool destroyed = false;
  if (handle.type_name == VariableResource::kTypeName) {
    if (const auto variable = find_variable_input(call, 0)) {
      destroyed = variable->initialized();
      variable->assign(Tensor());
    }
  } else {
    destroyed = call.step().resources->remove(handle.container, handle.type_name, handle.name);
  }
  if (!destroyed && !call.node().attr<bool>("ignore_lookup_error"))
    raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/<unknown>",
          " does not exist.");
}

template <class T>
void variable_shape(KernelCall& call) {
  const Tensor value = variable_input(call, 0)->read();
  const auto output = call.allocate_output(0, {value.rank()}).flat<T>();
  for (int i = 0; i < value.rank(); ++i)
    output[static_cast<std::size_t>(i)] = static_cast<T>(value.dim(i));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kVarHandleOp,
     .run = var_handle,
     .make_state = make_handle_state,
     .allocates = true,
     .expensive = false},
    {.op = &kReadVariableOp, .run = read_variable, .allocates = true, .expensive = false},
    {.op = &kAssignVariableOp, .run = assign_variable, .expensive = false},
    {.op = &kAssignAddVariableOp, .run = update_variable<UpdateKind::kAdd>},
    {.op = &kAssignSubVariableOp, .run = update_variable<UpdateKind::kSub>},
    {.op = &kVarIsInitializedOp, .run = is_initialized, .expensive = false},
    {.op = &kDestroyResourceOp, .run = destroy_resource, .expensive = false},
    {.op = &kVariableShape,
     .types = DType::i32,
     .run = variable_shape<std::int32_t>,
     .allocates = true,
     .expensive = false},
    {.op = &kVariableShape,
     .types = DType::i64,
     .run = variable_shape<std::int64_t>,
     .allocates = true,
     .expensive = false},
};

}  // namespace

extern const KernelTable kResourceVariableCpu{kEntries};

}  // namespace rill
