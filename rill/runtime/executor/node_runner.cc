#include "rill/runtime/executor/node_runner.h"

#include "rill/base/error.h"
#include "rill/passes/error_attribution.h"

namespace rill {
namespace {

// Takes over the storage of an input that nobody reads after this node, if one fits.
bool take_input(std::uint64_t takeable, std::span<Value* const> in, DType dtype, const Shape& shape,
                MemoryKind kind, Tensor& output) {
  for (std::size_t i = 0; i < in.size() && i < 64; ++i) {
    const Tensor& tensor = in[i]->tensor;
    if ((takeable >> i & 1) == 0 || tensor.dtype() != dtype || !tensor.is_exclusive() ||
        tensor.memory_kind() != kind || !(tensor.shape() == shape))
      continue;
    output = tensor;
    return true;
  }
  return false;
}

std::string value_text(const Value& value) {
  if (value.tensor.has_value()) return str_cat(value.tensor.dtype(), value.tensor.shape());
  return value.ref == nullptr ? std::string("nothing")
                              : str_cat("reference to ", value.ref->describe());
}

}  // namespace

Tensor read_reference(const PlanNode& node, const Value& reference) {
  Tensor value = reference.ref == nullptr ? Tensor() : reference.ref->read();
  if (!value.has_value() && !node.node->op().has(kUninitializedOk))
    raise(Code::kFailedPrecondition, "Attempting to use uninitialized value ",
          reference.ref == nullptr ? std::string("(no variable)") : reference.ref->name());
  return value;
}

namespace {

void offer_input(const NodeValues& values, std::uint64_t takeable, MemoryKind kind) {
  if (values.outputs.empty()) return;
  Tensor& output = values.outputs[0]->tensor;
  if (output.has_value()) output.clear();  // what is there then was offered
  if ((takeable & 1) == 0 || values.inputs.empty()) return;
  const Tensor& input = values.inputs[0]->tensor;
  if (input.has_value() && input.memory_kind() == kind && input.is_exclusive()) output = input;
}

void allocate_outputs(const PlanNode& node, const NodeValues& values, ShapeMemo& memo,
                      std::uint64_t takeable, const Arena* arena) {
  const KernelNode& info = node.kernel->node;
  const auto shapes = memo.outputs(info, values.inputs);
  for (std::size_t i = 0; i < values.outputs.size(); ++i) {
    Tensor& output = values.outputs[i]->tensor;
    const DType dtype = info.output_types[i];
    if (i == 0 && node.in_place &&
        take_input(takeable, values.inputs, dtype, shapes[0], info.output_kind(0), output))
      continue;
    Allocator& memory = arena == nullptr || info.is_host_output(static_cast<int>(i))
                            ? info.output_allocator(static_cast<int>(i))
                            : arena->place(static_cast<std::size_t>(node.place_begin) + i);
    try {
      output.reset(dtype, shapes[i], memory);
    } catch (const Error& error) {
      if (error.code() != Code::kResourceExhausted) throw;
      raise(Code::kResourceExhausted, "OOM when allocating tensor with shape", shapes[i],
            " and type ", dtype, " on ", info.device->name(), " by allocator ", memory.name(), "\n",
            error.message());
    }
  }
}

}  // namespace

void prepare_outputs(const PlanNode& node, const NodeValues& values, ShapeMemo& memo,
                     std::uint64_t takeable, const Arena* arena) {
  if (node.structured) {
    if (node.output_count > 0) allocate_outputs(node, values, memo, takeable, arena);
  } else if (node.in_place) {
    offer_input(values, takeable,
                node.output_count > 0 ? node.kernel->node.output_kind(0) : MemoryKind::host);
  }
}

void prepare_node(const Plan& plan, const PlanNode& node, Workspace& workspace,
                  std::uint64_t takeable, const Arena* arena) {
  for (int i = node.deref_begin; i < node.deref_end; ++i) {
    const Deref& deref = plan.derefs[static_cast<std::size_t>(i)];
    workspace.slots[static_cast<std::size_t>(deref.scratch)].tensor =
        read_reference(node, workspace.slots[static_cast<std::size_t>(deref.slot)]);
  }
  const auto which = static_cast<std::size_t>(&node - plan.nodes.data());
  prepare_outputs(node, values_of(node, workspace), workspace.memos[which], takeable, arena);
}

namespace {

Error named(const Error& error, const Node& node, const std::string& device,
            std::vector<std::string> inputs) {
  std::string at;
  if (const auto& origin = node.origin(); origin != nullptr && !origin->frames.empty())
    at = str_cat(" (defined at ", origin->frames[0].file, ":", origin->frames[0].line, ") ");
  return error.with_node(
      node.name(), str_cat("\n\t [[node ", node.name(), at, "]]\n\t op ", node.op().name, " on ",
                           device, inputs.empty() ? "" : ", inputs ", join(inputs, ", ")));
}

// The error as that of the program's node whose work failed.
Error rewritten_error(const Error& error, const PlanNode& node, const NodeValues& values,
                      std::vector<std::string> inputs) {
  std::vector<const Tensor*> tensors;
  for (const Value* value : values.inputs) tensors.push_back(&value->tensor);
  const ErrorAttribution attribution = attribute_error(*node.replaced, tensors);
  if (attribution.error) {
    inputs.clear();
    for (std::size_t i = 0; i < attribution.shapes.size(); ++i)
      inputs.push_back(str_cat(base_type(attribution.node->input_type(static_cast<int>(i))),
                               attribution.shapes[i]));
  }
  return named(attribution.error.value_or(error), *attribution.node,
               node.kernel->node.device->name(), std::move(inputs));
}

}  // namespace

Error node_error(const PlanNode& node, const NodeValues& values) {
  const Error error = current_error();
  if (!error.node().empty()) {  // inside a function, which this node calls
    constexpr std::size_t kEnough = 4096;
    return error.message().size() > kEnough
               ? error
               : error.with_context(str_cat("\n\t [[", node.node->name(), "]]"));
  }
  std::vector<std::string> in;
  for (const Value* value : values.inputs) in.push_back(value_text(*value));
  if (node.replaced != nullptr) return rewritten_error(error, node, values, std::move(in));
  return named(error, *node.node, node.kernel->node.device->name(), std::move(in));
}

Error late_error(const Plan& plan, const LateError& late) {
  Error error(Code::kInternal, "");
  try {
    std::rethrow_exception(late.error);
  } catch (...) {
    error = current_error();
  }
  for (const PlanNode& node : plan.nodes)
    if (node.node->name() == late.node && error.node().empty())
      return named(error, *node.node, node.kernel->node.device->name(), late.inputs);
  return error;
}

Error cancelled_error() {
  return Error(Code::kCancelled, "Step was cancelled by an explicit call to `Session::Close()`.");
}

Error timeout_error() {
  return Error(Code::kDeadlineExceeded, "Timed out waiting for notification");
}

}  // namespace rill
