#pragma once

#include <string>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill::serve {

// With quotes and escapes; bytes that are no UTF-8 stay as they are.
void append_json_string(std::string_view value, std::string* text);
// As TensorFlow Serving writes numbers: 2.5, 3.0, 1e+10, NaN, -Infinity; with six digits where they
// say everything, otherwise with nine, of doubles 17.
void append_json_decimal(float value, std::string* text);
void append_json_decimal(double value, std::string* text);
// How numbers are written that JSON has not: NaN and the infinities.
enum class JsonNonfinite {
  kLiteral,  // NaN, -Infinity: TensorFlow Serving's way, which not every client reads
  kNull,     // null
  kString,   // "NaN", "-Infinity"
  kError,    // not at all: InvalidArgument is thrown
};
// For the whole process, from now on.
void set_json_nonfinite(JsonNonfinite how);
// "literal", "null", "string" or "error"; throws InvalidArgument for others.
JsonNonfinite json_nonfinite_of(std::string_view name);
// The same into memory, of which so many bytes are enough; returns the end.
inline constexpr std::size_t kLongestJsonDecimal = 40;
char* write_json_decimal(float value, char* to);
char* write_json_decimal(double value, char* to);

// All elements in one list, whatever the shape.
void append_json_elements(const Tensor& tensor, std::string* text);

}  // namespace rill::serve
