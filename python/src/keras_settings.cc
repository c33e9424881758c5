#include "dtypes.h"
#include "errors.h"
#include "keras.h"
#include "plain_values.h"
#include "truth.h"
#include "variables.h"

namespace rill::python {

bool Settings::has(const char* name) const {
  return values_.contains(name) && !nb::object(values_[name]).is_none();
}
nb::object Settings::operator[](const char* name) const {
  return values_.contains(name) ? nb::object(values_[name]) : nb::object(nb::none());
}
bool Settings::flag(const char* name, bool otherwise) const {
  if (!has(name) || is_variable(values_[name])) return otherwise;  // a weight may be called so, too
  return truth_of(values_[name]);
}
double Settings::number(const char* name, double otherwise) const {
  if (!has(name)) return otherwise;
  const double value = PyFloat_AsDouble(nb::object(values_[name]).ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value;
}
std::int64_t Settings::integer(const char* name, std::int64_t otherwise) const {
  if (!has(name)) return otherwise;
  const nb::object number = nb::steal(PyNumber_Index(nb::object(values_[name]).ptr()));
  if (!number.is_valid()) throw nb::python_error();
  return integer_of(number);
}
std::string Settings::text(const char* name, const std::string& otherwise) const {
  return has(name) ? str_of(nb::object(values_[name])) : otherwise;
}
std::vector<std::int64_t> Settings::integers(const char* name) const {
  if (!has(name)) return {};
  const nb::object value = values_[name];
  if (PyIndex_Check(value.ptr())) return {integer(name)};
  std::vector<std::int64_t> list;
  for (nb::handle item : value) list.push_back(integer_of(item));
  return list;
}
std::vector<double> Settings::numbers(const char* name) const {
  if (!has(name)) return {};
  const nb::object value = values_[name];
  if (PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr())) return {number(name)};
  std::vector<double> list;
  for (nb::handle item : value) list.push_back(number_of(nb::float_(item)));
  return list;
}
std::optional<double> Settings::optional_number(const char* name) const {
  if (!has(name)) return {};
  return number(name);
}
std::optional<std::int64_t> Settings::optional_integer(const char* name) const {
  if (!has(name)) return {};
  return integer(name);
}
DType Settings::dtype(const char* name) const {
  return has(name) ? base_type(as_dtype(nb::object(values_[name]))) : DType::invalid;
}

}  // namespace rill::python
