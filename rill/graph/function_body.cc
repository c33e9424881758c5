#include "rill/graph/function_body.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/graph_def.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

// The attributes that the signature asks for, checked; placeholders stand for these.
AttrMap bound_attrs(const Op& signature, const AttrMap& given) {
  AttrMap bound;
  for (const AttrSpec& attr : signature.attrs) {
    const auto it = given.find(attr.name);
    if (it == given.end() && !attr.default_value)
      raise(Code::kNotFound, "Attr ", attr.name, " is not found");
    AttrValue value = it == given.end() ? *attr.default_value : it->second;
    attr.adapt(value);
    attr.check(value, signature.name);
    bound.emplace(attr.name, std::move(value));
  }
  return bound;
}

AttrValue substituted(const AttrValue& value, const AttrMap& bound);

FuncName substituted(const FuncName& function, const AttrMap& bound) {
  FuncName result{.name = function.name};
  for (const auto& [name, value] : function.attrs)
    result.attrs.emplace(name, substituted(value, bound));
  return result;
}

AttrValue substituted(const AttrValue& value, const AttrMap& bound) {
  if (const auto* placeholder = value.get_if<AttrPlaceholder>()) {
    const auto it = bound.find(placeholder->name);
    require(it != bound.end(), "Failed to bind the placeholder '", placeholder->name, "'");
    return it->second;
  }
  if (const auto* function = value.get_if<FuncName>()) return substituted(*function, bound);
  if (const auto* functions = value.get_if<std::vector<FuncName>>()) {
    std::vector<FuncName> results;
    for (const FuncName& function : *functions) results.push_back(substituted(function, bound));
    return results;
  }
  return value;
}

// Writes the body as a GraphDef, in which an input counts a node's outputs from the first.
class BodyWriter {
 public:
  BodyWriter(const Function& function, const AttrMap& given, const Registry& registry,
             const FunctionLibrary& library)
      : function_(function),
        registry_(registry),
        library_(library),
        bound_(bound_attrs(function.signature, given)) {}

  void write() {
    def.mutable_versions()->set_producer(function_.producer);
    for (const FunctionNode& node : function_.nodes)
      require(names_.insert(node.name).second, "the name '", node.name, "' is used twice");
    for (std::size_t i = 0; i < function_.signature.inputs.size(); ++i)
      write_arg(function_.signature.inputs[i], static_cast<std::uint32_t>(i));
    for (const FunctionNode& node : function_.nodes) prepare(node);
    for (const FunctionNode& node : function_.nodes) write(node);
    for (const Arg& arg : function_.signature.outputs) write_return(arg);
    for (const auto& [name, node] : function_.control_returns)
      require(nodes_.contains(node), "control return '", name, "' names the unknown node '", node,
              "'");
  }

  tensorflow::GraphDef def;
  std::vector<std::string> arg_names, return_names;

 private:
  struct Outputs {
    const Op* op = nullptr;
    const AttrMap* attrs = nullptr;
  };

  // Its value may name nodes outside; a body is placed with its call.
  static bool places_node(std::string_view attr_name) { return attr_name == "_class"; }

