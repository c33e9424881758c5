#include "tests/optest/case_body.h"

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"

namespace rill {
namespace {

AttrMap with_defaults(const Op& op, AttrMap attrs) {
  for (const AttrSpec& spec : op.attrs)
    if (spec.default_value) attrs.try_emplace(spec.name, *spec.default_value);
  return attrs;
}

DType dtype_of_item(const BodyItem& item, const Arg& arg, std::size_t k, const AttrMap& attrs) {
  if (const auto* value = std::get_if<BodyValue>(&item)) return base_type(value->dtype);
  return literal_value(std::get<script::Literal>(item), arg, k, attrs).dtype();
}

bool has_literals(const BodyArgument& argument) {
  return std::ranges::any_of(argument.items, [](const BodyItem& item) {
    return std::holds_alternative<script::Literal>(item);
  });
}
bool has_nodes(const BodyArgument& argument) {
  return std::ranges::any_of(
      argument.items, [](const BodyItem& item) { return std::holds_alternative<BodyValue>(item); });
}

// Adds to `attrs` what one argument determines and nothing else has.
void infer(const Arg& arg, const BodyArgument& argument, AttrMap* attrs) {
  if (!arg.number_attr.empty())
    attrs->try_emplace(arg.number_attr, static_cast<std::int64_t>(argument.items.size()));
  std::vector<DType> types;
  for (std::size_t k = 0; k < argument.items.size(); ++k)
    types.push_back(dtype_of_item(argument.items[k], arg, k, *attrs));
  if (!arg.type_list_attr.empty())
    attrs->try_emplace(arg.type_list_attr,
                       types.empty() ? AttrValue::empty_list(AttrKind::kType) : AttrValue(types));
  for (const DType type : types)
    if (!arg.type_attr.empty() && type != DType::invalid) attrs->try_emplace(arg.type_attr, type);
}

}  // namespace

Tensor literal_value(const script::Literal& literal, const Arg& arg, std::size_t k,
                     const AttrMap& attrs) {
  DType wanted = arg.type;
  if (const auto it = attrs.find(arg.type_attr); it != attrs.end())
    wanted = it->second.get<DType>();
  if (const auto it = attrs.find(arg.type_list_attr); it != attrs.end()) {
    const auto* types = it->second.get_if<std::vector<DType>>();
    if (types != nullptr && k < types->size()) wanted = (*types)[k];
  }
  return literal.tensor(base_type(wanted));
}

AttrMap CaseBody::element_kind(const std::string& dataset) const {
  const auto it = made_.find(dataset);
  AttrMap kind;
  if (it != made_.end()) {
    const AttrMap& attrs = it->second.attrs;
    for (const char* name : {"output_types", "Toutput_types"})
      if (attrs.contains(name)) kind["output_types"] = attrs.find(name)->second;
    if (attrs.contains("output_shapes"))
      kind["output_shapes"] = attrs.find("output_shapes")->second;
  }
  kind.try_emplace("output_types", std::vector<DType>{DType::string});
  kind.try_emplace("output_shapes", std::vector<PartialShape>{PartialShape(Shape{})});
  return kind;
}

void CaseBody::complete(BodyCall& call) const {
  const Op& op = *call.op;
  require(call.arguments.size() == op.inputs.size(), op.name, " takes ", op.inputs.size(),
          " arguments, ", call.arguments.size(), " are written");
  const auto infer_where = [&](auto wanted, AttrMap* attrs) {
    for (std::size_t i = 0; i < op.inputs.size(); ++i)
      if (wanted(call.arguments[i])) infer(op.inputs[i], call.arguments[i], attrs);
  };
  // What nodes are decides what literals become.
  infer_where([](const auto& a) { return has_nodes(a) && !has_literals(a); }, &call.attrs);
  infer_where(has_nodes, &call.attrs);
  AttrMap all = call.attrs;
  infer_where([](const auto&) { return true; }, &all);
  for (const auto& [name, value] : all)
    if (!call.attrs.contains(name)) call.from_values.emplace(name, value);
  call.attrs = std::move(all);
  if (call.arguments.empty() || call.arguments[0].items.empty()) return;
  const auto* first = std::get_if<BodyValue>(&call.arguments[0].items[0]);
  if (first == nullptr) return;
  for (auto& [name, value] : element_kind(first->node))
    if (const AttrSpec* spec = op.find_attr(name); spec != nullptr && !spec->default_value)
      call.attrs.try_emplace(name, std::move(value));
}

bool CaseBody::is_ordered(const BodyCall& call) {
  if (call.op->has(kControlFlow)) return false;
  for (const BodyArgument& argument : call.arguments)
    for (const BodyItem& item : argument.items)
      if (const auto* value = std::get_if<BodyValue>(&item))
        if (!value->is_ordered) return false;
  return true;
}

void CaseBody::declare(const std::string& name, const BodyCall& call) {
  is_stateful_ |= call.op->has(kStateful);
  require(made_.emplace(name, Made{call.op, call.attrs, is_ordered(call)}).second,
          "two nodes are named ", name);
}

void CaseBody::add(const std::string& name, const BodyCall& call) {
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    for (std::size_t k = 0; k < call.arguments[i].items.size(); ++k) {
      const BodyItem& item = call.arguments[i].items[k];
      if (const auto* value = std::get_if<BodyValue>(&item))
        inputs.push_back(reference(*value));
      else
        inputs.push_back(add_constant(
            str_cat(name, "/in_", i, "_", k),
            literal_value(std::get<script::Literal>(item), call.op->inputs[i], k, call.attrs)));
    }
  }
  tensorflow::NodeDef& node = *nodes_->Add();
  node.set_name(name);
  node.set_op(call.op->name);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& before : call.after) node.add_input("^" + before);
  for (const auto& [key, value] : call.attrs) to_proto(value, &(*node.mutable_attr())[key]);
  declare(name, call);
}

BodyValue CaseBody::output(const std::string& node, int index) const {
  if (const auto it = arguments_.find(node); it != arguments_.end()) return {node, 0, it->second};
  const auto it = made_.find(node);
  if (it == made_.end()) return {node, index};
  const AttrMap attrs = with_defaults(*it->second.op, it->second.attrs);
  std::vector<DType> types;
  for (const Arg& arg : it->second.op->outputs)
    for (const DType type : arg_types(arg, attrs)) types.push_back(type);
  const bool exists = static_cast<std::size_t>(index) < types.size();
  return {node, index, exists ? types[static_cast<std::size_t>(index)] : DType::invalid,
          it->second.is_ordered};
}

std::string CaseBody::reference(const BodyValue& value) const {
  if (arguments_.contains(value.node)) return value.node;
  if (!is_function_) return value.index == 0 ? value.node : str_cat(value.node, ":", value.index);
  const Made& made = made_.at(value.node);
  const AttrMap attrs = with_defaults(*made.op, made.attrs);
  int index = value.index;
  for (const Arg& arg : made.op->outputs) {
    const int count = static_cast<int>(arg_types(arg, attrs).size());
    if (index < count) return str_cat(value.node, ":", arg.name, ":", index);
    index -= count;
  }
  raise(Code::kInvalidArgument, value.node, " has no output ", value.index);
}

std::string CaseBody::add_constant(const std::string& name, const Tensor& value) {
  tensorflow::NodeDef& node = *nodes_->Add();
  node.set_name(name);
  node.set_op("Const");
  to_proto(AttrValue(value.dtype()), &(*node.mutable_attr())["dtype"]);
  to_proto(AttrValue(value), &(*node.mutable_attr())["value"]);
  return is_function_ ? name + ":output:0" : name;
}

}  // namespace rill
