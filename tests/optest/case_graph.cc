#include "tests/optest/case_graph.h"

#include <set>

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/graph.h"
#include "rill/ops/register.h"
#include "rill/tensor/tensor_proto.h"
#include "tests/optest/case_text.h"

namespace rill {
namespace {

using tensorflow::NodeDef;

class Builder {
 public:
  Builder(const OpCase& row, const Op& op, InputMode mode) : row_(row), op_(op), mode_(mode) {}

  CaseGraph build() {
    if (!row_.graph.empty()) {
      text_ = parse_case_text(row_);
      result_.def = std::move(text_.def);
    }
    require(row_.in.size() == op_.inputs.size(), op_.name, " takes ", op_.inputs.size(),
            " arguments, the row has ", row_.in.size());
    AttrMap attrs = row_.attrs;
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < row_.in.size(); ++i) {
      infer_attrs(op_.inputs[i], row_.in[i], &attrs);
      add_argument(row_.in[i], str_cat("in_", i), &inputs);
    }
    add_case(attrs, inputs);
    fetch_stated();
    if (text_.fetches.empty()) {
      fetch_outputs(attrs);
      fetch_variables();
    }
    set_version();
    set_targets();
    return std::move(result_);
  }

  CaseGraph build_plain() {
    text_ = parse_plain_text(row_);
    result_.def = std::move(text_.def);
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < row_.in.size(); ++i) {
      const CaseInput::Kind kind = row_.in[i].kind;
      if (kind == CaseInput::Kind::kNodes) continue;  // the text has nodes of its own
      add_argument(
          {kind == CaseInput::Kind::kList ? kind : CaseInput::Kind::kValue, row_.in[i].values},
          str_cat("in_", i), &inputs);
    }
    add_fingerprint(add("case", "NoOp", {}, {}));
    fetch_stated();
    set_version();
    set_targets();
    return std::move(result_);
  }

 private:
  NodeDef& add(const std::string& name, const std::string& op,
               const std::vector<std::string>& inputs, const AttrMap& attrs) {
    NodeDef& node = *result_.def.add_node();
    node.set_name(name);
    node.set_op(op);
    for (const std::string& input : inputs) node.add_input(input);
    for (const auto& [key, value] : attrs) to_proto(value, &(*node.mutable_attr())[key]);
    return node;
  }

  // Ops that were retired are found in older graphs alone.
  void set_version() {
    int version = kGraphDefVersion;
    for (const NodeDef& node : result_.def.node())
      if (const int retired = standard_ops().at(node.op()).deprecated; retired > 0)
        version = std::min(version, retired - 1);
    result_.def.mutable_versions()->set_producer(version);
  }

  static void infer_attrs(const Arg& arg, const CaseInput& input, AttrMap* attrs) {
    const auto& values = input.values;
    if (!arg.number_attr.empty())
      attrs->try_emplace(arg.number_attr, static_cast<std::int64_t>(values.size()));
    if (!arg.type_list_attr.empty()) {
      std::vector<DType> types;
      for (const Tensor& value : values) types.push_back(value.dtype());
      attrs->try_emplace(arg.type_list_attr, types);
    }
    if (!arg.type_attr.empty() && !values.empty())
      attrs->try_emplace(arg.type_attr, values[0].dtype());
  }

  void add_argument(const CaseInput& input, const std::string& name,
                    std::vector<std::string>* inputs) {
    switch (input.kind) {
      case CaseInput::Kind::kValue:
        add_value(name, input.values[0]);
        inputs->push_back(name);
        break;
      case CaseInput::Kind::kList:
        for (std::size_t i = 0; i < input.values.size(); ++i) {
          inputs->push_back(str_cat(name, "_", i));
          add_value(inputs->back(), input.values[i]);
        }
        break;
      case CaseInput::Kind::kRefVariable:
      case CaseInput::Kind::kResourceVariable:
        add_variable(name, input.values[0], input.kind == CaseInput::Kind::kRefVariable);
        inputs->push_back(name);
        break;
      case CaseInput::Kind::kNodes:
        inputs->insert(inputs->end(), input.nodes.begin(), input.nodes.end());
        break;
    }
  }

  void add_value(const std::string& name, const Tensor& value) {
    if (mode_ == InputMode::kConstant) {
      add(name, "Const", {}, {{"dtype", value.dtype()}, {"value", value}});
      return;
    }
    add(name, "Placeholder", {},
        {{"dtype", value.dtype()}, {"shape", PartialShape()}, {"_feed", value}});
    result_.feeds.emplace_back(name + ":0", value);
  }

  void add_variable(const std::string& name, const Tensor& initial, bool is_ref) {
    AttrMap about{{"dtype", initial.dtype()}, {"shape", PartialShape(initial.shape())}};
    // Without a name of their own, all variables behind handles are one in TensorFlow.
    if (!is_ref) about.emplace("shared_name", name);
    add(name, is_ref ? "VariableV2" : "VarHandleOp", {}, about);
    add(name + "/initial", "Const", {}, {{"dtype", initial.dtype()}, {"value", initial}});
    add(name + "/assign", is_ref ? "Assign" : "AssignVariableOp", {name, name + "/initial"},
        {{is_ref ? "T" : "dtype", initial.dtype()}});
    assigned_.push_back(str_cat("^", name, "/assign"));
    variables_.push_back({name, initial.dtype(), is_ref});
  }

