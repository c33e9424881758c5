#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "rill/graph/node.h"

namespace rill::python {

namespace nb = nanobind;

// What tells the calls of a function apart: the structure of the arguments, types and shapes of
// tensors, values of plain Python objects, which object it is of others. The tensors themselves are
// set aside in order.
class SignatureKey {
 public:
  void add(nb::handle value);
  void add_call(nb::handle args, nb::handle kwargs);

  const std::string& bytes() const { return bytes_; }
  std::vector<Output> tensors;
  std::vector<nb::handle> objects;  // told apart by where they lie

 private:
  void add_tensor(const Output& tensor);
  void add_described(nb::handle spec);  // a TensorSpec, as the tensor that it describes
  void put_kind(DType dtype, const PartialShape& shape);
  void add_dict(nb::handle dict);
  void add_items(char kind, nb::handle sequence);
  bool add_plain(nb::handle value);
  void add_object(char kind, nb::handle value);
  template <class T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  std::string bytes_;
};

// Whether an argument is passed as a tensor: tensors, NumPy's arrays and scalars.
bool is_passed_as_tensor(nb::handle value);
// The names of a dict in the order of its items in structures.
std::vector<nb::object> ordered_keys(nb::handle dict);

}  // namespace rill::python
