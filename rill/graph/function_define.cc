#include "rill/graph/function_define.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "rill/base/error.h"
#include "rill/graph/function_call.h"
#include "rill/graph/scope.h"
#include "rill/graph/shape_ctx.h"

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
  Definition(const Graph& body, std::span<const Output> arguments) : body_(body) {
    for (const Output& argument : arguments) {
      const std::string name = unused(argument_name(argument.node->name()), used_);
      arguments_.emplace(argument.node, name);
      function.signature.inputs.push_back({.name = name, .type = base_type(argument.dtype())});
    }
  }

  Function function;

  void write(std::span<const Output> results, const DefineOptions& options) {
    for (const Node* node : body_.nodes())
      if (!arguments_.contains(node)) write_node(*node);
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
      if (!arguments_.contains(before)) waits.insert("^" + before->name());
    written.inputs.insert(written.inputs.end(), waits.begin(), waits.end());
    written.attrs = node.attrs();
    if (node.op().has(kStateful)) function.signature.traits |= kStateful;
    function.nodes.push_back(std::move(written));
  }

  std::string reference(Output output) const {
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
    char digits[16];
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(h ^ (h >> 32)));
    return digits;
  }

  const Graph& body_;
  std::map<const Node*, std::string> arguments_;
  std::set<std::string> used_;
};

}  // namespace

FunctionBuilder::FunctionBuilder(Graph& outer)
    : outer_(outer), body_(std::make_shared<Graph>(outer.registry(), outer.functions())) {
  body_->capture = [this](Output outside) { return capture(outside); };
  body_->versions = outer.versions;
  body_->seed = outer.seed;
}

FunctionBuilder::~FunctionBuilder() { body_->capture = nullptr; }

Output FunctionBuilder::add_argument(DType type, std::string_view name, const PartialShape& shape) {
  Node& node = body_->add({.op = "Placeholder",
                           .name = body_->unique_name(name),
                           .attrs = {{"dtype", base_type(type)}, {"shape", shape}}});
  arguments_.push_back(node.output());
  return arguments_.back();
}

Output FunctionBuilder::capture(Output outside) {
  const auto known = std::ranges::find(captured_, outside);
  if (known != captured_.end())
    return captured_arguments_[static_cast<std::size_t>(known - captured_.begin())];
  Node& node =
      body_->add({.op = "Placeholder",
                  .name = body_->unique_name("Placeholder"),
                  .attrs = {{"dtype", base_type(outside.dtype())}, {"shape", outside.shape()}}});
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

// What touches one resource happens in the order of making, and so does what has effects of other
// kinds. Reading needs no order among readers, but nothing here tells a reader from a writer.
void FunctionBuilder::order_effects() {
  std::map<Output, Node*, decltype([](const Output& a, const Output& b) {
             return std::pair(a.node->id(), a.index) < std::pair(b.node->id(), b.index);
           })>
      last_use;
  Node* last_other = nullptr;
  const auto order = [&](Node& node, Node& before) {
    if (std::ranges::any_of(body_->nodes(), [](Node* n) { return n->op().has(kControlFlow); }))
      raise(Code::kUnimplemented, "the order of '", before.name(), "' and '", node.name(),
            "' in a function with branches or loops");
    body_->add_control_input(node, before);
  };
  for (Node* node : body_->nodes()) {
    if (!node->op().has(kStateful)) continue;
    bool uses_resource = false;
    for (const Output& input : node->inputs()) {
      if (base_type(input.dtype()) != DType::resource) continue;
      uses_resource = true;
      Node*& last = last_use[input];
      if (last != nullptr && last != node) order(*node, *last);
      last = node;
    }
    if (uses_resource || node->input_count() == 0) continue;
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
  std::vector<Output> arguments = arguments_;
  arguments.insert(arguments.end(), captured_arguments_.begin(), captured_arguments_.end());
  Definition definition(*body_, arguments);
  definition.write(results, options);
  definition.function.producer = outer_.versions.producer;
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
