#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/proto/messages_fwd.h"

// Rewriting of graphs that are messages and will only be run, as TensorFlow's transform_graph does.
namespace rill::graph_transforms {

using Names = std::vector<std::string>;

// One rewriting, by TensorFlow's name, and what is said about it.
struct Transform {
  std::string name = {};
  std::map<std::string, Names> arguments = {};

  // The values of an argument; none when it was not given.
  const Names& all(const std::string& argument) const;
  // Its only value. These throw InvalidArgument when it is missing (and there is no other), given
  // twice, or no such value.
  std::string one(const std::string& argument) const;
  std::string one_or(const std::string& argument, const std::string& otherwise) const;
  long long int_or(const std::string& argument, long long otherwise) const;
  bool bool_or(const std::string& argument, bool otherwise) const;
};

// 'strip_unused_nodes(type=float, shape="1,299") remove_device'. Throws InvalidArgument when it is
// not such a list.
std::vector<Transform> parse_transforms(std::string_view text);

// One after the other over the graph. Names of nodes or of tensors say what is fed and what is
// fetched; none of them goes away. Throws InvalidArgument for an unknown name ("Transform 'x' not
// recognized."); where a transform fails and has the argument ignore_errors=true, it is left out.
tensorflow::GraphDef transform_graph(tensorflow::GraphDef graph, const Names& inputs,
                                     const Names& outputs, std::span<const Transform> transforms);
tensorflow::GraphDef transform_graph(tensorflow::GraphDef graph, const Names& inputs,
                                     const Names& outputs, std::string_view transforms);

// What `rill optimize` does when it is not told: all that keeps the results.
inline constexpr std::string_view kInferenceTransforms =
    "strip_unused_nodes use_defaults remove_training_nodes fold_constants fold_branches "
    "remove_training_nodes fold_constants fold_batch_norms fold_old_batch_norms "
    "merge_duplicate_nodes sort_by_execution_order";

// What a transform is given besides the graph.
struct Context {
  Names inputs = {}, outputs = {};  // of nodes
  const Transform& transform;

  Names kept() const;  // both
};
struct KnownTransform {
  const char* name;
  const char* summary;
  tensorflow::GraphDef (*run)(tensorflow::GraphDef graph, const Context& context);
};
std::span<const KnownTransform> known_transforms();  // sorted by name

}  // namespace rill::graph_transforms
