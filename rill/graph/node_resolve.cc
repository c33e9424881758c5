#include "rill/graph/node_resolve.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"

namespace rill {
namespace {

// Pieces of messages, which become text only when something is wrong.
struct NodeText {
  const NodeSpec& spec;
  friend std::string to_text(const NodeText& node) {
    return str_cat("; NodeDef: {{node ", node.spec.name, "}}");
  }
};
struct TypesText {
  const std::vector<DType>& types;
  friend std::string to_text(const TypesText& list) {
    std::vector<std::string> names;
    for (const DType type : list.types) names.emplace_back(dtype_name(type));
    return join(names, ", ");
  }
};

void check_given_attrs(const Op& op, NodeSpec& spec) {
  for (auto& [name, value] : spec.attrs) {
    const AttrSpec* attr = op.find_attr(name);
    if (attr == nullptr) {
      require(name.starts_with("_"), "NodeDef mentions attr '", name, "' not in ", op,
              NodeText{spec});
      continue;
    }
    attr->adapt(value);
    try {
      attr->check(value, op.name);
    } catch (const Error& error) {
      raise(error.code(), error.message(), NodeText{spec}, "; ", op);
    }
  }
}

// Infers lengths and types from the inputs, argument by argument.
class InputInference {
 public:
  InputInference(const Op& op, NodeSpec& spec) : op_(op), spec_(spec) {}

  void run() {
    find_open_length();
    std::size_t next = 0;
    for (const Arg& arg : op_.inputs) {
      const std::size_t count = length_of(arg);
      if (next + count > spec_.inputs.size()) return;  // the count is checked later
      infer_types(arg, next, count);
      next += count;
    }
  }

 private:
  const AttrValue* given(const std::string& name) const {
    const auto it = spec_.attrs.find(name);
    return it == spec_.attrs.end() ? nullptr : &it->second;
  }

  // Inputs come flattened: the arguments whose length no attribute tells share what is left.
  void find_open_length() {
    std::set<std::string> open;
    std::size_t fixed = 0, open_args = 0;
    for (const Arg& arg : op_.inputs) {
      const std::string& attr = arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr;
      if (arg.is_list() && given(attr) == nullptr) {
        open.insert(attr);
        ++open_args;
      } else {
        fixed += length_of(arg);
      }
    }
    if (open.empty()) return;
    require(open.size() == 1, "the lengths of the list arguments of ", op_.name,
            " cannot be told apart: attr '", *open.begin(), "' is missing", NodeText{spec_});
    const std::size_t left = spec_.inputs.size() - std::min(fixed, spec_.inputs.size());
    require(left % open_args == 0, "the list arguments of ", op_.name, " cannot share ", left,
            " inputs evenly", NodeText{spec_});
    open_length_ = left / open_args;
  }

  std::size_t length_of(const Arg& arg) const {
    if (!arg.is_list()) return 1;
    const AttrValue* value = given(arg.number_attr.empty() ? arg.type_list_attr : arg.number_attr);
    if (value == nullptr) return open_length_;
    if (arg.number_attr.empty()) return value->list_size();
    const auto length = value->get<std::int64_t>();
    require(length >= 0 && length <= kMaxArgLength, "attr '", arg.number_attr, "' of ", op_.name,
            " is ", length, NodeText{spec_});
    return static_cast<std::size_t>(length);
  }

  void set(const std::string& name, AttrValue value) {
    if (const AttrSpec* attr = op_.find_attr(name)) attr->check(value, op_.name);
    spec_.attrs.emplace(name, std::move(value));
  }

  void infer_types(const Arg& arg, std::size_t first, std::size_t count) {
    if (!arg.number_attr.empty() && given(arg.number_attr) == nullptr)
      set(arg.number_attr, static_cast<std::int64_t>(count));
    if (!arg.type_list_attr.empty() && given(arg.type_list_attr) == nullptr) {
      std::vector<DType> types;
      for (std::size_t i = 0; i < count; ++i) types.push_back(base_of(first + i));
      set(arg.type_list_attr, types);
    }
    if (arg.type_attr.empty() || given(arg.type_attr) != nullptr) return;
    for (std::size_t i = first; i < first + count; ++i)
      if (spec_.inputs[i].node) return set(arg.type_attr, base_of(i));
  }

  DType base_of(std::size_t i) const {
    const Output input = spec_.inputs[i];
    require(bool(input.node), "the type of input ", i, " of ", op_.name, " is not known yet",
            NodeText{spec_});
    return base_type(input.dtype());
  }

  const Op& op_;
  NodeSpec& spec_;
  std::size_t open_length_ = 0;
};

void add_defaults(const Op& op, NodeSpec& spec) {
  for (const AttrSpec& attr : op.attrs) {
    if (spec.attrs.contains(attr.name)) continue;
    require(attr.default_value.has_value(), "NodeDef missing attr '", attr.name, "' from ", op,
            NodeText{spec});
    spec.attrs.emplace(attr.name, *attr.default_value);
  }
}

std::vector<DType> all_types(const std::vector<Arg>& args, const AttrMap& attrs) {
  std::vector<DType> types;
  for (const Arg& arg : args) {
    const std::vector<DType> of_arg = arg_types(arg, attrs);
    types.insert(types.end(), of_arg.begin(), of_arg.end());
  }
  for (const DType type : types) require(is_valid(type), "an argument has no valid type");
  return types;
}

void check_inputs(const Op& op, const NodeSpec& spec, const std::vector<DType>& types) {
  require(spec.inputs.size() == types.size(), "NodeDef expected inputs '", TypesText{types},
          "' do not match ", spec.inputs.size(), " inputs specified; ", op, NodeText{spec});
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Output input = spec.inputs[i];
    if (!input.node) continue;
    require(can_feed(input.dtype(), types[i]), "Input ", i, " of node ", spec.name, " was passed ",
            input.dtype(), " from ", input, " incompatible with expected ", types[i], ".");
  }
}

}  // namespace

ResolvedNode resolve_node(const Op& op, NodeSpec& spec) {
  check_given_attrs(op, spec);
  InputInference(op, spec).run();
  add_defaults(op, spec);
  ResolvedNode node;
  node.input_types = all_types(op.inputs, spec.attrs);
  check_inputs(op, spec, node.input_types);
  node.output_types = all_types(op.outputs, spec.attrs);
  node.attrs = std::move(spec.attrs);
  return node;
}

}  // namespace rill
