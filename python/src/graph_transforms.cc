#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "graph_util.h"
#include "interpreter_lock.h"
#include "protos.h"
#include "rill/api/graph_transforms/inference.h"
#include "rill/api/graph_transforms/transform.h"
#include "rill/api/saver/freeze.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::python {
namespace {

using tensorflow::GraphDef;

GraphDef graph_in(const nb::bytes& bytes) {
  return message_in<GraphDef>({bytes.c_str(), bytes.size()});
}

template <class F>
nb::bytes transformed_bytes(F&& transform) {
  return missing_node_is_key_error([&] {
    GraphDef graph;
    {
      WithoutLock others_may_run;
      graph = transform();
    }
    return bytes_of(graph);
  });
}

std::vector<DType> dtypes_of_numbers(const std::vector<int>& numbers) {
  std::vector<DType> types;
  for (const int number : numbers) {
    require(is_valid(static_cast<DType>(number)), number, " is no type");
    types.push_back(static_cast<DType>(number));
  }
  return types;
}

}  // namespace

void bind_graph_transforms(nb::module_& m) {
  m.def("transform_graph", [](const nb::bytes& bytes, const Names& inputs, const Names& outputs,
                              const Names& transforms) {
    GraphDef graph = graph_in(bytes);
    return transformed_bytes([&] {
      return graph_transforms::transform_graph(std::move(graph), inputs, outputs,
                                               join(transforms, " "));
    });
  });
  m.def("strip_unused", [](const nb::bytes& bytes, const Names& inputs, const Names& outputs,
                           const std::vector<int>& types) {
    const GraphDef graph = graph_in(bytes);
    return transformed_bytes([&] {
      return graph_transforms::strip_unused(graph, inputs, outputs, dtypes_of_numbers(types));
    });
  });
  m.def("optimize_for_inference",
        [](const nb::bytes& bytes, const Names& inputs, const Names& outputs,
           const std::vector<int>& types, bool toco_compatible) {
          const GraphDef graph = graph_in(bytes);
          return transformed_bytes([&] {
            return graph_transforms::optimize_for_inference(
                graph, inputs, outputs, dtypes_of_numbers(types), toco_compatible);
          });
        });
  // One of the model's directory and the graph's file is "".
  m.def("freeze_files",
        [](const std::string& model, const std::string& graph, const std::string& checkpoint,
           const Names& outputs, const std::string& tags, bool clear_devices,
           const Names& initializers, const Names& whitelist, const Names& blacklist) {
          const saved_model::FreezeModelOptions options{
              .output_node_names = outputs,
              .tag_set = tags,
              .clear_devices = clear_devices,
              .variables = {.whitelist = as_set(whitelist), .blacklist = as_set(blacklist)},
              .initializer_nodes = initializers};
          return transformed_bytes([&] {
            return model.empty() ? saved_model::freeze_graph(graph, checkpoint, options)
                                 : saved_model::freeze_saved_model(model, options);
          });
        });
}

}  // namespace rill::python
