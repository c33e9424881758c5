#include "rill/graph/function_define.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "rill/base/error.h"
#include "rill/graph/body_owner.h"
#include "rill/graph/function_call.h"
#include "rill/graph/replaced_nodes.h"
#include "rill/graph/scope.h"
#include "rill/graph/shape_ctx.h"
#include "rill/graph/traced_functions.h"

namespace rill {
namespace {

// An argument's name out of a node's: letters small, everything else an underscore.
std::string argument_name(std::string_view node_name) {
  std::string name;
  for (const char c : node_name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else {
      name += is_letter ? c : '_';
    }
  }
  const bool starts_well = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
  return starts_well ? name : "arg" + (name.empty() || name[0] == '_' ? name : "_" + name);
}

std::string unused(const std::string& name, std::set<std::string>& used) {
  std::string candidate = name;
  for (int i = 0; !used.insert(candidate).second; ++i) candidate = str_cat(name, "_", i);
  return candidate;
}

// Writes the nodes of a body in the form that definitions have.
class Definition {
 public:
  Definition(const Graph& body, std::span<const Output> arguments, const DefineOptions& options,
             std::span<Node* const> left_out)
      : body_(body),
        replaced_(const_cast<Graph&>(body).attached<ReplacedNodes>()),
        left_out_(left_out.begin(), left_out.end()) {
    for (const Output& argument : arguments) {
      const std::string name = unused(argument_name(argument.node->name()), used_);
      arguments_.emplace(argument.node, name);
      if (options.describe_arguments) describe(argument);
      function.signature.inputs.push_back({.name = name, .type = base_type(argument.dtype())});
    }
  }

  Function function;

  void write(std::span<const Output> results, const DefineOptions& options) {
    for (const Node* node : body_.nodes())
      if (!arguments_.contains(node) && !left_out_.contains(node) && !replaced_.contains(*node))
        write_node(*node);
    require(options.output_names.empty() || options.output_names.size() == results.size(),
            "Must specify an equal number of output names and outputs: ",
            options.output_names.size(), " names, ", results.size(), " outputs");
    std::set<std::string> used;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string name = options.output_names.empty()
                                   ? unused(argument_name(results[i].node->name()), used)
                                   : options.output_names[i];
      function.signature.outputs.push_back({.name = name, .type = base_type(results[i].dtype())});
      function.returns.emplace(name, reference(results[i]));
    }
    function.attrs = options.attrs;
    function.signature.shape = unknown_outputs;
    function.signature.grad = call_gradient;
    function.signature.name =
        options.name.empty() ? str_cat(options.base_name, "_", hash()) : options.name;
    function.signature.check();
  }

 private:
  void write_node(const Node& node) {
    FunctionNode written{.name = node.name(), .op = node.op().name, .device = node.device()};
    for (const Output& input : node.inputs()) {
      require(bool(input.node), "node ", node.name(), " has an input that was never given");
      written.inputs.push_back(reference(input));
    }
    std::set<std::string> waits;
    for (const Node* before : node.control_inputs())
      if (!arguments_.contains(before)) waits.insert("^" + replaced_.in_place_of(*before).name());
    written.inputs.insert(written.inputs.end(), waits.begin(), waits.end());
    written.attrs = node.attrs();
    if (node.op().has(kStateful)) function.signature.traits |= kStateful;
    function.nodes.push_back(std::move(written));
  }

  // What is known of an argument's shape, and of a variable behind it.
  void describe(const Output& argument) {
    AttrMap known;
    if (argument.shape().has_rank())
      known.emplace("_output_shapes", std::vector<PartialShape>{argument.shape()});
    if (const HandleInfo* handle = argument.node->output_handle(argument.index);
        handle != nullptr && base_type(argument.dtype()) == DType::resource) {
      known.emplace("_handle_dtypes", std::vector<DType>{handle->dtype});
      known.emplace("_handle_shapes", std::vector<PartialShape>{handle->shape});
    }
    const auto position = static_cast<std::uint32_t>(function.signature.inputs.size());
    if (!known.empty()) function.arg_attrs.emplace(position, std::move(known));
  }

  std::string reference(Output given) const {
    const Output output = replaced_.in_place_of(given);
    if (const auto it = arguments_.find(output.node); it != arguments_.end()) return it->second;
    int first = 0;
    for (const Arg& arg : output.node->op().outputs) {
      const int length = static_cast<int>(arg_types(arg, output.node->attrs()).size());
      if (output.index < first + length)
        return str_cat(output.node->name(), ":", arg.name, ":", output.index - first);
      first += length;
    }
    raise(Code::kInternal, "no output argument holds ", output);
  }

