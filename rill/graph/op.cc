#include "rill/graph/op.h"

#include <algorithm>
#include <set>

#include "rill/base/error.h"

namespace rill {
namespace {

std::string enum_name(DType type) {
  std::string name(dtype_name(type));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return "DT_" + name;
}

std::string arg_text(const Arg& arg) {
  std::string type = !arg.type_list_attr.empty() ? arg.type_list_attr
                     : !arg.type_attr.empty()    ? arg.type_attr
                                                 : std::string(dtype_name(arg.type));
  if (!arg.number_attr.empty()) type = str_cat(arg.number_attr, "*", type);
  return str_cat(arg.name, ":", arg.is_ref ? str_cat("Ref(", type, ")") : type);
}

std::string args_text(const std::vector<Arg>& args) {
  std::vector<std::string> texts;
  for (const Arg& arg : args) texts.push_back(arg_text(arg));
  return join(texts, ", ");
}

std::string allowed_text(const AttrSpec& attr) {
  std::vector<std::string> items;
  for (const DType type : attr.allowed_types) items.push_back(enum_name(type));
  for (const std::string& text : attr.allowed_strings) items.push_back(quoted(text));
  return join(items, ", ");
}

std::string default_text(const AttrValue& value) {
  const DType* type = value.get_if<DType>();
  return type != nullptr ? enum_name(*type) : to_text(value);
}

std::string attr_text(const AttrSpec& attr) {
  std::string text = str_cat("; attr=", attr.name, ":", attr.kind_text());
  if (attr.default_value) text += str_cat(",default=", default_text(*attr.default_value));
  if (attr.minimum) text += str_cat(",min=", *attr.minimum);
  if (!attr.allowed_types.empty() || !attr.allowed_strings.empty())
    text += str_cat(",allowed=[", allowed_text(attr), "]");
  return text;
}

// An argument's type word is an attribute of kind type or list(type); which one, the attributes
// tell.
void resolve(Arg& arg, const Op& op) {
  const AttrSpec* type = arg.type_attr.empty() ? nullptr : op.find_attr(arg.type_attr);
  if (type != nullptr && type->is_list) std::swap(arg.type_list_attr, arg.type_attr);
}

void check_argument_attr(const Op& op, const Arg& arg, const std::string& name, AttrKind kind,
                         bool is_list) {
  if (name.empty()) return;
  const AttrSpec* attr = op.find_attr(name);
  require(attr != nullptr && attr->kind == kind && attr->is_list == is_list, "argument '", arg.name,
          "' needs ", is_list ? "a list(" : "an attribute of kind ", attr_kind_name(kind),
          is_list ? ") attribute '" : " '", name, "'");
}

void check_arg(const Op& op, const Arg& arg) {
  check_argument_attr(op, arg, arg.number_attr, AttrKind::kInt, false);
  check_argument_attr(op, arg, arg.type_attr, AttrKind::kType, false);
  check_argument_attr(op, arg, arg.type_list_attr, AttrKind::kType, true);
  const int types =
      (arg.type != DType::invalid) + !arg.type_attr.empty() + !arg.type_list_attr.empty();
  require(types == 1, "argument '", arg.name, "' needs exactly one type");
  require(arg.number_attr.empty() || arg.type_list_attr.empty(), "argument '", arg.name,
          "' cannot repeat a list of types");
}

void check_unique_names(const Op& op) {
  std::set<std::string_view> seen;
  const auto add = [&](std::string_view name) {
    require(seen.insert(name).second, "the name '", name, "' is used twice");
  };
  for (const Arg& arg : op.inputs) add(arg.name);
  for (const AttrSpec& attr : op.attrs) add(attr.name);
  seen.clear();
  for (const Arg& arg : op.outputs) add(arg.name);
}

// Becomes text only when a value is not allowed.
struct AllowedNames {
  const AttrSpec& spec;
  friend std::string to_text(const AllowedNames& allowed) {
    std::vector<std::string> names;
    for (const DType type : allowed.spec.allowed_types) names.emplace_back(dtype_name(type));
    for (const std::string& text : allowed.spec.allowed_strings) names.push_back(quoted(text));
    return join(names, ", ");
  }
};

template <class T>
void check_allowed_values(const AttrSpec& spec, const AttrValue& value,
                          const std::vector<T>& allowed) {
  if (allowed.empty()) return;
  const auto check_one = [&](const T& item) {
    if (std::ranges::find(allowed, item) != allowed.end()) return;
    raise(Code::kInvalidArgument, "Value for attr '", spec.name, "' of ", AttrValue(item),
          " is not in the list of allowed values: ", AllowedNames{spec});
  };
  if (const auto* items = value.get_if<std::vector<T>>()) {
    for (const T& item : *items) check_one(item);
  } else {
    check_one(value.get<T>());
  }
}

}  // namespace

std::string AttrSpec::kind_text() const {
  const std::string name(attr_kind_name(kind));
  return is_list ? str_cat("list(", name, ")") : name;
}

void AttrSpec::check(const AttrValue& value, std::string_view op_name) const {
  if (!value.has_value() || value.is_placeholder() || value.is_list() != is_list ||
      value.kind() != kind)
    raise(Code::kInvalidArgument, "AttrValue had value with type '", value.kind_text(), "' when '",
          kind_text(), "' expected for attr '", name, "'",
          op_name.empty() ? std::string() : str_cat(" of ", op_name));
  if (minimum && is_list) {
    require(static_cast<std::int64_t>(value.list_size()) >= *minimum, "Length for attr '", name,
            "' of ", value.list_size(), " must be at least minimum ", *minimum);
  } else if (minimum) {
    require(value.get<std::int64_t>() >= *minimum, "Value for attr '", name, "' of ",
            value.get<std::int64_t>(), " must be at least minimum ", *minimum);
  }
  check_allowed_values(*this, value, allowed_types);
  check_allowed_values(*this, value, allowed_strings);
}

void AttrSpec::adapt(AttrValue& value) const {
  if (value.has_value() && value.is_list() && value.list_size() == 0 && is_list) {
    value = AttrValue::empty_list(kind);
  } else if (const auto* i = value.get_if<std::int64_t>();
             i != nullptr && kind == AttrKind::kFloat) {
    value = AttrValue(static_cast<float>(*i));
  } else if (const auto* is = value.get_if<std::vector<std::int64_t>>();
             is != nullptr && kind == AttrKind::kFloat) {
    value = AttrValue(std::vector<float>(is->begin(), is->end()));
  } else if (const auto* s = value.get_if<std::string>(); s != nullptr && kind == AttrKind::kFunc) {
    value = AttrValue(FuncName{.name = *s});
  }
}

Op::Op(const OpDecl& decl)
    : name(decl.name),
      doc(decl.doc),
      traits(decl.traits),
      file_attr(decl.file_attr),
      shape(decl.shape),
      cost(decl.cost),
      grad(decl.grad == no_gradient ? nullptr : decl.grad),
      deprecated(decl.deprecated),
      deprecated_why(decl.deprecated_why) {
  try {
    for (const char* text : decl.attrs) attrs.push_back(parse_attr(text));
    for (const char* text : decl.inputs) inputs.push_back(parse_arg(text));
    for (const char* text : decl.outputs) outputs.push_back(parse_arg(text));
    for (Arg& arg : inputs) resolve(arg, *this);
    for (Arg& arg : outputs) resolve(arg, *this);
  } catch (const Error& error) {
    raise(error.code(), "Op ", name, ": ", error.message());
  }
  check();
}

void Op::check() const {
  try {
    for (const Arg& arg : inputs) check_arg(*this, arg);
    for (const Arg& arg : outputs) check_arg(*this, arg);
    check_unique_names(*this);
  } catch (const Error& error) {
    raise(error.code(), "Op ", name, ": ", error.message());
  }
}

const AttrSpec* Op::find_attr(std::string_view name) const {
  const auto it = std::ranges::find(attrs, name, &AttrSpec::name);
  return it == attrs.end() ? nullptr : &*it;
}

const Arg* Op::find_input(std::string_view name) const {
  const auto it = std::ranges::find(inputs, name, &Arg::name);
  return it == inputs.end() ? nullptr : &*it;
}

bool Op::is_inferred(std::string_view attr_name) const {
  return std::ranges::any_of(inputs, [&](const Arg& arg) {
    return arg.type_attr == attr_name || arg.number_attr == attr_name ||
           arg.type_list_attr == attr_name;
  });
}

std::string to_text(const Op& op) {
  std::string text = str_cat("Op<name=", op.name, "; signature=", args_text(op.inputs), " -> ",
                             args_text(op.outputs));
  for (const AttrSpec& attr : op.attrs) text += attr_text(attr);
  if (op.has(kCommutative)) text += "; is_commutative=true";
  if (op.has(kAggregate)) text += "; is_aggregate=true";
  if (op.has(kStateful)) text += "; is_stateful=true";
  if (op.has(kUninitializedOk)) text += "; allows_uninitialized_input=true";
  return text + ">";
}

std::vector<DType> arg_types(const Arg& arg, const AttrMap& attrs) {
  std::vector<DType> types;
  if (!arg.type_list_attr.empty()) {
    types = attr<std::vector<DType>>(attrs, arg.type_list_attr);
  } else {
    std::int64_t count = 1;
    if (!arg.number_attr.empty()) count = attr<std::int64_t>(attrs, arg.number_attr);
    require(count >= 0 && count <= kMaxArgLength, "argument '", arg.name, "' has a length of ",
            count);
    const DType type = arg.type_attr.empty() ? arg.type : attr<DType>(attrs, arg.type_attr);
    types.assign(static_cast<std::size_t>(count), type);
  }
  if (arg.is_ref)
    for (DType& type : types) type = ref_type(type);
  return types;
}

}  // namespace rill
