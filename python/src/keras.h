#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "objects.h"

namespace rill::python {

// What a class of tf.keras is set up with: a dict of Python's arguments.
class Settings {
 public:
  explicit Settings(nb::dict values) : values_(std::move(values)) {}

  bool has(const char* name) const;  // given, and not None
  nb::object operator[](const char* name) const;
  // The value, or what is said to be otherwise.
  bool flag(const char* name, bool otherwise = false) const;
  double number(const char* name, double otherwise = 0) const;
  std::int64_t integer(const char* name, std::int64_t otherwise = 0) const;
  std::string text(const char* name, const std::string& otherwise = {}) const;
  std::vector<std::int64_t> integers(const char* name) const;  // a single one, too
  std::vector<double> numbers(const char* name) const;
  std::optional<double> optional_number(const char* name) const;
  std::optional<std::int64_t> optional_integer(const char* name) const;
  DType dtype(const char* name) const;

 private:
  nb::dict values_;
};

void bind_keras_backend(nb::module_& m);
void bind_keras_functions();
void bind_keras_images(nb::module_& m);
void bind_keras_layers(nb::module_& m);
void bind_keras_metrics(nb::module_& m);
void bind_keras_optimizers(nb::module_& m);
void bind_keras_training(nb::module_& m);

}  // namespace rill::python
