#include "tests/script/attribute.h"

#include "rill/base/error.h"
#include "tests/script/literal.h"

namespace rill::script {
namespace {

DType parse_type(Scanner& in) {
  const std::string word = in.name();
  DType dtype;
  require(parse_dtype(word, &dtype), "no such dtype: ", word);
  return dtype;
}

PartialShape parse_shape(Scanner& in) {
  if (in.take("?")) return {};
  std::vector<std::int64_t> dims;
  in.expect("[");
  while (!in.take("]")) {
    long long dim = kUnknownDim;
    if (!in.take("?")) require(parse_int(in.number(), &dim), "not a dimension");
    dims.push_back(dim);
    in.take(",");
  }
  return PartialShape(dims);
}

std::int64_t parse_int_value(Scanner& in) {
  const std::string word = in.number();
  long long value = 0;
  require(parse_int(word, &value), "not an int: ", word);
  return value;
}

float parse_float_value(Scanner& in) {
  const std::string word = in.number();
  double value = 0;
  require(parse_float(word, &value), "not a float: ", word);
  return static_cast<float>(value);
}

bool parse_bool(Scanner& in) {
  if (in.take_word("true")) return true;
  if (in.take_word("false")) return false;
  in.fail("true or false");
}

Tensor parse_tensor(Scanner& in) { return parse_literal(in).tensor(DType::invalid); }

FuncName parse_func(Scanner& in) { return {in.name(), {}}; }

template <class Parse>
AttrValue one_or_list(const AttrSpec& spec, Scanner& in, Parse parse) {
  if (!spec.is_list) return AttrValue(parse(in));
  std::vector<decltype(parse(in))> items;
  in.expect("[");
  while (!in.take("]")) {
    items.push_back(parse(in));
    in.take(",");
  }
  return items.empty() ? AttrValue::empty_list(spec.kind) : AttrValue(items);
}

}  // namespace

AttrValue parse_attribute(const AttrSpec& spec, Scanner& in) {
  switch (spec.kind) {
    case AttrKind::kString:
      return one_or_list(spec, in, [](Scanner& s) { return s.text(); });
    case AttrKind::kInt:
      return one_or_list(spec, in, parse_int_value);
    case AttrKind::kFloat:
      return one_or_list(spec, in, parse_float_value);
    case AttrKind::kBool:
      return one_or_list(spec, in, parse_bool);
    case AttrKind::kType:
      return one_or_list(spec, in, parse_type);
    case AttrKind::kShape:
      return one_or_list(spec, in, parse_shape);
    case AttrKind::kTensor:
      return one_or_list(spec, in, parse_tensor);
    case AttrKind::kFunc:
      return one_or_list(spec, in, parse_func);
  }
  raise(Code::kInternal, "attribute '", spec.name, "' has no kind");
}

}  // namespace rill::script
