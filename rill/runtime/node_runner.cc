#include "rill/runtime/node_runner.h"

#include <algorithm>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill {
namespace {

std::span<Value* const> inputs(const PlanNode& node, const Workspace& workspace) {
  return {workspace.pointers.data() + node.input_begin, static_cast<std::size_t>(node.input_count)};
}
std::span<Value* const> outputs(const PlanNode& node, const Workspace& workspace) {
  return {workspace.pointers.data() + node.output_begin,
          static_cast<std::size_t>(node.output_count)};
}

void read_references(const Plan& plan, const PlanNode& node, Workspace& workspace) {
  for (int i = node.deref_begin; i < node.deref_end; ++i) {
    const Deref& deref = plan.derefs[static_cast<std::size_t>(i)];
    const auto& variable = workspace.slots[static_cast<std::size_t>(deref.slot)].ref;
    Tensor value = variable == nullptr ? Tensor() : variable->read();
    if (!value.has_value() && !node.node->op().has(kUninitializedOk))
      raise(Code::kFailedPrecondition, "Attempting to use uninitialized value ",
            variable == nullptr ? std::string("(no variable)") : variable->name());
    workspace.slots[static_cast<std::size_t>(deref.scratch)].tensor = std::move(value);
  }
}

// Takes over the storage of an input that nobody reads after this node, if one fits.
bool take_input(std::uint64_t takeable, std::span<Value* const> in, DType dtype, const Shape& shape,
                Tensor& output) {
  for (std::size_t i = 0; i < in.size() && i < 64; ++i) {
    const Tensor& tensor = in[i]->tensor;
    if ((takeable >> i & 1) == 0 || tensor.dtype() != dtype || !tensor.is_exclusive() ||
        !(tensor.shape() == shape))
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

void prepare_node(const Plan& plan, const PlanNode& node, Workspace& workspace,
                  std::uint64_t takeable) {
  if (node.deref_begin != node.deref_end) read_references(plan, node, workspace);
  if (!node.structured || node.output_count == 0) return;
  const auto in = inputs(node, workspace);
  const auto out = outputs(node, workspace);
  const auto which = static_cast<std::size_t>(&node - plan.nodes.data());
  const auto shapes = workspace.memos[which].outputs(node.kernel->node, in);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const DType dtype = node.kernel->node.output_types[i];
    if (i == 0 && node.in_place && take_input(takeable, in, dtype, shapes[0], out[0]->tensor))
      continue;
    try {
      out[i]->tensor =
          Tensor(dtype, shapes[i], node.kernel->node.device->allocator(MemoryKind::host));
    } catch (const Error& error) {
      if (error.code() != Code::kResourceExhausted) throw;
      raise(Code::kResourceExhausted, "OOM when allocating tensor with shape", shapes[i],
            " and type ", dtype, " on ", node.kernel->node.device->name(), " by allocator cpu\n",
            error.message(), largest_tensors(plan, workspace));
    }
  }
}

KernelCall make_call(const PlanNode& node, Workspace& workspace, StepContext& step) {
  return KernelCall(node.kernel->node, node.kernel->state.get(), inputs(node, workspace),
                    outputs(node, workspace), step);
}

Error node_error(const PlanNode& node, const Workspace& workspace) {
  std::string at;
  if (const auto& origin = node.node->origin(); origin != nullptr && !origin->frames.empty())
    at = str_cat(" (defined at ", origin->frames[0].file, ":", origin->frames[0].line, ") ");
  std::vector<std::string> in;
  for (const Value* value : inputs(node, workspace)) in.push_back(value_text(*value));
  return current_error().with_node(
      node.node->name(),
      str_cat("\n\t [[node ", node.node->name(), at, "]]\n\t op ", node.node->op().name, " on ",
              node.kernel->node.device->name(), in.empty() ? "" : ", inputs ", join(in, ", ")));
}

std::string largest_tensors(const Plan& plan, const Workspace& workspace) {
  constexpr std::size_t kListed = 10;
  std::vector<std::pair<std::size_t, std::string>> live;
  for (const PlanNode& node : plan.nodes) {
    const auto out = outputs(node, workspace);
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const Tensor& t = out[i]->tensor; t.has_value())
        live.emplace_back(t.byte_size(), str_cat(node.node->name(), ":", i, " ", t.dtype(),
                                                 t.shape(), " made by ", node.node->op().name));
  }
  std::ranges::sort(live, std::greater<>());
  std::string text = live.empty() ? "" : "\nLargest live tensors of this step:";
  for (std::size_t i = 0; i < std::min(kListed, live.size()); ++i)
    text += str_cat("\n  ", live[i].first, " bytes: ", live[i].second);
  return text;
}

void record(const PlanNode& node, const Workspace& workspace, std::int64_t start_nanos,
            StepStats& stats) {
  NodeStats entry;
  entry.node = node.node->name();
  entry.op = node.node->op().name;
  entry.device = node.kernel->node.device->name();
  entry.thread = thread_number();
  entry.start_nanos = start_nanos;
  entry.nanos = monotonic_nanos() - start_nanos;
  entry.end_micros = wall_micros();
  entry.start_micros = entry.end_micros - entry.nanos / 1000;
  for (const Value* value : outputs(node, workspace)) {
    const Tensor& t = value->tensor;
    const auto dims = t.shape().dims();
    entry.outputs.push_back({t.dtype(),
                             {dims.begin(), dims.end()},
                             t.has_value() ? static_cast<std::int64_t>(t.byte_size()) : 0});
  }
  stats.nodes.push_back(std::move(entry));
}

}  // namespace rill
