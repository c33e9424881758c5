#include "rill/compat/op_text.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {
namespace {

bool is_op_name(std::string_view name) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_word = [&](char c) {
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '>';
  };
  const std::size_t first = name.find_first_not_of('_');
  return first < name.size() && is_upper(name[first]) && std::ranges::all_of(name, is_word);
}

// An argument's type word names an attribute of kind type or list(type); the attributes tell.
void resolve(Arg& arg, const Op& op) {
  const AttrSpec* type = arg.type_attr.empty() ? nullptr : op.find_attr(arg.type_attr);
  if (type != nullptr && type->is_list) std::swap(arg.type_list_attr, arg.type_attr);
}

std::string* doc_of(Op& op, std::string_view name) {
  for (std::vector<Arg>* args : {&op.inputs, &op.outputs})
    for (Arg& arg : *args)
      if (arg.name == name) return &arg.doc;
  for (AttrSpec& attr : op.attrs)
    if (attr.name == name) return &attr.doc;
  return nullptr;
}

// "name: text" starts the part of an argument; what follows belongs to it until the next one.
void read_doc(Op& op, std::string_view text) {
  std::string* part = &op.doc;
  for (const std::string_view raw : split(strip(text), '\n')) {
    std::string_view line = strip(raw);
    const auto colon = line.find(':');
    if (colon != line.npos)
      if (std::string* doc = doc_of(op, line.substr(0, colon))) {
        part = doc;
        line = strip(line.substr(colon + 1));
      }
    if (!part->empty()) *part += '\n';
    part->append(line);
  }
  op.doc = strip(op.doc);
}

}  // namespace

Op parse_op(const OpText& text) {
  Op op;
  op.name = text.name;
  op.traits = text.traits;
  op.deprecated = text.deprecated;
  op.deprecated_why = text.deprecated_why;
  try {
    require(is_op_name(text.name), "an op's name is CamelCase");
    for (const std::string& attr : text.attrs) op.attrs.push_back(parse_attr(attr));
    for (const std::string& input : text.inputs) op.inputs.push_back(parse_arg(input));
    for (const std::string& output : text.outputs) op.outputs.push_back(parse_arg(output));
  } catch (const Error& error) {
    raise(error.code(), "Op ", text.name, ": ", error.message());
  }
  for (Arg& arg : op.inputs) resolve(arg, op);
  for (Arg& arg : op.outputs) resolve(arg, op);
  op.check();
  read_doc(op, text.doc);
  return op;
}

}  // namespace rill