  // Of all that tells this definition from another.
  std::string hash() const {
    std::uint64_t h = 14695981039346656037u;
    const auto mix = [&](const std::string& text) {
      for (const char c : str_cat(text.size(), ":", text))
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    };
    mix(to_text(function.signature));
    for (const FunctionNode& node : function.nodes) {
      for (const std::string* text : {&node.name, &node.op, &node.device}) mix(*text);
      for (const std::string& input : node.inputs) mix(input);
      for (const auto& [name, value] : node.attrs) mix(str_cat(name, "=", to_text(value)));
    }
    for (const auto& [name, value] : function.returns) mix(str_cat(name, "=", value));
    for (const auto& [position, attrs] : function.arg_attrs)
      for (const auto& [name, value] : attrs) mix(str_cat(position, name, "=", to_text(value)));
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(h ^ (h >> 32)));
    return digits;
  }

  const Graph& body_;
  const ReplacedNodes& replaced_;
  const std::set<const Node*> left_out_;
  std::map<const Node*, std::string> arguments_;
  std::set<std::string> used_;
};

AttrMap argument_attrs(DType type, const PartialShape& shape, const HandleInfo* behind) {
  AttrMap attrs{{"dtype", base_type(type)}, {"shape", shape}};
  if (base_type(type) != DType::resource || behind == nullptr || behind->dtype == DType::invalid)
    return attrs;
  attrs.emplace("_handle_dtypes", std::vector<DType>{behind->dtype});
  attrs.emplace("_handle_shapes", std::vector<PartialShape>{behind->shape});
  return attrs;
}

}  // namespace

FunctionBuilder::FunctionBuilder(Graph& outer)
    : outer_(outer), body_(std::make_shared<Graph>(outer.registry(), outer.functions())) {
  body_->capture = [this](Output outside) { return capture(outside); };
  body_->versions = outer.versions;
  body_->seed = outer.seed;
  body_->attached<BodyOwner>() = {body_, this};
  if (has_functional_flow(outer)) use_functional_flow(*body_);
}

FunctionBuilder::~FunctionBuilder() {
  body_->capture = nullptr;
  body_->attached<BodyOwner>().builder = nullptr;
}

Output FunctionBuilder::add_argument(DType type, std::string_view name, const PartialShape& shape,
                                     const HandleInfo& behind) {
  Node& node = body_->add({.op = "Placeholder",
                           .name = body_->unique_name(name),
                           .attrs = argument_attrs(type, shape, &behind)});
  arguments_.push_back(node.output());
  return arguments_.back();
}

Output FunctionBuilder::add_argument_like(const Output& given, std::string_view name,
                                          const PartialShape& shape) {
  const HandleInfo* behind = given.node->output_handle(given.index);
  return add_argument(given.dtype(), name, shape, behind == nullptr ? HandleInfo() : *behind);
}

Output FunctionBuilder::capture(Output outside) {
  const auto known = std::ranges::find(captured_, outside);
  if (known != captured_.end())
    return captured_arguments_[static_cast<std::size_t>(known - captured_.begin())];
  Node& node = body_->add({.op = "Placeholder",
                           .name = body_->unique_name("Placeholder"),
                           .attrs = argument_attrs(outside.dtype(), outside.shape(),
                                                   outside.node->output_handle(outside.index))});
  captured_.push_back(outside);
  captured_arguments_.push_back(node.output());
  return captured_arguments_.back();
}

void FunctionBuilder::capture_in_order(std::span<const Output> outside) {
  std::vector<Output> arguments;
  for (const Output& tensor : outside) arguments.push_back(capture(tensor));
  captured_.assign(outside.begin(), outside.end());
  captured_arguments_ = std::move(arguments);
}

std::vector<Output> FunctionBuilder::arguments() const {
  std::vector<Output> all = arguments_;
  all.insert(all.end(), captured_arguments_.begin(), captured_arguments_.end());
  return all;
}

