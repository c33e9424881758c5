#include "graph_editor.h"

#include <nanobind/stl/string.h>

#include "errors.h"
#include "rill/api/graph_editor/copy.h"
#include "rill/api/graph_editor/walk.h"

namespace rill::python {
namespace {

// What a list of operations of one graph holds, and the object of that graph.
struct NodesOf {
  GraphObject* graph = nullptr;
  std::vector<Node*> nodes;

  explicit NodesOf(nb::handle list) {
    for (nb::handle item : list) {
      OperationObject& op = operation_object(item);
      graph = op.graph;
      nodes.push_back(&op.node());
    }
  }
};

nb::list wrap_nodes(GraphObject* graph, const std::vector<Node*>& nodes) {
  nb::list list;
  for (Node* node : nodes) list.append(wrap(*graph, *node));
  return list;
}

nb::list walk_operations(bool forward, nb::handle seeds, bool inclusive, nb::handle within,
                         nb::handle stop_at, bool control_edges) {
  const NodesOf begin(seeds);
  graph_editor::WalkOptions options{.inclusive = inclusive, .control_edges = control_edges};
  if (!within.is_none())
    options.within = [&](Node& node) {
      return nb::cast<bool>(nb::bool_(within(wrap(*begin.graph, node))));
    };
  for (nb::handle tensor : stop_at) options.stop_at.insert(tensor_object(tensor).output);
  return wrap_nodes(begin.graph, building([&] {
                      return forward ? graph_editor::forward_walk(begin.nodes, options)
                                     : graph_editor::backward_walk(begin.nodes, options);
                    }));
}

nb::tuple boundary(nb::handle ops) {
  const NodesOf inside(ops);
  if (inside.nodes.empty()) return nb::make_tuple(nb::list(), nb::list(), nb::list());
  const auto found = building([&] { return graph_editor::boundary_tensors(inside.nodes); });
  return nb::make_tuple(wrap(*inside.graph, found.inputs), wrap(*inside.graph, found.outputs),
                        wrap(*inside.graph, found.inside));
}

// Pairs of originals and copies, and the scope in which these are.
nb::tuple copy_operations(nb::handle ops, nb::handle replacements, nb::handle graph,
                          const std::string& dst_scope, const std::string& src_scope,
                          bool reuse_dst_scope) {
  const NodesOf from(ops);
  GraphObject& target = graph_object(graph);
  graph_editor::CopyOptions options{.graph = target.graph.get(),
                                    .dst_scope = dst_scope,
                                    .src_scope = src_scope,
                                    .reuse_dst_scope = reuse_dst_scope};
  for (auto [old, instead] : nb::cast<nb::dict>(replacements))
    options.replacements[tensor_object(old).output] = tensor_object(instead).output;
  const auto made = building([&] { return graph_editor::copy_nodes(from.nodes, options); });
  nb::dict pairs;
  for (Node* node : from.nodes)
    pairs[wrap(*from.graph, *node)] = wrap(target, *made.nodes.at(node));
  return nb::make_tuple(pairs, made.scope);
}

int reroute_tensor(TensorObject& from, TensorObject& to, nb::handle readers) {
  if (readers.is_none())
    return building([&] { return graph_editor::reroute(from.output, to.output); });
  const NodesOf allowed(readers);
  if (allowed.nodes.empty()) return 0;
  return building([&] { return graph_editor::reroute(from.output, to.output, allowed.nodes); });
}

}  // namespace

void bind_graph_editor(nb::module_& m) {
  m.def("walk_operations", walk_operations, nb::arg("forward"), nb::arg("seeds"),
        nb::arg("inclusive"), nb::arg("within").none(), nb::arg("stop_at"),
        nb::arg("control_edges"));
  m.def("boundary_tensors", boundary, nb::arg("ops"));
  m.def("copy_operations", copy_operations, nb::arg("ops"), nb::arg("replacements"),
        nb::arg("graph"), nb::arg("dst_scope"), nb::arg("src_scope"), nb::arg("reuse_dst_scope"));
  m.def("reroute_tensor", reroute_tensor, nb::arg("source"), nb::arg("target"),
        nb::arg("readers").none());
}

}  // namespace rill::python
