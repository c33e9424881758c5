#include "graph_util.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "numpy.h"
#include "protos.h"
#include "rill/api/graph_util/graph_util.h"

namespace rill::python {
namespace {

using Names = std::vector<std::string>;

template <class Message>
Message from_bytes(const nb::bytes& bytes) {
  return message_in<Message>({bytes.c_str(), bytes.size()});
}

nb::bytes to_bytes(const tensorflow::GraphDef& graph) {
  const std::string bytes = graph.SerializeAsString();
  return nb::bytes(bytes.data(), bytes.size());
}

std::set<std::string> as_set(const Names& names) { return {names.begin(), names.end()}; }

// A node that is not there is a KeyError here, which the caller words.
template <class F>
nb::bytes made(F&& f) {
  try {
    return to_bytes(f());
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound) throw_python(PyExc_KeyError, error.message());
    throw_build_error(error);
  }
}

nb::bytes convert_variables(const nb::bytes& graph, const Names& outputs, nb::object run,
                            const Names& whitelist, const Names& blacklist) {
  const auto read = [&](const Names& tensors) {
    std::vector<Tensor> values;
    for (nb::handle value : run(tensors))
      values.push_back(tensor_from_value(value, DType::invalid));
    return values;
  };
  return made([&] {
    return graph_util::convert_variables_to_constants(
        from_bytes<tensorflow::GraphDef>(graph), outputs, read,
        {.whitelist = as_set(whitelist), .blacklist = as_set(blacklist)});
  });
}

}  // namespace

void bind_graph_util(nb::module_& m) {
  m.def("extract_sub_graph", [](const nb::bytes& graph, const Names& nodes) {
    return made([&] {
      return graph_util::extract_sub_graph(from_bytes<tensorflow::GraphDef>(graph), nodes);
    });
  });
  m.def("remove_training_nodes", [](const nb::bytes& graph, const Names& kept) {
    return made([&] {
      return graph_util::remove_training_nodes(from_bytes<tensorflow::GraphDef>(graph),
                                               as_set(kept));
    });
  });
  m.def("must_run_on_cpu", [](const nb::bytes& node, bool pin_variables) {
    return graph_util::must_run_on_cpu(from_bytes<tensorflow::NodeDef>(node), pin_variables);
  });
  m.def("convert_variables_to_constants", convert_variables);
}

}  // namespace rill::python
