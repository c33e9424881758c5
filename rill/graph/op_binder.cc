#include "rill/graph/op_binder.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/number.h"

namespace rill {
namespace {

std::string types_text(const std::vector<DType>& types) {
  std::vector<std::string> names;
  for (const DType type : types) names.push_back(python_name(type));
  return join(names, ", ");
}

std::vector<DType> base_types(std::span<const Output> outputs) {
  std::vector<DType> types;
  for (const Output& output : outputs) types.push_back(base_type(output.dtype()));
  return types;
}

// Every node comes through these checks: texts are made for messages alone.
void check_allowed(const AttrSpec& attr, DType type, std::string_view parameter) {
  const auto& allowed = attr.allowed_types;
  if (allowed.empty() || std::ranges::find(allowed, type) != allowed.end()) return;
  raise(Code::kInvalidArgument, "Value passed to parameter '", parameter, "' has DataType ",
        python_name(type), " not in list of allowed values: ", types_text(allowed));
}

// As TensorFlow's runtime says it, which looks first where ops are executed.
void check_allowed_eagerly(const AttrSpec& attr, DType type, const Op& op) {
  const auto& allowed = attr.allowed_types;
  if (allowed.empty() || std::ranges::find(allowed, type) != allowed.end()) return;
  std::vector<std::string> names;
  for (const DType one : allowed) names.push_back(to_text(one));
  throw Error(Code::kInvalidArgument,
              str_cat("Value for attr '", attr.name, "' of ", to_text(type),
                      " is not in the list of allowed values: ", join(names, ", "),
                      "\n\t; NodeDef: {{node ", op.name, "}}; ", to_text(op)))
      .with_node(op.name, str_cat(" [Op:", op.name, "]"));
}

void check_allowed(const AttrSpec& attr, const std::string& value, std::string_view op) {
  const auto& allowed = attr.allowed_strings;
  if (allowed.empty() || std::ranges::find(allowed, value) != allowed.end()) return;
  std::vector<std::string> texts;
  for (const std::string& text : allowed) texts.push_back(quoted(text));
  raise(Code::kInvalidArgument, "Attr '", attr.name, "' of '", op, "' Op passed string '", value,
        "' not in: ", join(texts, ", "), ".");
}

void check_minimum(const AttrSpec& attr, const AttrValue& value, std::string_view op) {
  if (!attr.minimum) return;
  if (attr.is_list) {
    require(static_cast<std::int64_t>(value.list_size()) >= *attr.minimum, "Attr '", attr.name,
            "' of '", op, "' Op passed list of length ", value.list_size(), " less than minimum ",
            *attr.minimum, ".");
  } else {
    require(value.get<std::int64_t>() >= *attr.minimum, "Attr '", attr.name, "' of '", op,
            "' Op passed ", value, " less than minimum ", *attr.minimum, ".");
  }
}

void check_kind(const AttrSpec& attr, const AttrValue& value, std::string_view op) {
  require(value.has_value(), "No argument found for attr ", attr.name, " for ", op);
  require(value.is_list() || !attr.is_list, "Expected list for '", attr.name, "' argument to '", op,
          "' Op, not ", value, ".");
  if (value.is_placeholder() || value.is_list() != attr.is_list || value.kind() != attr.kind)
    raise(Code::kInvalidArgument, "Expected ", attr.kind_text(), " for argument '", attr.name,
          "' not ", value, ".");
}

template <class T, class Check>
void for_each_item(const AttrValue& value, Check check) {
  if (const T* item = value.get_if<T>()) check(*item);
  if (const auto* items = value.get_if<std::vector<T>>())
    for (const T& item : *items) check(item);
}

void check_attr_value(const AttrSpec& attr, const AttrValue& value, std::string_view op) {
  check_kind(attr, value, op);
  check_minimum(attr, value, op);
  for_each_item<DType>(value, [&](DType type) { check_allowed(attr, type, attr.name); });
  for_each_item<std::string>(value, [&](const std::string& s) { check_allowed(attr, s, op); });
}

// Rewords "Expected int32, got 2.5 of type 'float' instead." so that it names the parameter.
[[noreturn]] void raise_conversion(const Error& error, const Arg& arg, const Op& op, DType wanted) {
  const std::string type = python_name(wanted), prefix = str_cat("Expected ", type, ", got ");
  std::string_view got = error.message();
  if (!got.starts_with(prefix))
    raise(error.code(), "Expected ", type, " passed to parameter '", arg.name, "' of op '", op.name,
          "'. Error: ", got);
  got.remove_prefix(prefix.size());
  raise(error.code(), "Expected ", type, " passed to parameter '", arg.name, "' of op '", op.name,
        "', got ", got, " Error: ", error.message());
}

}  // namespace

NodeSpec OpBinder::bind(const std::vector<InputArg>& inputs) {
  require(inputs.size() <= op_.inputs.size(), op_.name, " takes ", op_.inputs.size(),
          " inputs, got ", inputs.size());
  check_attrs();
  for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
    const Arg& arg = op_.inputs[i];
    require(i < inputs.size(), "No argument for input ", arg.name, " found in ", op_.name);
    const InputArg& given = inputs[i];
    if (given.is_list() != arg.is_list())
      raise(Code::kInvalidArgument, "Expected ", arg.is_list() ? "list" : "one tensor", " for '",
            arg.name, "' argument to '", op_.name, "' Op, not ",
            given.is_list() ? str_cat("a list of ", given.items().size()) : "one tensor", ".");
    if (!arg.type_list_attr.empty()) {
      bind_type_list(arg, given.items());
    } else if (arg.is_list()) {
      bind_repeated(arg, given.items());
    } else {
      bind_single(arg, given.items().front());
    }
  }
  for (const AttrSpec& attr : op_.attrs)
    require(attrs_.contains(attr.name) || attr.default_value, "No argument found for attr ",
            attr.name, " for ", op_.name);
  return {.op = op_.name, .inputs = std::move(inputs_), .attrs = std::move(attrs_)};
}

