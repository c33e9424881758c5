#include "rill/api/feature_column/column_text.h"

#include <atomic>
#include <charconv>
#include <cmath>

#include "rill/api/core/texts.h"
#include "rill/base/text.h"
#include "rill/tensor/dtype_visit.h"

namespace rill::feature_column {
namespace {

template <class T>
std::string element_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return quoted(value);
  else if constexpr (std::is_same_v<T, bool>)
    return truth_text(value);
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return number_text(static_cast<double>(value));
}

// The elements from `next` on that make up the dimensions from `axis` on.
template <class T>
std::string nested(const Tensor& value, int axis, std::int64_t& next) {
  if (axis == value.rank()) return element_text(value.data<T>()[next++]);
  std::vector<std::string> items;
  for (std::int64_t i = 0; i < value.dim(axis); ++i)
    items.push_back(nested<T>(value, axis + 1, next));
  return tuple_text(items);
}

}  // namespace

std::string quoted(const std::string& text) {
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + quote;
}

std::string tuple_text(const std::vector<std::string>& items) {
  return "(" + join(items, ", ") + (items.size() == 1 ? ",)" : ")");
}

std::string tuple_text(const std::vector<std::int64_t>& items) {
  std::vector<std::string> texts;
  for (const std::int64_t item : items) texts.push_back(std::to_string(item));
  return tuple_text(texts);
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char digits[32];
  const std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string type_text(DType dtype) { return "tf." + dtype_text(dtype); }

std::string nested_text(const Tensor& value) {
  std::int64_t next = 0;
  switch (value.dtype()) {
    case DType::string:
      return nested<std::string>(value, 0, next);
    case DType::i32:
      return nested<std::int32_t>(value, 0, next);
    case DType::i64:
      return nested<std::int64_t>(value, 0, next);
    case DType::f32:
      return nested<float>(value, 0, next);
    case DType::f64:
      return nested<double>(value, 0, next);
    default:
      return value_text(value);
  }
}

std::string truth_text(bool value) { return value ? "True" : "False"; }

std::string tuple_text(const std::string& name,
                       const std::vector<std::pair<const char*, std::string>>& fields) {
  std::vector<std::string> texts;
  for (const auto& [field, text] : fields) texts.push_back(str_cat(field, "=", text));
  return name + "(" + join(texts, ", ") + ")";
}

std::string numbered_text(const char* what) {
  static std::atomic<int> count = 0;
  return str_cat("<", what, " ", ++count, ">");
}

}  // namespace rill::feature_column
