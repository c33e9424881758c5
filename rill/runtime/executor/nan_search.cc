#include "rill/runtime/executor/nan_search.h"

#include <shared_mutex>

#include "rill/base/error.h"
#include "rill/base/log.h"
#include "rill/base/subscript.h"
#include "rill/runtime/compile/bad_values.h"
#include "rill/runtime/compile/kernel_evaluator.h"

namespace rill {
namespace {

std::string line_of(const Node& node) {
  const OriginRef& origin = node.origin();
  if (origin == nullptr) return "";
  if (!origin->frames.empty()) return str_cat(origin->frames[0].file, ":", origin->frames[0].line);
  return origin->place ? str_cat(origin->place->file_name(), ":", origin->place->line()) : "";
}

std::string named_line(const Node& node) {
  const std::string line = line_of(node);
  return str_cat("'", node.name(), "'", line.empty() ? "" : " (" + line + ")");
}

// The node whose gradient `node` belongs to: "gradients/a/z_grad/mul" is part of that of "a/z".
const Node* forward_of(const Node& node) {
  const auto end = node.name().rfind("_grad/");
  if (end == std::string::npos) return nullptr;
  const std::string before = node.name().substr(0, end);
  for (auto start = before.find('/'); start != std::string::npos;
       start = before.find('/', start + 1))
    if (const Node* found = node.graph().find(before.substr(start + 1))) return found;
  return nullptr;
}

// Which of the variable's nodes change it.
std::vector<std::string> writers_of(const Node& variable) {
  std::vector<std::string> writers;
  const Graph& graph = variable.graph();
  const std::shared_lock lock(graph.mutex());
  for (int i = 0; i < graph.node_count() && writers.size() < 4; ++i) {
    const Node& node = graph.node(i);
    const bool changes =
        node.op().has(kFusableUpdate) || node.op().has(kAssigns) ||
        node.op().name.starts_with("Scatter") || node.op().name.starts_with("ResourceScatter") ||
        node.op().name.starts_with("AssignAdd") || node.op().name.starts_with("AssignSub");
    if (changes && node.input_count() > 0 && node.input(0).node == &variable)
      writers.push_back(named_line(node));
  }
  return writers;
}

bool shares_storage(const Tensor& output, const NodeValues& values) {
  for (const Value* input : values.inputs)
    if (input->tensor.has_value() && input->tensor.raw_data() == output.raw_data()) return true;
  return false;
}

Finiteness worst(std::span<const Tensor> tensors) {
  Finiteness found = Finiteness::finite;
  for (const Tensor& tensor : tensors) found = std::max(found, finiteness(tensor));
  return found;
}

std::vector<Tensor> tensors_of(std::span<Value* const> values) {
  std::vector<Tensor> tensors;
  for (const Value* value : values) tensors.push_back(value->tensor);
  return tensors;
}

// A node with what it read and made.
struct Made {
  const Node* node;
  std::vector<Tensor> inputs;
  Tensor output;
  int index = 0;
};

// Computes one by one what a fused kernel did.
class NodeByNode {
 public:
  NodeByNode(const NanReports& reports, std::span<const Tensor> inputs)
      : evaluator_(reports.kernels(), reports.device()), inputs_(inputs) {}

  // The first that makes something as bad of inputs that are better.
  std::optional<Made> first_bad(const std::vector<Subgraph::ReplacedNode>& nodes, Finiteness bad) {
    for (const Subgraph::ReplacedNode& replaced : nodes) {
      results_.emplace_back();
      const auto inputs = inputs_of(replaced);
      if (!inputs) continue;
      const auto made = evaluator_.evaluate(*replaced.node, *inputs);
      if (!made) continue;
      results_.back() = *made;
      for (std::size_t i = 0; i < made->size(); ++i)
        if (finiteness((*made)[i]) == bad && worst(*inputs) < bad)
          return Made{replaced.node, *inputs, (*made)[i], static_cast<int>(i)};
    }
    return {};
  }

 private:
  std::optional<std::vector<Tensor>> inputs_of(const Subgraph::ReplacedNode& replaced) const {
    std::vector<Tensor> inputs;
    if (static_cast<int>(replaced.inputs.size()) != replaced.node->input_count()) return {};
    for (std::size_t i = 0; i < replaced.inputs.size(); ++i) {
      inputs.push_back(value(replaced, i));
      if (!inputs.back().has_value()) return {};
    }
    return inputs;
  }

  Tensor value(const Subgraph::ReplacedNode& replaced, std::size_t i) const {
    const Subgraph::Edge& edge = replaced.inputs[i];
    const auto output = at(edge.output);
    if (edge.item >= 0) {
      const auto& made = results_[at(edge.item)];
      return output < made.size() ? made[output] : Tensor();
    }
    if (output < inputs_.size()) return inputs_[output];
    return constant(replaced.node->input(static_cast<int>(i)), kDeepest);
  }

  // What became part of the fused node because it follows from constants.
  Tensor constant(const Output& output, int depth) const {
    const Node& from = *output.node;
    if (from.op().name == "Const") return attr<Tensor>(from.attrs(), "value");
    if (depth == 0 || !from.op().has(kPure) || from.op().has(kControlFlow)) return {};
    std::vector<Tensor> inputs;
    for (const Output& input : from.inputs()) {
      inputs.push_back(constant(input, depth - 1));
      if (!inputs.back().has_value()) return {};
    }
    const auto made = evaluator_.evaluate(from, inputs);
    return made && at(output.index) < made->size() ? (*made)[at(output.index)] : Tensor();
  }

