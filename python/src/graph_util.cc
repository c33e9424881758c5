#include "graph_util.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "numpy.h"
#include "protos.h"
#include "rill/api/graph_util/graph_util.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::python {
namespace {

template <class Message>
Message message_of_bytes(const nb::bytes& bytes) {
  return message_in<Message>({bytes.c_str(), bytes.size()});
}

template <class F>
nb::bytes graph_bytes(F&& make) {
  return missing_node_is_key_error([&] { return bytes_of(make()); });
}

nb::bytes convert_variables(const nb::bytes& graph, const Names& outputs, nb::object run,
                            const Names& whitelist, const Names& blacklist) {
  const auto read = [&](const Names& tensors) {
    std::vector<Tensor> values;
    for (nb::handle value : run(tensors))
      values.push_back(tensor_from_value(value, DType::invalid));
    return values;
  };
  return graph_bytes([&] {
    return graph_util::convert_variables_to_constants(
        message_of_bytes<tensorflow::GraphDef>(graph), outputs, read,
        {.whitelist = as_set(whitelist), .blacklist = as_set(blacklist)});
  });
}

}  // namespace

void bind_graph_util(nb::module_& m) {
  m.def("extract_sub_graph", [](const nb::bytes& graph, const Names& nodes) {
    return graph_bytes([&] {
      return graph_util::extract_sub_graph(message_of_bytes<tensorflow::GraphDef>(graph), nodes);
    });
  });
  m.def("remove_training_nodes", [](const nb::bytes& graph, const Names& kept) {
    return graph_bytes([&] {
      return graph_util::remove_training_nodes(message_of_bytes<tensorflow::GraphDef>(graph),
                                               as_set(kept));
    });
  });
  m.def("must_run_on_cpu", [](const nb::bytes& node, bool pin_variables) {
    return graph_util::must_run_on_cpu(message_of_bytes<tensorflow::NodeDef>(node), pin_variables);
  });
  m.def("convert_variables_to_constants", convert_variables);
}

}  // namespace rill::python