  std::string unused_name(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  tensorflow::NodeDef* add_node(const std::string& name, const char* op, DType type, int index) {
    auto* node = def.add_node();
    node->set_name(name);
    node->set_op(op);
    to_proto(AttrValue(type), &(*node->mutable_attr())["T"]);
    to_proto(AttrValue(index), &(*node->mutable_attr())["index"]);
    return node;
  }

  void write_arg(const Arg& arg, std::uint32_t position) {
    const std::vector<DType> types = arg_types(arg, bound_);
    if (arg_names.size() + types.size() > kMaxArguments)
      raise(Code::kResourceExhausted, "there are more than ", kMaxArguments, " arguments");
    std::vector<std::string>& elements = args_[arg.name];
    for (std::size_t i = 0; i < types.size(); ++i) {
      elements.push_back(unused_name(arg.is_list() ? str_cat(arg.name, "_", i) : arg.name));
      require(elements.back() == arg.name || arg.is_list(), "the name '", arg.name,
              "' is used twice");
      auto* node = add_node(elements.back(), "_Arg", types[i], static_cast<int>(arg_names.size()));
      const auto attrs = function_.arg_attrs.find(position);
      if (attrs != function_.arg_attrs.end() && !arg.is_list())
        for (const auto& [name, value] : attrs->second)
          if (name.starts_with("_") && !places_node(name))
            to_proto(substituted(value, bound_), &(*node->mutable_attr())[name]);
      arg_names.push_back(elements.back());
    }
  }

  const Op& op(const std::string& name) {
    if (const Op* known = registry_.find(name)) return *known;
    if (auto called = library_.find(name)) {
      called_.push_back(called);
      return called_.back()->signature;
    }
    return registry_.at(name);
  }

  void prepare(const FunctionNode& node) {
    AttrMap attrs;
    for (const auto& [name, value] : node.attrs) {
      if (places_node(name)) continue;
      try {
        attrs.emplace(name, substituted(value, bound_));
      } catch (const Error& error) {
        raise(error.code(), "node '", node.name, "': attr '", name, "': ", error.message());
      }
    }
    const Op& declared = op(node.op);
    const auto& kept = attrs_.emplace(node.name, std::move(attrs)).first->second;
    nodes_.emplace(node.name, Outputs{&declared, &kept});
  }

  void write(const FunctionNode& node) {
    auto* written = def.add_node();
    written->set_name(node.name);
    written->set_op(node.op);
    written->set_device(node.device);
    for (const std::string& input : node.inputs) {
      try {
        const std::vector<std::string> names = graph_inputs(input);
        check_size(names.size());
        for (const std::string& name : names) written->add_input(name);
      } catch (const Error& error) {
        raise(error.code(), "node '", node.name, "': ", error.message());
      }
    }
    for (const auto& [name, value] : attrs_.at(node.name))
      to_proto(value, &(*written->mutable_attr())[name]);
  }

  void write_return(const Arg& arg) {
    const auto it = function_.returns.find(arg.name);
    require(it != function_.returns.end(), "Return ", arg.name, " missing.");
    const std::vector<DType> types = arg_types(arg, bound_);
    const std::vector<std::string> values = graph_inputs(it->second);
    require(values.size() == types.size(), "Invalid ret types ", arg.name, ": ", types.size(),
            " values are wanted, ", it->second, " is ", values.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::string name =
          unused_name(arg.is_list() ? str_cat(arg.name, "_RetVal_", i) : arg.name + "_RetVal");
      auto* node = add_node(name, "_Retval", types[i], static_cast<int>(return_names.size()));
      node->add_input(values[i]);
      return_names.push_back(name);
    }
  }

  // "x", "x:1", "node:out:2" or "^node" in terms of the GraphDef. Without an index, a list argument
  // stands for all its elements.
  std::vector<std::string> graph_inputs(const std::string& input) const {
    if (input.starts_with("^")) return {control_input(input)};
    const std::vector<std::string_view> parts = split(input, ':');
    const std::string source(parts.at(0));
    if (const auto arg = args_.find(source); arg != args_.end()) {
      if (parts.size() == 1) return arg->second;
      const int index = number(parts.back(), input);
      require(parts.size() == 2 && at(index) < arg->second.size(), "input ", input,
              " is not found: argument ", source, " has ", arg->second.size(), " elements");
      return {arg->second[at(index)]};
    }
    const auto node = nodes_.find(source);
    require(node != nodes_.end() && (parts.size() == 2 || parts.size() == 3), "input ", input,
            " is not found");
    const auto [first, length] = range_of(node->second, parts[1], input);
    if (parts.size() == 3) {
      const int index = number(parts[2], input);
      require(index < length, "input ", input, " is not found: output ", parts[1], " has ", length,
              " elements");
      return {str_cat(source, ":", first + index)};
    }
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < length; ++i) all.push_back(str_cat(source, ":", first + i));
    return all;
  }

  // A few words may stand for a million inputs.
  void check_size(std::size_t more) {
    input_count_ += static_cast<std::int64_t>(more);
    if (input_count_ > kMaxInputs)
      raise(Code::kResourceExhausted, "the body has more than ", kMaxInputs, " inputs");
  }

  std::string control_input(const std::string& input) const {
    const std::string name = input.substr(1);
    if (nodes_.contains(name)) return input;
    const auto arg = args_.find(name);
    require(arg != args_.end() && !arg->second.empty(), "input ", input, " is not found");
    return "^" + arg->second.front();
  }

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static int number(std::string_view text, const std::string& input) {
    long long value = 0;
    require(parse_int(text, &value) && value >= 0 && value < kMaxArgLength, "input ", input,
            " is not found: '", text, "' is no index");
    return static_cast<int>(value);
  }

