#pragma once

#include <map>
#include <string>
#include <vector>

#include "rill/api/graph_transforms/transform.h"
#include "rill/proto/boxed_message.h"

// Models that are one graph without variables, and files of them.
namespace rill::convert {

using Names = std::vector<std::string>;

struct FrozenModel {
  BoxedMessage<tensorflow::GraphDef> graph = {};
  std::map<std::string, BoxedMessage<tensorflow::SignatureDef>> signatures =
      {};  // none: nothing is known of its use

  // The tensors that signatures take and give, each once.
  Names inputs() const;
  Names outputs() const;
};

struct FrozenModelOptions {
  // What goes in and what comes out: "tensor" or "name=tensor". For a SavedModel, what its
  // signatures say unless outputs are given here; for a graph, the placeholders that the outputs
  // need unless inputs are given.
  Names inputs = {}, outputs = {};
  std::string tag_set = "serve";
};
// A SavedModel, with its variables as constants, or a graph in a file. Throws InvalidArgument for
// anything else.
FrozenModel read_frozen_model(const std::string& path, const FrozenModelOptions& options = {});

// A file that ends in .pb or .pbtxt gets the graph; anything else is the directory of a SavedModel,
// which needs signatures. Throws InvalidArgument when there are none.
void write_frozen_model(const FrozenModel& model, const std::string& path);

// A graph in a file: as text when its name ends in .pbtxt.
void write_graph_def(const tensorflow::GraphDef& graph, const std::string& path);
bool is_graph_path(const std::string& path);  // ends in .pb or .pbtxt

// Of items "tensor" and "name=tensor": the nodes.
Names node_names(const Names& items);
// The placeholders that such outputs need.
Names placeholders_of(const tensorflow::GraphDef& graph, const Names& outputs);
// The signature that takes `inputs` and gives `outputs` of the default graph; see
// FrozenModelOptions.
tensorflow::SignatureDef signature_of(const Names& inputs, const Names& outputs);

struct OptimizeOptions {
  FrozenModelOptions model = {};
  std::string transforms{graph_transforms::kInferenceTransforms};
};
// The model rewritten for running alone: see transform_graph.
FrozenModel optimize(const std::string& path, const OptimizeOptions& options = {});
FrozenModel optimized(const FrozenModel& model, std::string_view transforms);

}  // namespace rill::convert
