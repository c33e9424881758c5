#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {
struct VariableState;
}  // namespace rill

namespace rill::python {

namespace nb = nanobind;

// A tensor, or an operation when the output index is kOperation.
inline constexpr int kOperation = -1;

struct OutputHash {
  std::size_t operator()(const Output& o) const {
    return std::hash<const void*>()(o.node.get()) * 31 + static_cast<std::size_t>(o.index + 1);
  }
};

// Python's Graph. An operation or tensor has one Python object as long as anyone holds it; the
// graph itself holds only those that were given attributes, so that these are not lost.
struct GraphObject {
  explicit GraphObject(std::shared_ptr<Graph> g) : graph(std::move(g)) {}
  ~GraphObject();

  std::shared_ptr<Graph> graph;
  PyObject* self = nullptr;                                    // borrowed
  std::unordered_map<Output, PyObject*, OutputHash> wrappers;  // borrowed, living objects
  std::unordered_map<Output, nb::object, OutputHash> pinned;   // given attributes by a program
  std::unordered_map<const VariableState*, nb::object> variables;
};

// Python's Operation and Tensor.
struct ElementObject {
  GraphObject* graph = nullptr;
  nb::object graph_object;  // keeps `graph` alive
  Output output;            // index kOperation for an operation

  ~ElementObject();
  Node& node() const { return *output.node; }
};
struct OperationObject : ElementObject {};
struct TensorObject : ElementObject {};
struct EagerTensorObject : TensorObject {};  // one of the eager graph: it has a value

extern PyTypeObject* graph_type;
extern PyTypeObject* operation_type;
extern PyTypeObject* tensor_type;
extern PyTypeObject* eager_tensor_type;  // a subclass of tensor_type

inline bool is_graph(nb::handle h) { return PyObject_TypeCheck(h.ptr(), graph_type) != 0; }
inline bool is_operation(nb::handle h) { return PyObject_TypeCheck(h.ptr(), operation_type) != 0; }
inline bool is_tensor(nb::handle h) { return PyObject_TypeCheck(h.ptr(), tensor_type) != 0; }

// What an object of Python holds. Raises TypeError for one of another type, or a tensor or
// operation that a program made by __new__ alone.
[[noreturn]] void wrong_object(nb::handle h, const char* expected);
template <class T>
T& held_object(nb::handle h, PyTypeObject* type, const char* expected) {
  if (!h.is_valid() || !PyObject_TypeCheck(h.ptr(), type)) [[unlikely]]
    wrong_object(h, expected);
  return *nb::inst_ptr<T>(h);
}
inline GraphObject& graph_object(nb::handle h) {
  return held_object<GraphObject>(h, graph_type, "Graph");
}
inline OperationObject& operation_object(nb::handle h) {
  auto& object = held_object<OperationObject>(h, operation_type, "Operation");
  if (!nb::inst_ready(h)) [[unlikely]]
    wrong_object(h, "Operation");
  return object;
}
inline TensorObject& tensor_object(nb::handle h) {
  auto& object = held_object<TensorObject>(h, tensor_type, "Tensor");
  if (!nb::inst_ready(h)) [[unlikely]]
    wrong_object(h, "Tensor");
  return object;
}

nb::object wrap(const std::shared_ptr<Graph>& graph);
// A new object for a graph that has none, which nothing but its holders keeps.
nb::object new_graph_object(const std::shared_ptr<Graph>& graph);
GraphObject* known_graph(const Graph& graph);  // nullptr when it has no object
GraphObject& eager_graph_object();
nb::object wrap(GraphObject& graph, Node& node);  // None where it was executed
nb::object wrap(GraphObject& graph, Output output);
nb::list wrap(GraphObject& graph, const std::vector<Output>& outputs);

// What `obj` (a tensor, operation, name, or an object with _as_graph_element) means in `graph`.
// Raises TypeError, ValueError or KeyError as TensorFlow's Graph.as_graph_element does.
Output graph_element(GraphObject& graph, nb::handle obj, bool allow_tensor, bool allow_operation);

// A list or a tuple.
inline bool is_sequence(nb::handle value) {
  return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr());
}

// Whether `value` is made of several tensors, which it has as `_component_tensors`: a SparseTensor.
bool is_composite(nb::handle value);

// The graph in which an op with these inputs is made: the inputs' own, else the default one.
class GraphChoice {
 public:
  void see(nb::handle value);  // looks into lists; raises ValueError on a second graph
  GraphObject& graph();

 private:
  nb::object chosen_;
  nb::handle first_;
};

std::string tensor_text(const Output& output);  // Tensor("x:0", shape=(2,), dtype=float32)

void bind_graph(nb::module_& m);
void bind_elements(nb::module_& m);

}  // namespace rill::python