void OpBinder::check_attrs() {
  for (auto& [name, value] : attrs_) {
    const AttrSpec* attr = op_.find_attr(name);
    require(attr != nullptr || name.starts_with("_"), op_.name,
            " got unexpected keyword arguments: ", name, ".");
    if (attr == nullptr) continue;
    attr->adapt(value);
    check_attr_value(*attr, value, op_.name);
  }
}

void OpBinder::bind_single(const Arg& arg, const Input& input) {
  const Output output = convert(arg, input, wanted_type(arg), preferred_type(arg), arg.name);
  check_mutable(arg, output);
  set_type(arg, base_type(output.dtype()));
  inputs_.push_back(output);
}

void OpBinder::bind_repeated(const Arg& arg, const std::vector<Input>& items) {
  DType wanted = wanted_type(arg);
  if (wanted == DType::invalid) {
    const auto first = std::ranges::find_if(items, &Input::is_output);
    if (first != items.end() && first->output().node) wanted = base_type(first->output().dtype());
  }
  const std::size_t begin = inputs_.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    inputs_.push_back(
        convert(arg, items[i], wanted, preferred_type(arg), str_cat(arg.name, "_", i)));
    check_mutable(arg, inputs_.back());
  }
  const std::vector<DType> types = base_types(std::span(inputs_).subspan(begin));
  const bool equal = std::ranges::adjacent_find(types, std::ranges::not_equal_to()) == types.end();
  if (!equal)
    raise(Code::kInvalidArgument, "Tensors in list passed to '", arg.name, "' of '", op_.name,
          "' Op have types [", types_text(types), "] that don't all match.");
  set_length(arg, items.size());
  if (!types.empty()) return set_type(arg, types[0]);
  if (arg.type_attr.empty() || attrs_.contains(arg.type_attr)) return;
  require(default_of(arg.type_attr) != nullptr,
          "Don't know how to infer type variable from empty input list passed to input '", arg.name,
          "' of '", op_.name, "' Op.");
}

void OpBinder::bind_type_list(const Arg& arg, const std::vector<Input>& items) {
  const AttrSpec& attr = *op_.find_attr(arg.type_list_attr);
  const auto types_in = [&](const AttrValue* value) {
    const auto* types = value == nullptr ? nullptr : value->get_if<std::vector<DType>>();
    return types != nullptr && types->size() == items.size() ? types : nullptr;
  };
  const auto known = attrs_.find(attr.name);
  const auto* wanted = types_in(known == attrs_.end() ? nullptr : &known->second);
  const auto* preferred = types_in(default_of(attr.name));
  const std::size_t begin = inputs_.size();
  for (std::size_t i = 0; i < items.size(); ++i) {
    inputs_.push_back(convert(arg, items[i], wanted ? (*wanted)[i] : DType::invalid,
                              preferred ? (*preferred)[i] : DType::invalid,
                              str_cat(arg.name, "_", i)));
    check_mutable(arg, inputs_.back());
  }
  const std::vector<DType> types = base_types(std::span(inputs_).subspan(begin));
  if (known != attrs_.end()) {
    if (known->second.get<std::vector<DType>>() == types) return;
    raise(Code::kInvalidArgument, "Input '", arg.name, "' of '", op_.name,
          "' Op has type list of [", types_text(types), "] that does not match type list [",
          types_text(known->second.get<std::vector<DType>>()), "] of attr '", attr.name, "'.");
  }
  for (const DType type : types) check_allowed(attr, type, arg.name);
  check_minimum(attr, types, op_.name);
  attrs_.emplace(attr.name, types);
  fixed_by_.emplace(attr.name, arg.name);
}

