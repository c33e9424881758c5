#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/attr_text.h"
#include "rill/graph/op.h"

namespace rill {
namespace {

// The types that a class of types stands for, in the order of their numbers. TensorFlow leaves the
// 16-bit quantised types out of numbertype.
std::vector<DType> types_in(TypeSet set) {
  std::vector<DType> types;
  for (int i = 1; i < kDTypeCount; ++i)
    if (set.contains(static_cast<DType>(i))) types.push_back(static_cast<DType>(i));
  return types;
}

bool type_class(std::string_view word, std::vector<DType>* types) {
  constexpr TypeSet kWideQuantized = DType::qi16 | DType::qu16;
  if (word == "numbertype" || word == "numerictype") {
    *types = types_in((kNumberTypes | kQuantizedTypes) - kWideQuantized);
  } else if (word == "realnumbertype" || word == "realnumerictype") {
    *types = types_in(kRealTypes);
  } else if (word == "quantizedtype") {
    *types = {DType::qi8, DType::qu8, DType::qi32, DType::qi16, DType::qu16};
  } else {
    return false;
  }
  return true;
}

bool kind_named(std::string_view word, AttrKind* kind) {
  for (int i = 0; i <= static_cast<int>(AttrKind::kFunc); ++i) {
    if (word != attr_kind_name(static_cast<AttrKind>(i))) continue;
    *kind = static_cast<AttrKind>(i);
    return true;
  }
  return false;
}

// "{half, float}", "{'SAME', 'VALID'}" or "{numbertype, variant}".
void scan_allowed(TextScanner& s, AttrSpec& attr) {
  s.expect("{");
  attr.kind = s.at_string() ? AttrKind::kString : AttrKind::kType;
  do {
    if (attr.kind == AttrKind::kString) {
      attr.allowed_strings.push_back(s.quoted_string());
      continue;
    }
    const auto word = s.word();
    std::vector<DType> types(1);
    require(parse_dtype(word, types.data()) || type_class(word, &types), "unknown type '", word,
            "'");
    attr.allowed_types.insert(attr.allowed_types.end(), types.begin(), types.end());
  } while (s.accept(",") && !s.peek('}'));
  s.expect("}");
}

void scan_kind(TextScanner& s, AttrSpec& attr) {
  if (s.peek('{')) return scan_allowed(s, attr);
  const auto word = s.word();
  if (type_class(word, &attr.allowed_types)) {
    attr.kind = AttrKind::kType;
    return;
  }
  require(kind_named(word, &attr.kind), "unknown kind '", word, "'");
}

void scan_attr(TextScanner& s, AttrSpec& attr) {
  s.expect(":");
  attr.is_list = s.accept("list(");
  scan_kind(s, attr);
  if (attr.is_list) s.expect(")");
  if (s.accept(">=")) {
    require(attr.is_list || attr.kind == AttrKind::kInt,
            "a minimum is only possible for an int or a list");
    attr.minimum = parse_attr_value(s.word(), AttrKind::kInt, false).get<std::int64_t>();
  }
  if (s.accept("=")) attr.default_value = scan_attr_value(s, attr.kind, attr.is_list);
  if (!s.done()) s.fail("the end");
}

void scan_arg(TextScanner& s, Arg& arg) {
  s.expect(":");
  arg.is_ref = s.accept("Ref(");
  std::string_view word = s.word();
  if (s.accept("*")) {
    arg.number_attr = word;
    word = s.word();
  }
  if (arg.is_ref) s.expect(")");
  if (!parse_dtype(word, &arg.type)) arg.type_attr = word;
  if (!s.done()) s.fail("the end");
}

bool is_valid_name(std::string_view name) {
  return !name.empty() && name.find_first_of(".+-") == name.npos &&
         !(name[0] >= '0' && name[0] <= '9');
}

}  // namespace

Arg parse_arg(std::string_view text) {
  try {
    TextScanner scanner(text);
    Arg arg;
    arg.name = scanner.word();
    require(is_valid_name(arg.name), "'", arg.name, "' is not a name");
    scan_arg(scanner, arg);
    return arg;
  } catch (const Error& error) {
    raise(error.code(), "argument \"", text, "\": ", error.message());
  }
}

AttrSpec parse_attr(std::string_view text) {
  try {
    TextScanner scanner(text);
    AttrSpec attr;
    attr.name = scanner.word();
    require(is_valid_name(attr.name), "'", attr.name, "' is not a name");
    scan_attr(scanner, attr);
    if (attr.default_value) attr.check(*attr.default_value, "");
    return attr;
  } catch (const Error& error) {
    raise(error.code(), "attribute \"", text, "\": ", error.message());
  }
}

}  // namespace rill
