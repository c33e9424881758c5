#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objects.h"
#include "rill/graph/grad_ctx.h"
#include "rill/graph/scope.h"

namespace rill::python {

// The arguments of one call of a function of the table, by the names of its signature.
class Call {
 public:
  Call(const std::vector<std::string>& names, std::span<PyObject* const> values)
      : names_(names), values_(values) {}

  nb::handle operator[](std::string_view name) const;  // as given, or the signature's default
  bool has(std::string_view name) const { return !(*this)[name].is_none(); }

  // A tensor, or what becomes one. Lists that hold tensors are packed.
  Input input(std::string_view name, DType dtype = DType::invalid) const;
  std::optional<Input> optional_input(std::string_view name, DType dtype = DType::invalid) const;
  // A list of tensors; a single one that is no list is refused with TypeError.
  std::vector<Input> inputs(std::string_view name, DType dtype = DType::invalid) const;

  DType dtype(std::string_view name, DType if_none = DType::invalid) const;
  PartialShape shape(std::string_view name) const;
  std::string text(std::string_view name) const;  // "" for None
  std::string name() const { return text("name"); }
  bool flag(std::string_view name) const;  // by truth value; None is false
  std::int64_t integer(std::string_view name) const;
  std::optional<std::int64_t> optional_integer(std::string_view name) const;
  double number(std::string_view name) const;

 private:
  const std::vector<std::string>& names_;
  std::span<PyObject* const> values_;
};

// One function of the Python face. `signature` is written as TensorFlow documents it, with the
// path below `tf` that its other names are aliases of: "math.reduce_sum(input_tensor, axis=None)".
struct Function {
  const char* signature;
  nb::object (*run)(const Call& call);
  const char* doc = "";
};

// What functions return: tensors and operations as the Python objects of their graph.
nb::object give(Output output);
nb::object give(Node& operation);
nb::object give(const std::vector<Output>& outputs);  // a list
nb::object give(const Gradient& gradient);            // None, a tensor or IndexedSlices

// Makes the functions known to `function(path)` of the module.
void add_functions(std::span<const Function> table);
// The graph of the tensors among `arguments` is the default one, and what is made is said to be
// made where the program stands, while this lives.
class InCallersPlace {
 public:
  explicit InCallersPlace(std::span<PyObject* const> arguments);
  ~InCallersPlace();
  InCallersPlace(const InCallersPlace&) = delete;
  InCallersPlace& operator=(const InCallersPlace&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

void bind_calls(nb::module_& m);

}  // namespace rill::python
