#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rill/runtime/session/session.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::inspect {

// A model that can be asked again and again.
struct BenchedModel {
  struct Port {
    std::string name;  // the signature's, or the tensor's own
    Output tensor;
  };
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Session> session;
  std::vector<Port> inputs, outputs;

  std::vector<Output> feeds() const;
  std::vector<Output> fetches() const;
};

struct ModelSource {
  std::string tag_set = "serve";
  std::string signature;  // "": serving_default, or the only one
  // Of a graph: tensors, [name=]node[:output]. None: what nobody in the graph reads is asked for,
  // and the placeholders that it needs are fed.
  std::vector<std::string> inputs, outputs;
  SessionOptions session;
};
// Throws NotFound when there is no such model, signature or tensor.
BenchedModel open_saved_model(const std::string& directory, const ModelSource& source = {});
BenchedModel open_graph(const tensorflow::GraphDef& graph, const ModelSource& source = {});

struct FeedWishes {
  std::int64_t batch = 1;                // for an unknown first dimension
  std::map<std::string, Shape> shapes;   // by the inputs' names; for other unknown dimensions
  std::map<std::string, Tensor> values;  // by the inputs' names: fed as they are
  std::int64_t largest_integer = 9;
};
// Numbers in [0, 1), whole ones up to the largest, empty strings: the same in every process. Throws
// InvalidArgument for an input whose shape is neither known nor given, and for wishes about inputs
// that the model does not have.
std::vector<Tensor> made_feeds(const BenchedModel& model, const FeedWishes& wishes = {});

}  // namespace rill::inspect