void OpBinder::set_length(const Arg& arg, std::size_t length) {
  const AttrSpec& attr = *op_.find_attr(arg.number_attr);
  const auto size = static_cast<std::int64_t>(length);
  const auto known = attrs_.find(attr.name);
  if (known != attrs_.end()) {
    if (known->second.get<std::int64_t>() == size) return;
    const auto by = fixed_by_.find(attr.name);
    raise(Code::kInvalidArgument, "List argument '", arg.name, "' to '", op_.name,
          "' Op with length ", size, " must match length ", known->second,
          by == fixed_by_.end() ? str_cat(" of attr '", attr.name, "'.")
                                : str_cat(" of argument '", by->second, "'."));
  }
  require(size >= attr.minimum.value_or(0), "List argument '", arg.name, "' to '", op_.name,
          "' Op with length ", size, " shorter than minimum length ", attr.minimum.value_or(0),
          ".");
  attrs_.emplace(attr.name, size);
  fixed_by_.emplace(attr.name, arg.name);
}

void OpBinder::set_type(const Arg& arg, DType type) {
  const auto mismatch = [&](DType expected, std::string_view by) {
    if (scope_.graph().is_eager())
      throw Error(Code::kInvalidArgument,
                  str_cat("cannot compute ", op_.name, " as input #", inputs_.size(),
                          "(zero-based) was expected to be a ", to_text(expected),
                          " tensor but is a ", to_text(type), " tensor"))
          .with_node(op_.name, str_cat(" [Op:", op_.name, "]"));
    const std::string wanted =
        by.empty() ? str_cat("expected type of ", python_name(expected))
                   : str_cat("type ", python_name(expected), " of argument '", by, "'");
    raise(Code::kInvalidArgument, "Input '", arg.name, "' of '", op_.name, "' Op has type ",
          python_name(type), " that does not match ", wanted, ".");
  };
  if (arg.type_attr.empty()) {
    if (type != arg.type) mismatch(arg.type, "");
    return;
  }
  const auto known = attrs_.find(arg.type_attr);
  if (known == attrs_.end()) {
    const AttrSpec& attr = *op_.find_attr(arg.type_attr);
    if (scope_.graph().is_eager()) check_allowed_eagerly(attr, type, op_);
    check_allowed(attr, type, arg.name);
    attrs_.emplace(arg.type_attr, type);
    fixed_by_.emplace(arg.type_attr, arg.name);
    return;
  }
  const auto by = fixed_by_.find(arg.type_attr);
  const DType expected = known->second.get<DType>();
  if (type != expected) mismatch(expected, by == fixed_by_.end() ? "" : by->second);
}

void OpBinder::check_mutable(const Arg& arg, Output output) const {
  require(!arg.is_ref || is_ref(output.dtype()), "'", op_.name, "' Op requires that input '",
          arg.name, "' be a mutable tensor (e.g.: a tf.Variable)");
}

DType OpBinder::wanted_type(const Arg& arg) const {
  if (arg.type_attr.empty()) return arg.type;
  const auto known = attrs_.find(arg.type_attr);
  return known == attrs_.end() ? DType::invalid : known->second.get<DType>();
}

DType OpBinder::preferred_type(const Arg& arg) const {
  const AttrValue* value = default_of(arg.type_attr);
  const DType* type = value == nullptr ? nullptr : value->get_if<DType>();
  return type == nullptr ? DType::invalid : *type;
}

const AttrValue* OpBinder::default_of(const std::string& attr) const {
  const AttrSpec* spec = op_.find_attr(attr);
  return spec != nullptr && spec->default_value ? &*spec->default_value : nullptr;
}

Output OpBinder::convert(const Arg& arg, const Input& input, DType wanted, DType preferred,
                         const std::string& name) {
  if (input.is_output()) {
    require(bool(input.output().node), "Input '", arg.name, "' of '", op_.name, "' Op is missing");
    return input.output();
  }
  if (!input.is_value()) return input.as_output(scope_, name, wanted);
  return scope_.constant(make_value(arg, input, wanted, preferred), name);
}

namespace {

bool holds_more_than_int32(const Tensor& value) {
  return value.dtype() == DType::i64 &&
         std::ranges::any_of(value.flat<std::int64_t>(), [](std::int64_t number) {
           return number != static_cast<std::int32_t>(number);
         });
}

// A value that int32 cannot hold stays what it is: it would wrap around.
Tensor value_of_wished_type(const Input& input, DType wished) {
  Tensor value = input.value(wished);
  if (wished != DType::i32) return value;
  try {
    Tensor natural = input.value(DType::invalid);
    return holds_more_than_int32(natural) ? natural : value;
  } catch (const std::exception&) {
    return value;  // only the wish makes it a tensor, as of Dimensions
  }
}

}  // namespace

Tensor OpBinder::make_value(const Arg& arg, const Input& input, DType wanted,
                            DType preferred) const {
  if (wanted == DType::invalid && preferred != DType::invalid) {
    try {
      return value_of_wished_type(input, preferred);
    } catch (const std::exception&) {
      return input.value(DType::invalid);  // a default is a wish: the value may have another type
    }
  }
  try {
    return input.value(wanted);
  } catch (const Error& error) {
    if (wanted == DType::invalid || error.cause() != nullptr) throw;
    raise_conversion(error, arg, op_, wanted);
  }
}

}  // namespace rill