namespace {

struct OutputOrder {
  bool operator()(const Output& a, const Output& b) const {
    return std::pair(a.node->id(), a.index) < std::pair(b.node->id(), b.index);
  }
};

// The stateful nodes in the order of making: what stands for a node stands where that one was made.
std::vector<Node*> in_program_order(const Graph& body, const ReplacedNodes& replaced) {
  std::map<const Node*, int> made;
  std::vector<std::pair<int, Node*>> keyed;
  for (Node* node : body.nodes()) {
    const auto earlier = made.find(node);
    const int position = earlier == made.end() ? node->id() : earlier->second;
    if (replaced.contains(*node))
      made[&replaced.in_place_of(*node)] = position;
    else if (node->op().has(kStateful))
      keyed.emplace_back(position, node);
  }
  std::ranges::stable_sort(keyed, {}, &std::pair<int, Node*>::first);
  std::vector<Node*> nodes;
  for (const auto& [position, node] : keyed) nodes.push_back(node);
  return nodes;
}

bool calls_functions(const Node& node) {
  std::vector<std::string> functions;
  for (const auto& [name, value] : node.attrs()) find_functions(value, functions);
  return !functions.empty();
}

}  // namespace

// What touches one resource happens in the order of making, and so does what has effects of other
// kinds. Variables are read in any order between two nodes that do anything else with them.
void FunctionBuilder::order_effects() {
  struct Uses {
    Node* last = nullptr;
    std::vector<Node*> reads_since;
  };
  std::map<Output, Uses, OutputOrder> uses;
  Node* last_other = nullptr;
  const auto order = [&](Node& node, Node& before) {
    if (std::ranges::any_of(body_->nodes(), [](Node* n) { return n->op().has(kControlFlow); }))
      raise(Code::kUnimplemented, "the order of '", before.name(), "' and '", node.name(),
            "' in a function with branches or loops");
    body_->add_control_input(node, before);
  };
  for (Node* node : in_program_order(*body_, body_->attached<ReplacedNodes>())) {
    bool uses_resource = false;
    const bool reads = node->op().has(kReadsVariable) || node->op().has(kPicks);
    for (const Output& input : node->inputs()) {
      if (base_type(input.dtype()) != DType::resource) continue;
      uses_resource = true;
      Uses& use = uses[input];
      if (use.last != nullptr && use.last != node) order(*node, *use.last);
      if (reads) {
        use.reads_since.push_back(node);
        continue;
      }
      for (Node* read : use.reads_since)
        if (read != node) order(*node, *read);
      use = {node, {}};
    }
    if ((uses_resource && !calls_functions(*node)) || node->input_count() == 0) continue;
    if (last_other != nullptr) order(*node, *last_other);
    last_other = node;
  }
}

Function FunctionBuilder::finish(std::vector<Output> results, const DefineOptions& options) {
  if (options.order_effects) order_effects();
  for (Output& result : results) {
    require(bool(result.node), "a function returns nothing where a tensor is wanted");
    if (&result.node->graph() != body_.get()) result = body_->capture(result);
  }
  return definition_of(*body_, arguments(), results, options);
}

Function definition_of(const Graph& body, std::span<const Output> arguments,
                       std::span<const Output> results, const DefineOptions& options,
                       std::span<Node* const> left_out) {
  Definition definition(body, arguments, options, left_out);
  definition.write(results, options);
  definition.function.producer = body.versions.producer;
  return std::move(definition.function);
}

void define_function(Graph& graph, Function function) {
  if (graph.finalized())
    raise(Code::kFailedPrecondition, "Graph is finalized and cannot be modified.");
  GraphEdit edit(graph);
  edit.define(std::move(function));
  graph.versions.min_consumer = std::max(graph.versions.min_consumer, 12);
  edit.commit();
}

void define_with_callees(Graph& graph, const Function& function, const FunctionLibrary& library) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  const auto add = [&](const Function& definition) {
    if (!seen.insert(definition.name()).second) return;
    define_function(graph, definition);
    if (&library == graph.functions().get()) return;
    for (const FunctionNode& node : definition.nodes) {
      names.push_back(node.op);
      for (const auto& [attr, value] : node.attrs) find_functions(value, names);
    }
  };
  add(function);
  while (!names.empty()) {
    const auto called = library.find(names.back());
    names.pop_back();
    if (called != nullptr) add(*called);
  }
}

Node& call_function(Scope& scope, const std::string& function, std::span<const Output> arguments,
                    std::string_view name) {
  std::vector<InputArg> inputs;
  for (const Output& argument : arguments) inputs.emplace_back(Input(argument));
  return scope.add(function, std::move(inputs), {}, name);
}

}  // namespace rill
