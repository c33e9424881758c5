#include "tools/opgen/tensorflow_ops.h"

#include <algorithm>
#include <map>
#include <set>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tools/opgen/cpp_text.h"

namespace rill::opgen {
namespace {

// Ops whose class has another name than the op; the op's own name is an alias unless it is the
// name of another class.
const std::map<std::string, std::string, std::less<>>& class_names() {
  static const std::map<std::string, std::string, std::less<>> names = {
      {"AdjustContrastv2", "AdjustContrast"},
      {"ConcatV2", "Concat"},
      {"FIFOQueueV2", "FIFOQueue"},
      {"InitializeTableV2", "InitializeTable"},
      {"LookupTableFindV2", "LookupTableFind"},
      {"LookupTableInsertV2", "LookupTableInsert"},
      {"LookupTableSizeV2", "LookupTableSize"},
      {"Mul", "Multiply"},
      {"Neg", "Negate"},
      {"Pack", "Stack"},
      {"QueueCloseV2", "QueueClose"},
      {"QueueDequeueV2", "QueueDequeue"},
      {"QueueDequeueManyV2", "QueueDequeueMany"},
      {"QueueEnqueueV2", "QueueEnqueue"},
      {"QueueEnqueueManyV2", "QueueEnqueueMany"},
      {"QueueSizeV2", "QueueSize"},
      {"RandomStandardNormal", "RandomNormal"},
      {"RestoreV2", "Restore"},
      {"ReverseV2", "Reverse"},
      {"SaveV2", "Save"},
      {"Select", "Where3"},
      {"Sub", "Subtract"},
      {"TensorArrayV3", "TensorArray"},
      {"TopKV2", "TopK"},
      {"Unpack", "Unstack"},
      {"VariableV2", "Variable"}};
  return names;
}

// Further names of a class.
const std::map<std::string, std::string, std::less<>>& aliases() {
  static const std::map<std::string, std::string, std::less<>> names = {
      {"All", "ReduceAll"}, {"Any", "ReduceAny"},   {"Max", "ReduceMax"}, {"Mean", "ReduceMean"},
      {"Min", "ReduceMin"}, {"Prod", "ReduceProd"}, {"Sum", "ReduceSum"}};
  return names;
}

std::string class_name(const Op& op) {
  const auto it = class_names().find(op.name);
  return it == class_names().end() ? op.name : it->second;
}

// An older op gives its class's name to the newer one; Const has a header of its own.
bool is_shown(const Op& op) {
  if (op.name == "Const") return false;
  return std::ranges::none_of(class_names(),
                              [&](const auto& renamed) { return renamed.second == op.name; });
}

std::string camel_case(std::string_view name) {
  std::string result;
  bool up = true;
  for (const char c : name) {
    if (c == '_') {
      up = true;
      continue;
    }
    result += up && c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    up = false;
  }
  return result;
}

// Kinds of attributes as parameters, as members, and as what a list is made of.
struct KindText {
  const char *parameter, *member, *listed;
};
KindText kind_text(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return {"StringPiece", "string", "string"};
    case AttrKind::kInt:
      return {"int64", "int64", "int"};
    case AttrKind::kFloat:
      return {"float", "float", "float"};
    case AttrKind::kBool:
      return {"bool", "bool", "bool"};
    case AttrKind::kType:
      return {"DataType", "DataType", "DataType"};
    case AttrKind::kShape:
      return {"PartialTensorShape", "PartialTensorShape", "PartialTensorShape"};
    case AttrKind::kTensor:
      return {"const Tensor&", "Tensor", "Tensor"};
    case AttrKind::kFunc:
      return {"const NameAttrList&", "NameAttrList", "NameAttrList"};
  }
  return {};
}

std::string parameter_type(const AttrSpec& attr) {
  const KindText text = kind_text(attr.kind);
  return attr.is_list ? str_cat("const gtl::ArraySlice<", text.listed, ">&") : text.parameter;
}
std::string member_type(const AttrSpec& attr) {
  const KindText text = kind_text(attr.kind);
  return attr.is_list ? str_cat("std::vector<", text.member, ">") : text.member;
}
std::string stored(const AttrSpec& attr, const std::string& value) {
  const KindText text = kind_text(attr.kind);
  if (attr.is_list)
    return str_cat("::tensorflow::internal::Listed<", text.member, ">(", value, ")");
  return attr.kind == AttrKind::kString ? value + ".ToString()" : value;
}

std::string enum_text(DType type) {
  std::string name(dtype_name(type));
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return "DT_" + name;
}
std::string default_text(const std::string& s) { return quoted(s); }
std::string default_text(std::int64_t i) {
  return i == INT64_MIN ? "kint64min" : std::to_string(i);
}
std::string default_text(bool b) { return b ? "true" : "false"; }
std::string default_text(float f) { return literal(AttrValue(f)); }
std::string default_text(DType t) { return enum_text(t); }
std::string default_text(const PartialShape& shape) {
  if (!shape.has_rank()) return "PartialTensorShape()";
  std::string text = "PartialTensorShape({";
  for (int i = 0; i < shape.rank(); ++i) text += str_cat(i > 0 ? ", " : "", shape.dim(i));
  return text + "})";
}
template <class T>
std::string default_text(const T&) {
  raise(Code::kUnimplemented, "a default of this kind has no form in C++");
}

template <class T>
std::string default_text(const std::vector<T>& list) {
  std::string text = "{";
  for (std::size_t i = 0; i < list.size(); ++i)
    text += str_cat(i > 0 ? ", " : "", default_text(static_cast<T>(list[i])));
  return text + "}";
}
struct Attrs {
  std::vector<const AttrSpec*> required, optional;
};
Attrs attrs_of(const Op& op) {
  Attrs attrs;
  for (const AttrSpec& attr : op.attrs)
    if (!op.is_inferred(attr.name))
      (attr.default_value ? attrs.optional : attrs.required).push_back(&attr);
  return attrs;
}

// A parameter, member or output; one that is named like its class or its members gets a '_'.
std::string safe(const Op& op, const std::string& name) {
  const std::string result = identifier(name);
  return result == class_name(op) || result == "operation" || result == "scope" || result == "attrs"
             ? result + "_"
             : result;
}

std::string attrs_struct(const Op& op) {
  const auto optional = attrs_of(op).optional;
  if (optional.empty()) return "";
  std::string setters, members;
  for (const AttrSpec* attr : optional) {
    setters += str_cat("    Attrs ", camel_case(attr->name), "(", parameter_type(*attr),
                       " x) const {\n      Attrs ret = *this;\n      ret.", attr->name,
                       "_ = ", stored(*attr, "x"), ";\n      return ret;\n    }\n");
    members += str_cat(
        "    ", member_type(*attr), " ", attr->name, "_ = ",
        std::visit([](const auto& v) { return default_text(v); }, attr->default_value->storage()),
        ";\n");
  }
  return str_cat("  struct Attrs {\n", setters, members, "  };\n");
}

std::string parameters(const Op& op) {
  std::string text = "const Scope& scope";
  for (const Arg& input : op.inputs)
    text += str_cat(", ", input.is_list() ? "const InputList& " : "const Input& ",
                    safe(op, input.name));
  for (const AttrSpec* attr : attrs_of(op).required)
    text += str_cat(", ", parameter_type(*attr), " ", safe(op, attr->name));
  return text;
}

std::string arguments(const Op& op) {
  std::string text = "scope";
  for (const Arg& input : op.inputs) text += ", " + safe(op, input.name);
  for (const AttrSpec* attr : attrs_of(op).required) text += ", " + safe(op, attr->name);
  return text;
}

std::string body(const Op& op) {
  const auto [required, optional] = attrs_of(op);
  std::string text =
      str_cat("    ::tensorflow::internal::OpBuilder builder(scope, \"", op.name, "\");\n");
  for (const Arg& input : op.inputs)
    text += str_cat("    builder.In(", safe(op, input.name), ");\n");
  for (const AttrSpec* attr : required)
    text +=
        str_cat("    builder.Attr(\"", attr->name, "\", ",
                attr->is_list ? stored(*attr, safe(op, attr->name)) : safe(op, attr->name), ");\n");
  for (const AttrSpec* attr : optional)
    text += str_cat("    builder.Attr(\"", attr->name, "\", attrs.", attr->name, "_);\n");
  text += "    operation = builder.Finish();\n";
  for (std::size_t i = 0; i < op.outputs.size(); ++i)
    text += str_cat("    ", safe(op, op.outputs[i].name), " = ::tensorflow::internal::OpBuilder::",
                    op.outputs[i].is_list() ? "List" : "Single", "(operation, ", i, ");\n");
  return text;
}

std::string constructors(const Op& op) {
  const std::string name = class_name(op);
  const bool has_attrs = !attrs_of(op).optional.empty();
  if (!has_attrs) {
    const bool single = op.inputs.empty() && attrs_of(op).required.empty();
    return str_cat("  ", single ? "explicit " : "", name, "(", parameters(op), ") {\n", body(op),
                   "  }\n");
  }
  const bool single = op.inputs.empty() && attrs_of(op).required.empty();
  return str_cat("  ", single ? "explicit " : "", name, "(", parameters(op), ") : ", name, "(",
                 arguments(op), ", Attrs()) {}\n  ", name, "(", parameters(op),
                 ", const Attrs& attrs) {\n", body(op), "  }\n");
}

// What an object of the class stands for when it is used as an input.
std::string conversions(const Op& op) {
  if (op.outputs.empty()) return "  operator Operation() const { return operation; }\n";
  if (op.outputs.size() != 1) return "";
  const std::string out = safe(op, op.outputs[0].name);
  if (op.outputs[0].is_list())
    return str_cat("  Output operator[](size_t i) const { return ", out, ".at(i); }\n");
  return str_cat("  operator Output() const { return ", out,
                 "; }\n  operator Input() const { return ", out,
                 "; }\n  Node* node() const { return ", out, ".node(); }\n");
}

std::string class_text(const Op& op) {
  const std::string name = class_name(op);
  std::string text = str_cat("\n", comment(op.doc), "class ", name, " {\n public:\n",
                             attrs_struct(op), constructors(op), conversions(op));
  for (const AttrSpec* attr : attrs_of(op).optional)
    text += str_cat("  static Attrs ", camel_case(attr->name), "(", parameter_type(*attr),
                    " x) { return Attrs().", camel_case(attr->name), "(x); }\n");
  text += "\n  Operation operation;\n";
  for (const Arg& output : op.outputs)
    text +=
        str_cat("  ", output.is_list() ? "OutputList " : "Output ", safe(op, output.name), ";\n");
  text += "};\n";
  if (name != op.name) text += str_cat("typedef ", name, " ", op.name, ";\n");
  if (const auto it = aliases().find(name); it != aliases().end())
    text += str_cat("typedef ", name, " ", it->second, ";\n");
  return text;
}

// A default that is a tensor or a function, and a name that C++ cannot take, leave an op out.
bool can_be_written(const Op& op) {
  return std::ranges::none_of(op.attrs, [](const AttrSpec& attr) {
    if (!attr.default_value) return false;
    return attr.kind == AttrKind::kTensor ||
           (attr.kind == AttrKind::kFunc && attr.default_value->list_size() > 0);
  });
}

std::string guard_of(const std::string& name) {
  std::string upper = name;
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return str_cat("TENSORFLOW_CC_OPS_", upper, "_H_");
}

std::string framed(const std::string& name, const std::string& text) {
  const std::string guard = guard_of(name);
  return str_cat("// Generated by opgen from the op declarations; do not edit.\n#ifndef ", guard,
                 "\n#define ", guard, "\n\n", text, "\n#endif\n");
}

}  // namespace

