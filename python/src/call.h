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
  bool knows(std::string_view name) const;  // whether the signature has it
  std::string_view parameter(std::size_t i) const { return names_.at(i); }
  // Whichever of an argument's two names was used; ValueError where both were.
  std::string_view given(std::string_view name, std::string_view old_name) const;

  // A tensor, or what becomes one. Lists that hold tensors are packed.
  Input input(std::string_view name, DType dtype = DType::invalid) const;
  OptionalInput optional_input(std::string_view name, DType dtype = DType::invalid) const;
  // The other side of a tensor in an operation: takes that one's type where it can.
  Input operand(std::string_view name) const;
  // A list of tensors; a single one that is no list is refused with TypeError.
  std::vector<Input> inputs(std::string_view name, DType dtype = DType::invalid) const;

  DType dtype(std::string_view name, DType if_none = DType::invalid) const;
  PartialShape shape(std::string_view name) const;
  std::string text(std::string_view name) const;  // "" for None
  std::string name() const { return text("name"); }
  bool flag(std::string_view name) const;  // by truth value; None is false
  std::int64_t integer(std::string_view name) const;
  std::optional<std::int64_t> optional_integer(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;  // a single one, too
  double number(std::string_view name) const;

 private:
  const std::vector<std::string>& names_;
  std::span<PyObject* const> values_;
};

// The op of a function that makes one node; rill/api/plain_ops has the table.
struct PlainOp {
  const char* op = nullptr;
  const char* node_name = "";  // default; empty: the op's
  const char* renames = "";    // "argument=argument_of_the_op ..."
};

// One function of the Python face. It has `run`, or is one op and has `plain`. `signature` is
// written as TensorFlow documents it, with the path below `tf` that its other names are aliases of:
// "math.reduce_sum(input_tensor, axis=None)".
struct Function {
  const char* signature;
  nb::object (*run)(const Call& call);
  const char* doc = "";  // empty: the op's
  PlainOp plain = {};
};

// What functions return: tensors and operations as the Python objects of their graph.
// The object of the graph that a node belongs to. Raises RuntimeError where it has none any more.
nb::object graph_of(const Node& node);
nb::object give(Output output);
nb::object give(Node& operation);
nb::object give(const std::vector<Output>& outputs);  // a list
nb::object give(const Gradient& gradient);            // None, a tensor or IndexedSlices

// Adds functions to the table.
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

// `find_function(path)`, which is None for an unknown path, and `function_paths()`.
void bind_calls(nb::module_& m);
// The functions that have been added by now as attributes: `functions.nn.softmax`.
void bind_function_modules(nb::module_& m);

}  // namespace rill::python
