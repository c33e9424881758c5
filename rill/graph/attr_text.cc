#include "rill/graph/attr_text.h"

#include <cmath>
#include <cstring>

#include "rill/base/error.h"
#include "rill/graph/text_tensor.h"

namespace rill {
namespace {

std::int64_t scan_int(TextScanner& s) {
  const auto word = s.word();
  long long value = 0;
  require(parse_int(word, &value), "expected an integer, got '", word, "'");
  return value;
}

float scan_float(TextScanner& s) {
  const auto word = s.word();
  double value = 0;
  require(parse_float(word, &value), "expected a number, got '", word, "'");
  return static_cast<float>(value);
}

bool scan_bool(TextScanner& s) {
  const auto word = s.word();
  require(word == "true" || word == "false", "expected true or false, got '", word, "'");
  return word == "true";
}

DType scan_type(TextScanner& s) {
  const auto word = s.word();
  DType type = DType::invalid;
  require(parse_dtype(word, &type), "expected a type, got '", word, "'");
  return type;
}

PartialShape scan_short_shape(TextScanner& s) {
  if (s.accept("<unknown>") || s.accept("?")) return {};
  s.expect("[");
  Dims dims;
  while (!s.accept("]")) {
    if (dims.size() > 0) s.expect(",");
    dims.push_back(s.accept("?") ? kUnknownDim : scan_int(s));
  }
  return PartialShape(dims.span());
}

PartialShape scan_shape(TextScanner& s) {
  return s.peek('{') ? text_shape(scan_message(s)) : scan_short_shape(s);
}

FuncName scan_func(TextScanner& s) {
  if (!s.peek('{')) return {.name = s.at_string() ? s.quoted_string() : std::string(s.word())};
  FuncName func;
  for (const TextField& field : scan_message(s)) {
    require(field.name == "name", "unknown field '", field.name, "' of a function");
    func.name = field.scalar;
  }
  return func;
}

template <class T>
AttrValue scan_value(TextScanner& s, bool is_list, T (*scan_one)(TextScanner&)) {
  if (!is_list) return scan_one(s);
  std::vector<T> items;
  s.expect("[");
  while (!s.accept("]")) {
    if (!items.empty()) s.expect(",");
    items.push_back(scan_one(s));
  }
  return items;
}

}  // namespace

AttrValue scan_attr_value(TextScanner& s, AttrKind kind, bool is_list) {
  switch (kind) {
    case AttrKind::kString:
      return scan_value<std::string>(s, is_list, [](TextScanner& t) { return t.quoted_string(); });
    case AttrKind::kInt:
      return scan_value(s, is_list, scan_int);
    case AttrKind::kFloat:
      return scan_value(s, is_list, scan_float);
    case AttrKind::kBool:
      return scan_value(s, is_list, scan_bool);
    case AttrKind::kType:
      return scan_value(s, is_list, scan_type);
    case AttrKind::kShape:
      return scan_value(s, is_list, scan_shape);
    case AttrKind::kTensor:
      return scan_value<Tensor>(s, is_list,
                                [](TextScanner& t) { return text_tensor(scan_message(t)); });
    case AttrKind::kFunc:
      return scan_value(s, is_list, scan_func);
  }
  return {};
}

AttrValue parse_attr_value(std::string_view text, AttrKind kind, bool is_list) {
  TextScanner scanner(text);
  AttrValue value = scan_attr_value(scanner, kind, is_list);
  if (!scanner.done()) scanner.fail("nothing more");
  return value;
}

PartialShape parse_shape(std::string_view text) {
  TextScanner scanner(text);
  PartialShape shape = scan_short_shape(scanner);
  if (!scanner.done()) scanner.fail("nothing more");
  return shape;
}

}  // namespace rill
