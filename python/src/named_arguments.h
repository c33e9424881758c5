#pragma once

#include <optional>
#include <string>

#include "array_functions.h"
#include "class_call.h"
#include "plain_values.h"
#include "truth.h"

namespace rill::python {

// The arguments of a call, which Python has collected in a dict under their names.
class NamedArguments {
 public:
  explicit NamedArguments(const nb::dict& all) : all_(all) {}

  nb::object operator[](const char* name) const { return all_[name]; }
  bool flag(const char* name) const { return truth_of((*this)[name]); }
  double number(const char* name) const { return number_of((*this)[name]); }
  std::string text(const char* name) const { return text_or_empty((*this)[name]); }
  Input input(const char* name) const { return input_from((*this)[name], name); }
  OptionalInput optional_input(const char* name) const {
    return python::optional_input((*this)[name], name);
  }

 private:
  const nb::dict& all_;
};

}  // namespace rill::python