  void add_case(const AttrMap& attrs, std::vector<std::string> inputs) {
    inputs.insert(inputs.end(), assigned_.begin(), assigned_.end());
    for (const std::string& before : text_.after) inputs.push_back("^" + before);
    add_fingerprint(add("case", op_.name, inputs, attrs));
  }

  void add_fingerprint(NodeDef& node) {
    to_proto(AttrValue(fingerprint(row_)), &(*node.mutable_attr())["_fingerprint"]);
    if (row_.compare == Compare::kShapes)
      to_proto(AttrValue(true), &(*node.mutable_attr())["_shapes_only"]);
  }

  void fetch(const std::string& op, const std::vector<std::string>& inputs, const AttrMap& attrs) {
    const std::string name = str_cat("fetch_", result_.fetches.size());
    add(name, op, inputs, attrs);
    result_.fetches.push_back(name + ":0");
  }

  void fetch_stated() {
    for (const CaseText::Fetch& wanted : text_.fetches) {
      std::vector<std::string> inputs{wanted.tensor};
      if (!wanted.after.empty()) inputs.push_back("^" + wanted.after);
      fetch("Identity", inputs, {{"T", wanted.dtype}});
    }
  }

  void set_targets() {
    result_.targets = {"case"};
    if (text_.last.empty() || text_.last == "case") return;
    result_.targets.push_back(text_.last);
    for (NodeDef& node : *result_.def.mutable_node())
      if (node.name() == text_.last) to_proto(AttrValue(true), &(*node.mutable_attr())["_target"]);
  }

  void fetch_outputs(AttrMap attrs) {
    for (const AttrSpec& spec : op_.attrs)
      if (spec.default_value) attrs.try_emplace(spec.name, *spec.default_value);
    int index = 0;
    for (const Arg& output : op_.outputs) {
      for (const DType type : arg_types(output, attrs)) {
        const std::string name = index == 0 ? "case" : str_cat("case:", index);
        ++index;
        const DType base = base_type(type);
        if (base == DType::resource || base == DType::variant) continue;
        fetch("Identity", {name}, {{"T", base}});
      }
    }
  }

  void fetch_variables() {
    for (const Variable& v : variables_)
      fetch(v.is_ref ? "Identity" : "ReadVariableOp", {v.name, "^case"},
            {{v.is_ref ? "T" : "dtype", v.dtype}});
  }

  struct Variable {
    std::string name;
    DType dtype;
    bool is_ref;
  };
  const OpCase& row_;
  const Op& op_;
  InputMode mode_;
  CaseText text_;
  CaseGraph result_;
  std::vector<std::string> assigned_;
  std::vector<Variable> variables_;
};

class Fnv {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash_ = (hash_ ^ 0xff) * 0x100000001b3;  // so that ("ab", "c") and ("a", "bc") differ
  }
  void add(const Tensor& t) {
    add(str_cat(t.dtype(), t.shape()));
    if (t.dtype() == DType::string) {
      for (const std::string& item : t.flat<std::string>()) add(item);
    } else {
      add(std::string_view(static_cast<const char*>(t.raw_data()), t.byte_size()));
    }
  }
  std::string hex() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_));
    return digits;
  }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

CaseGraph case_graph(const OpCase& row, const Op& op, InputMode mode) {
  return Builder(row, op, mode).build();
}

CaseGraph plain_graph(const OpCase& row, const Op& op) {
  return Builder(row, op, InputMode::kConstant).build_plain();
}

std::vector<NamedCase> named_cases(const OpCases& table) {
  std::vector<NamedCase> result;
  std::set<std::string> used;
  for (OpCase& row : table.make()) {
    std::string name = row.name[0] != '\0' ? row.name : str_cat(row.op, "_", result.size());
    require(used.insert(name).second, table.stem, " has two rows named ", name);
    if (!row.graph.empty()) {
      CaseText text = parse_case_text(row);
      row.in = std::move(text.in);
      row.attrs = std::move(text.attrs);
    }
    result.push_back({std::move(name), std::move(row)});
  }
  return result;
}

std::string fingerprint(const OpCase& row) {
  Fnv fnv;
  fnv.add(row.op);
  if (!row.plain.empty()) fnv.add(row.plain);
  if (!row.graph.empty()) {
    fnv.add(row.graph);
    return fnv.hex();
  }
  for (const auto& [key, value] : row.attrs) {
    fnv.add(key);
    if (const Tensor* tensor = value.get_if<Tensor>())
      fnv.add(*tensor);
    else
      fnv.add(to_text(value));
  }
  for (const CaseInput& input : row.in) {
    fnv.add(str_cat(static_cast<int>(input.kind), input.values.size()));
    for (const Tensor& value : input.values) fnv.add(value);
  }
  return fnv.hex();
}

}  // namespace rill