namespace {

// Ops of eight bits are one family here and three there.
std::string eight_bit_header_name(std::string_view op) {
  static const std::set<std::string_view> math = {"QuantizeDownAndShrinkRange", "QuantizedAdd",
                                                  "QuantizedMatMul", "QuantizedMul"};
  if (op == "QuantizedInstanceNorm") return "array_ops";
  return math.contains(op) || op.starts_with("Requanti") ? "math_ops" : "nn_ops";
}

}  // namespace

std::string tensorflow_header_name(std::string_view family, std::string_view op) {
  if (family == "eight_bit") return eight_bit_header_name(op);
  static const std::map<std::string_view, std::string> names = {
      {"control", "control_flow_ops"},
      {"quantize", "array_ops"},
      {"queue", "data_flow_ops"},
      {"train", "training_ops"},
      {"resource", "resource_variable_ops"}};
  const auto it = names.find(family);
  return it == names.end() ? str_cat(family, "_ops") : it->second;
}

std::string tensorflow_ops_header(const TensorflowHeader& header) {
  std::string text =
      "#include \"tensorflow/cc/framework/ops.h\"\n#include \"tensorflow/cc/framework/scope.h\"\n"
      "#include \"tensorflow/core/framework/tensor.h\"\n"
      "#include \"tensorflow/core/framework/types.h\"\n\nnamespace tensorflow {\nnamespace ops {\n";
  for (const Op* op : header.ops)
    if (is_shown(*op) && can_be_written(*op)) text += class_text(*op);
  return framed(header.name, text + "\n}  // namespace ops\n}  // namespace tensorflow\n");
}

std::string tensorflow_standard_ops(const std::vector<std::string>& names) {
  std::string text = "#include \"tensorflow/cc/ops/const_op.h\"\n";
  for (const std::string& name : names)
    text += str_cat("#include \"tensorflow/cc/ops/", name, ".h\"\n");
  return framed("standard_ops", text);
}

std::vector<std::string> tensorflow_header_names() {
  return {"array_ops",        "audio_ops",     "candidate_sampling_ops",
          "control_flow_ops", "data_flow_ops", "image_ops",
          "io_ops",           "linalg_ops",    "logging_ops",
          "lookup_ops",       "manip_ops",     "math_ops",
          "nn_ops",           "no_op",         "parsing_ops",
          "random_ops",       "sparse_ops",    "state_ops",
          "string_ops",       "training_ops",  "user_ops"};
}

std::string tensorflow_forwarding_header(const std::string& name) {
  return framed(name, "#include \"tensorflow/cc/ops/standard_ops.h\"\n");
}

}  // namespace rill::opgen