  // Where an output argument begins among a node's outputs, and how many it is.
  static std::pair<std::int64_t, std::int64_t> range_of(const Outputs& outputs,
                                                        std::string_view arg_name,
                                                        const std::string& input) {
    std::int64_t first = 0;
    for (const Arg& arg : outputs.op->outputs) {
      const std::int64_t length = arg_length(arg, outputs);
      if (arg.name == arg_name) return {first, length};
      first += length;
      require(first <= kMaxArgLength, "input ", input, " is past ", kMaxArgLength, " outputs");
    }
    raise(Code::kInvalidArgument, "input ", input, " is not found: ", outputs.op->name,
          " has no output ", arg_name);
  }

  static std::int64_t arg_length(const Arg& arg, const Outputs& outputs) {
    if (!arg.is_list()) return 1;
    const std::string& name = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
    const auto given = outputs.attrs->find(name);
    const AttrSpec* spec = outputs.op->find_attr(name);
    AttrValue value = given != outputs.attrs->end()            ? given->second
                      : spec != nullptr && spec->default_value ? *spec->default_value
                                                               : AttrValue();
    require(value.has_value(), "attr '", name, "' of ", outputs.op->name, " is missing");
    if (arg.number_attr.empty()) return static_cast<std::int64_t>(value.list_size());
    const std::int64_t length = value.get<std::int64_t>();
    require(length >= 0 && length <= kMaxArgLength, "attr '", name, "' is ", length);
    return length;
  }

  const Function& function_;
  const Registry& registry_;
  const FunctionLibrary& library_;
  const AttrMap bound_;
  std::set<std::string, std::less<>> names_;
  std::unordered_map<std::string, std::vector<std::string>> args_;  // argument, its _Arg nodes
  std::unordered_map<std::string, Outputs> nodes_;
  std::unordered_map<std::string, AttrMap> attrs_;
  std::vector<std::shared_ptr<const Function>> called_;
  static constexpr std::size_t kMaxArguments = 1 << 16;  // a number in an attribute makes them
  static constexpr std::int64_t kMaxInputs = std::int64_t{1} << 24;
  std::int64_t input_count_ = 0;
};

}  // namespace

std::vector<DType> FunctionBody::arg_types() const {
  std::vector<DType> types;
  for (const Node* arg : args) types.push_back(arg->output_type(0));
  return types;
}

std::vector<DType> FunctionBody::return_types() const {
  std::vector<DType> types;
  for (const Node* result : returns) types.push_back(result->input_type(0));
  return types;
}

std::vector<Output> FunctionBody::arg_outputs() const {
  std::vector<Output> outputs;
  for (Node* arg : args) outputs.push_back(arg->output(0));
  return outputs;
}

std::vector<Output> FunctionBody::return_values() const {
  std::vector<Output> values;
  for (const Node* result : returns) values.push_back(result->input(0));
  return values;
}

std::vector<Node*> FunctionBody::side_effects() const {
  std::unordered_set<const Node*> others(args.begin(), args.end());
  others.insert(returns.begin(), returns.end());
  others.insert(dropped.begin(), dropped.end());
  std::vector<Node*> nodes;
  for (Node* node : control_returns)
    if (others.insert(node).second) nodes.push_back(node);
  for (Node* node : graph->nodes())
    if (node->op().has(kStateful) && others.insert(node).second) nodes.push_back(node);
  return nodes;
}

FunctionBody instantiate(const Function& function, const AttrMap& attrs, const Registry& registry,
                         const std::shared_ptr<FunctionLibrary>& library,
                         const InstantiateOptions& options) {
  FunctionBody body{.graph = std::make_unique<Graph>(registry, library)};
  const std::string prefix = options.prefix.empty() ? "" : options.prefix + "/";
  try {
    BodyWriter writer(function, attrs, registry, *library);
    writer.write();
    import_graph_def(*body.graph, writer.def,
                     {.prefix = options.prefix,
                      .device = options.device,
                      .internal_names = true,
                      .origin = options.origin});
    for (const std::string& name : writer.arg_names)
      body.args.push_back(&body.graph->at(prefix + name));
    for (const std::string& name : writer.return_names)
      body.returns.push_back(&body.graph->at(prefix + name));
  } catch (const Error& error) {
    raise(error.code(), error.message(), " [function ", function.name(), "]");
  }
  for (const auto& [name, node] : function.control_returns)
    body.control_returns.push_back(&body.graph->at(prefix + node));
  return body;
}

}  // namespace rill
