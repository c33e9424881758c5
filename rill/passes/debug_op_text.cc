#include "rill/passes/debug_op_text.h"

#include "rill/base/error.h"

namespace rill {
namespace {

bool is_word(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return true;
}

[[noreturn]] void refuse(const std::string& text, std::string_view why) {
  raise(Code::kInvalidArgument, "Malformed attributes in debug op name \"", text, "\": ", why);
}

void add_attr(const std::string& text, std::string_view pair, DebugOpText* op) {
  const auto equals = pair.find('=');
  if (equals == std::string_view::npos) refuse(text, "an attribute has no \"=\"");
  const std::string key(strip(pair.substr(0, equals))), value(strip(pair.substr(equals + 1)));
  if (key.empty() || value.empty()) refuse(text, "an attribute has no name or no value");
  if (!op->attrs.emplace(key, value).second)
    raise(Code::kInvalidArgument, "Duplicate attribute name \"", key,
          "\" found in the debug op: \"", text, "\"");
}

AttrValue typed(const AttrSpec& spec, const std::string& key, const std::string& text) {
  const std::string word = lower(text);
  double number = 0;
  long long whole = 0;
  switch (spec.kind) {
    case AttrKind::kString:
      return AttrValue(text);
    case AttrKind::kFloat:
      if (parse_float(text, &number)) return AttrValue(number);
      break;
    case AttrKind::kInt:
      if (parse_int(text, &whole)) return AttrValue(std::int64_t{whole});
      break;
    case AttrKind::kBool:
      if (word == "true" || word == "t" || word == "1") return AttrValue(true);
      if (word == "false" || word == "f" || word == "0") return AttrValue(false);
      break;
    default:
      break;
  }
  raise(Code::kInvalidArgument, "Invalid value string for ", spec.kind_text(), "-type attribute ",
        key, " of debug op: \"", text, "\"");
}

}  // namespace

DebugOpText parse_debug_op(const std::string& text) {
  DebugOpText op;
  const auto open = text.find('(');
  op.name = text.substr(0, open);
  if (!is_word(op.name)) raise(Code::kInvalidArgument, "Malformed debug op name: \"", text, "\"");
  if (open == std::string::npos) return op;
  if (text.back() != ')') raise(Code::kInvalidArgument, "Malformed debug op name: \"", text, "\"");
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  for (const std::string_view pair : split(inside, ';'))
    if (!strip(pair).empty()) add_attr(text, strip(pair), &op);
  return op;
}

AttrMap debug_op_attrs(const DebugOpText& text, const Op& op) {
  AttrMap attrs;
  std::vector<std::string> unknown;
  for (const auto& [key, value] : text.attrs) {
    const AttrSpec* const spec = op.find_attr(key);
    if (spec == nullptr)
      unknown.push_back(key);
    else
      attrs.emplace(key, typed(*spec, key, value));
  }
  require(unknown.empty(), unknown.size(), " attribute key(s) were not valid for debug node ",
          op.name, ": ", join(unknown, ", "));
  return attrs;
}

}  // namespace rill
