// The kernels of include/rill_device.h, and what they ask of a call.
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "rill/compat/device_calls.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/register_kernels.h"
#include "rill_device.h"

// In C's own name space, as the header declares it.
struct rill_call {
  rill::KernelCall& call;
  std::optional<rill::Error> error;
};

namespace rill {
namespace {

struct CKernelState final : KernelState {
  const rill_kernel* kernel = nullptr;
};

// The kernels of each op and type of device, in the order in which they came.
struct CKernels {
  std::mutex mutex;
  std::map<std::pair<std::string, std::string>, std::deque<const rill_kernel*>> by_op;
};
CKernels& c_kernels() {
  static CKernels& all = *new CKernels;
  return all;
}

TypeSet types_of(const rill_kernel& kernel) {
  TypeSet types;
  for (const int* type = kernel.types; type != nullptr && *type != 0; ++type)
    if (is_valid(static_cast<DType>(*type))) types = types | static_cast<DType>(*type);
  return types;
}

DType first_type(const KernelNode& node) {
  for (const AttrSpec& spec : node.op->attrs)
    if (spec.kind == AttrKind::kType && !spec.is_list) return node.attr<DType>(spec.name);
  return DType::invalid;
}

std::unique_ptr<KernelState> find_c_kernel(const KernelNode& node, bool allocates) {
  auto state = std::make_unique<CKernelState>();
  CKernels& all = c_kernels();
  const std::lock_guard lock(all.mutex);
  for (const rill_kernel* kernel : all.by_op[{node.op->name, node.device->type()}]) {
    const TypeSet types = types_of(*kernel);
    const bool fits = types.empty() || types.contains(first_type(node));
    if (state->kernel == nullptr && fits && (kernel->allocates != 0) == allocates)
      state->kernel = kernel;
  }
  return state;
}

void run_c_kernel(KernelCall& call) {
  rill_call c{call, std::nullopt};
  call.state<CKernelState>().kernel->run(&c);
  if (c.error) throw *c.error;
}

bool is_index(int i, int count) { return i >= 0 && i < count; }

int describe(const Tensor& tensor, rill_tensor* described) {
  if (described == nullptr || !tensor.has_value() || !is_trivial(tensor.dtype()))
    return RILL_INVALID_ARGUMENT;
  *described = {.type = static_cast<int>(tensor.dtype()),
                .rank = tensor.rank(),
                .dims = tensor.shape().dims().data(),
                .elements = tensor.element_count(),
                .data = tensor.raw_data()};
  return 0;
}

const AttrValue* attr_of(const rill_call* call, const char* name) {
  const AttrMap& attrs = call->call.node().attrs;
  const auto it = name == nullptr ? attrs.end() : attrs.find(std::string_view(name));
  return it == attrs.end() ? nullptr : &it->second;
}

}  // namespace
}  // namespace rill

int rill_register_kernel(const rill_kernel* kernel) {
  const bool whole = kernel != nullptr && kernel->struct_size >= sizeof(rill_kernel) &&
                     kernel->op != nullptr && kernel->device_type != nullptr &&
                     kernel->run != nullptr && std::string_view(kernel->device_type) != "CPU";
  if (!whole) return RILL_INVALID_ARGUMENT;
  {
    rill::CKernels& all = rill::c_kernels();
    const std::lock_guard lock(all.mutex);
    all.by_op[{kernel->op, kernel->device_type}].push_back(kernel);
  }
  const auto structured = [](const rill::KernelNode& node) {
    return rill::find_c_kernel(node, false);
  };
  const auto allocating = [](const rill::KernelNode& node) {
    return rill::find_c_kernel(node, true);
  };
  rill::KernelEntry entry{.op = nullptr, .types = rill::types_of(*kernel)};
  entry.run = rill::run_c_kernel;
  entry.allocates = kernel->allocates != 0;
  entry.make_state = entry.allocates ? static_cast<rill::MakeState>(allocating)
                                     : static_cast<rill::MakeState>(structured);
  entry.host_memory = kernel->host_memory;
  rill::standard_kernels().add(kernel->op, kernel->device_type, entry);
  return 0;
}

const char* rill_call_node(const rill_call* call) { return call->call.node().name.c_str(); }
int rill_call_device(const rill_call* call) {
  const auto* device = dynamic_cast<const rill::NumberedDevice*>(&call->call.device());
  return device == nullptr ? -1 : device->number();
}
int64_t rill_call_step(const rill_call* call) { return call->call.step().step_id; }
int rill_call_inputs(const rill_call* call) { return call->call.input_count(); }
int rill_call_outputs(const rill_call* call) { return call->call.output_count(); }

int rill_call_input(const rill_call* call, int i, rill_tensor* tensor) {
  if (!rill::is_index(i, call->call.input_count())) return RILL_INVALID_ARGUMENT;
  return rill::describe(call->call.input_tensor(i), tensor);
}

int rill_call_output(const rill_call* call, int i, rill_tensor* tensor) {
  if (!rill::is_index(i, call->call.output_count())) return RILL_INVALID_ARGUMENT;
  return rill::describe(call->call.output_tensor(i), tensor);
}

int rill_call_allocate(rill_call* call, int i, int rank, const int64_t* dims, rill_tensor* tensor) {
  if (!rill::is_index(i, call->call.output_count()) || rank < 0 || (rank > 0 && dims == nullptr))
    return RILL_INVALID_ARGUMENT;
  try {
    call->call.allocate_output(
        i, rill::Shape(std::span<const std::int64_t>(dims, static_cast<std::size_t>(rank))));
    return rill::describe(call->call.output_tensor(i), tensor);
  } catch (...) {
    if (!call->error) call->error = rill::current_error();
    return static_cast<int>(rill::current_error().code());
  }
}

int rill_call_attr_int(const rill_call* call, const char* name, int64_t* value) {
  const rill::AttrValue* attr = rill::attr_of(call, name);
  if (attr == nullptr || value == nullptr) return RILL_INVALID_ARGUMENT;
  if (const auto* number = attr->get_if<std::int64_t>()) return *value = *number, 0;
  if (const auto* flag = attr->get_if<bool>()) return *value = *flag ? 1 : 0, 0;
  if (const auto* type = attr->get_if<rill::DType>()) return *value = static_cast<int>(*type), 0;
  return RILL_INVALID_ARGUMENT;
}

int rill_call_attr_float(const rill_call* call, const char* name, double* value) {
  const rill::AttrValue* attr = rill::attr_of(call, name);
  const float* number = attr == nullptr ? nullptr : attr->get_if<float>();
  if (number == nullptr || value == nullptr) return RILL_INVALID_ARGUMENT;
  *value = static_cast<double>(*number);
  return 0;
}

int rill_call_attr_string(const rill_call* call, const char* name, const char** value) {
  const rill::AttrValue* attr = rill::attr_of(call, name);
  const std::string* text = attr == nullptr ? nullptr : attr->get_if<std::string>();
  if (text == nullptr || value == nullptr) return RILL_INVALID_ARGUMENT;
  *value = text->c_str();
  return 0;
}

void rill_call_fail(rill_call* call, int code, const char* message) {
  if (!call->error)
    call->error = rill::Error(rill::code_of(code), message == nullptr ? "" : message);
}
