#include "tools/opgen/cpp_text.h"

#include <cmath>
#include <cstdio>
#include <set>

#include "rill/base/error.h"

namespace rill::opgen {
namespace {

constexpr std::size_t kColumns = 100;

const std::set<std::string, std::less<>>& taken_names() {
  static const std::set<std::string, std::less<>> names = {
      "and", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const", "continue",
      "default", "delete", "do", "double", "else", "enum", "explicit", "export", "extern", "false",
      "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace",
      "new", "not", "operator", "or", "private", "protected", "public", "register", "requires",
      "return", "short", "signed", "sizeof", "static", "struct", "switch", "template", "this",
      "throw", "true", "try", "typedef", "typename", "union", "unsigned", "using", "virtual",
      "void", "volatile", "while", "xor",
      // parameters and members of the builders themselves
      "at", "name", "node", "next", "options"};
  return names;
}

std::string_view scalar_type(AttrKind kind) {
  switch (kind) {
    case AttrKind::kString:
      return "std::string";
    case AttrKind::kInt:
      return "std::int64_t";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kBool:
      return "bool";
    case AttrKind::kType:
      return "DType";
    case AttrKind::kShape:
      return "PartialShape";
    case AttrKind::kTensor:
      return "Tensor";
    case AttrKind::kFunc:
      return "FuncName";
  }
  return "";
}

std::string of(const std::string& text) { return quoted(text); }
std::string of(std::int64_t i) { return std::to_string(i); }
std::string of(bool b) { return b ? "true" : "false"; }

std::string of(float f) {
  if (std::isinf(f)) return str_cat(f < 0 ? "-" : "", "std::numeric_limits<float>::infinity()");
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(f));
  for (int digits = 1; digits < 9; ++digits) {
    char shorter[32];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, static_cast<double>(f));
    if (std::strtof(shorter, nullptr) == f) {
      std::snprintf(text, sizeof text, "%s", shorter);
      break;
    }
  }
  std::string result = text;
  if (result.find_first_of(".e") == result.npos) result += ".0";
  return result + "f";
}

std::string of(DType t) {
  static constexpr const char* kNames[kDTypeCount] = {
      "invalid", "f32", "f64",     "i32", "u8",       "i16",     "i8",   "string",
      "c64",     "i64", "boolean", "qi8", "qu8",      "qi32",    "bf16", "qi16",
      "qu16",    "u16", "c128",    "f16", "resource", "variant", "u32",  "u64"};
  return str_cat("DType::", kNames[static_cast<int>(base_type(t))]);
}

std::string of(const PartialShape& shape) {
  if (!shape.has_rank()) return "PartialShape()";
  if (shape.rank() == 0) return "PartialShape::scalar()";
  std::string text = "PartialShape{";
  for (int i = 0; i < shape.rank(); ++i)
    text += str_cat(i > 0 ? ", " : "", static_cast<std::int64_t>(shape[i]));
  return text + "}";
}

std::string of(const FuncName& func) { return str_cat("FuncName{", quoted(func.name), ", {}}"); }
std::string of(std::monostate) { return "{}"; }
std::string of(const AttrPlaceholder&) {
  raise(Code::kUnimplemented, "a default that is a placeholder has no form in C++");
}
std::string of(const Tensor& tensor) {
  if (tensor.dtype() != DType::u8 || tensor.rank() != 1)
    raise(Code::kUnimplemented, "a default that is a tensor of ", tensor.dtype(), tensor.shape(),
          " has no form in C++");
  std::vector<std::string> numbers;
  for (const std::uint8_t value : tensor.flat<std::uint8_t>())
    numbers.push_back(std::to_string(value));
  return str_cat("Tensor::vector<std::uint8_t>({", join(numbers, ", "), "})");
}

template <class T>
std::string of(const std::vector<T>& list) {
  std::string text = "{";
  for (std::size_t i = 0; i < list.size(); ++i)
    text += str_cat(i > 0 ? ", " : "", of(static_cast<T>(list[i])));
  return text + "}";
}

}  // namespace

std::string identifier(std::string_view name) {
  std::string result(name);
  return taken_names().contains(result) ? result + "_" : result;
}

std::string attr_type(const AttrSpec& attr) {
  const std::string scalar(scalar_type(attr.kind));
  return attr.is_list ? str_cat("std::vector<", scalar, ">") : scalar;
}

std::string attr_parameter_type(const AttrSpec& attr) {
  const bool is_small =
      !attr.is_list && attr.kind >= AttrKind::kInt && attr.kind <= AttrKind::kType;
  return is_small ? attr_type(attr) : str_cat("const ", attr_type(attr), "&");
}

std::string literal(const AttrValue& value) {
  return std::visit([](const auto& v) { return of(v); }, value.storage());
}

std::string literal_of_python(const AttrSpec& attr, std::string_view text) {
  if (attr.is_list)
    return text.starts_with("[") && attr.kind == AttrKind::kInt
               ? str_cat("{", text.substr(1, text.size() - 2), "}")
               : "";
  switch (attr.kind) {
    case AttrKind::kBool:
      return text == "True" ? "true" : "false";
    case AttrKind::kInt:
      return std::string(text);
    case AttrKind::kFloat:
      return of(std::strtof(std::string(text).c_str(), nullptr));
    case AttrKind::kString:
      return quoted(text.substr(1, text.size() - 2));
    case AttrKind::kType: {
      DType dtype = DType::invalid;
      return parse_dtype(text.substr(text.find('.') + 1), &dtype) ? of(dtype) : "";
    }
    default:
      return "";
  }
}

std::string comment(std::string_view text, std::string_view indent) {
  std::string result, line(str_cat(indent, "//"));
  const std::size_t start = line.size();
  const auto flush = [&] {
    result += line + "\n";
    line.resize(start);
  };
  for (const std::string_view paragraph : split(text, '\n')) {
    for (const std::string_view word : split(paragraph, ' ')) {
      if (word.empty()) continue;
      if (line.size() + 1 + word.size() > kColumns && line.size() > start) flush();
      line += str_cat(" ", word);
    }
    flush();
  }
  return result;
}

}  // namespace rill::opgen