  static constexpr int kDeepest = 8;

  mutable KernelEvaluator evaluator_;
  const std::span<const Tensor> inputs_;
  std::vector<std::vector<Tensor>> results_;
};

Made made_by(const NanReports& reports, const PlanNode& node, const NodeValues& values,
             std::size_t output, Finiteness bad) {
  Made whole{node.node, tensors_of(values.inputs), values.outputs[output]->tensor,
             static_cast<int>(output)};
  if (node.replaced == nullptr || node.replaced->empty()) return whole;
  if (auto found = NodeByNode(reports, whole.inputs).first_bad(*node.replaced, bad)) return *found;
  whole.node = node.replaced->back().node;
  return whole;
}

NanOrigin described(const Made& made, const std::string& device, bool is_nan) {
  const Node& node = *made.node;
  NanOrigin origin{.node = node.name(), .op = node.op().name, .device = device};
  origin.line = line_of(node);
  if (const Node* forward = forward_of(node)) origin.forward = named_line(*forward);
  origin.is_nan = is_nan;
  origin.output = summarise(str_cat(node.name(), ":", made.index), made.output);
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    const bool is_known = static_cast<int>(i) < node.input_count() &&
                          static_cast<int>(made.inputs.size()) == node.input_count();
    const std::string name =
        is_known ? node.input(static_cast<int>(i)).name() : str_cat("of the fused node, ", i);
    if (made.inputs[i].dtype() != DType::resource)
      origin.inputs.push_back(summarise(name, made.inputs[i]));
  }
  return origin;
}

// The variable that a bad input was read from, by reference; null if none was.
const Node* variable_read(const Plan& plan, const PlanNode& node, const NodeValues& values,
                          Finiteness bad) {
  for (int i = node.deref_begin; i < node.deref_end; ++i) {
    const Deref& deref = plan.derefs[at(i)];
    for (int k = 0; k < node.input_count; ++k) {
      if (plan.wiring[at(node.input_begin + k)] != deref.scratch) continue;
      if (finiteness(values.inputs[at(k)]->tensor) < bad) continue;
      const int writer = plan.writer[at(deref.slot)];
      return writer >= 0 ? plan.nodes[at(writer)].node : nullptr;
    }
  }
  return nullptr;
}

}  // namespace

void NanReports::report(const NanOrigin& origin) {
  const std::string text = to_text(origin);
  {
    const std::lock_guard lock(mutex_);
    if (mode_ == FindNan::report && !said_.insert(origin.node).second) return;
    // A variable that holds one keeps it: where it came from was said before.
    if (mode_ == FindNan::report && !origin.variable.empty() && said_.size() > 1) return;
    is_quiet_ = mode_ == FindNan::report && said_.size() >= kEnough;
  }
  if (on_nan_)
    on_nan_(origin);
  else if (mode_ == FindNan::report)
    log(LogLevel::kWarning, text);
  if (mode_ == FindNan::stop) raise(Code::kInvalidArgument, text);
}

void NanSearch::look(const Plan& plan, const PlanNode& node, const NodeValues& values) {
  for (std::size_t i = 0; i < values.outputs.size(); ++i) {
    const Tensor& output = values.outputs[i]->tensor;
    if (!output.has_value()) continue;
    const Finiteness kind = finiteness(output);
    if (kind == Finiteness::finite) [[likely]]
      continue;
    // What is passed on was told before, but for variables, which nobody has made in this step.
    const bool reads_variable = node.deref_begin != node.deref_end;
    if (node.node->op().name == "Const" || (!reads_variable && shares_storage(output, values)))
      continue;
    return found(plan, node, values, i, kind == Finiteness::nan);
  }
}

void NanSearch::found(const Plan& plan, const PlanNode& node, const NodeValues& values,
                      std::size_t output, bool is_nan) {
  const std::lock_guard lock(mutex_);
  if (has_reported_ || (!is_nan && infinity_)) return;
  const Finiteness bad = is_nan ? Finiteness::nan : Finiteness::infinite;
  const std::vector<Tensor> inputs = tensors_of(values.inputs);
  const Finiteness before = worst(inputs);
  const std::string& device = node.kernel->node.device->name();
  const Node* variable = nullptr;
  if (before >= bad) {
    variable = variable_read(plan, node, values, bad);
    if (variable == nullptr) return;
  }
  NanOrigin origin = described(made_by(reports_, node, values, output, bad), device, is_nan);
  if (variable == nullptr && node.node->op().has(kReadsVariable) && node.node->input_count() > 0)
    variable = node.node->input(0).node;
  if (variable != nullptr) {
    origin.variable = variable->name();
    origin.writers = writers_of(*variable);
  }
  if (!is_nan) return void(infinity_ = std::move(origin));
  if (before == Finiteness::infinite && infinity_) origin.causes.push_back(*infinity_);
  has_reported_ = true;
  reports_.report(origin);
}

void NanSearch::look_at_feed(const std::string& name, const Tensor& value) {
  if (finiteness(value) != Finiteness::nan || has_reported_) return;
  has_reported_ = true;
  reports_.report({.node = name, .output = summarise(name, value)});
}

void NanSearch::look_at_fetch(const Tensor& value) {
  if (has_reported_ || !infinity_ || finiteness(value) != Finiteness::infinite) return;
  has_reported_ = true;
  reports_.report(*infinity_);
}

}  // namespace rill
