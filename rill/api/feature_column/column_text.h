#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill::feature_column {

// Columns print as Python's named tuples do.
std::string quoted(const std::string& text);                    // 'it\'s'
std::string tuple_text(const std::vector<std::string>& items);  // "(a,)", "(a, b)"
std::string tuple_text(const std::vector<std::int64_t>& items);
std::string number_text(double value);         // "0.1", "2.0", "inf"
std::string type_text(DType dtype);            // "tf.float32"
std::string nested_text(const Tensor& value);  // "((1.0, 2.0),)"
template <class T>
std::string or_none(const std::optional<T>& value) {
  if (!value) return "None";
  if constexpr (std::is_same_v<T, std::string>)
    return quoted(*value);
  else if constexpr (std::is_same_v<T, Tensor>)
    return nested_text(*value);
  else if constexpr (std::is_floating_point_v<T>)
    return number_text(*value);
  else
    return std::to_string(*value);
}
std::string truth_text(bool value);  // "True"

// "Name(field=text, ...)".
std::string tuple_text(const std::string& name,
                       const std::vector<std::pair<const char*, std::string>>& fields);

// A name for something that has none, another one each time.
std::string numbered_text(const char* what);  // "<function 3>"

}  // namespace rill::feature_column
