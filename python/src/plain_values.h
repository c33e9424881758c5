#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "truth.h"

namespace rill::python {

// Plain numbers and texts as programs write them: NumPy's scalars, bools, Dimensions, numbers with
// a fraction where a count is wanted (it is cut off, as Python's int() does), bytes for text. What
// is none of these raises a TypeError that names the parameter where it is known.
std::int64_t integer_of(nanobind::handle value, const char* parameter = "");
double number_of(nanobind::handle value, const char* parameter = "");
std::string text_of(nanobind::handle value, const char* parameter = "");

// Whether it is str or bytes.
inline bool is_text(nanobind::handle value) {
  return PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr());
}

// An int of fewer bits; ValueError where it does not fit.
int small_integer_of(nanobind::handle value, const char* parameter = "");

template <class T>
T plain_value(nanobind::handle value, const char* parameter = "") {
  if constexpr (std::is_same_v<T, bool>) {
    return truth_of(value);
  } else if constexpr (std::is_same_v<T, int>) {
    return small_integer_of(value, parameter);
  } else if constexpr (std::is_integral_v<T>) {
    return integer_of(value, parameter);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number_of(value, parameter));
  } else {
    return text_of(value, parameter);
  }
}

}  // namespace rill::python
