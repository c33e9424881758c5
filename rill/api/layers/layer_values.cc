#include "rill/api/layers/layer_values.h"

#include <map>

#include "rill/api/core/basic_ops.h"

namespace rill::layers {
namespace {

// What sets a variable; made once for each.
struct Assignment {
  Output fed;
  Node* write = nullptr;
};
struct Assignments {
  std::map<const VariableState*, Assignment> made;
};

Assignment assignment_of(const Variable& variable) {
  Assignment& known = variable.graph().attached<Assignments>().made[variable.state().get()];
  if (known.write != nullptr) return known;
  known.fed = placeholder(variable.dtype(), PartialShape::of_rank(variable.shape().rank()));
  known.write = &variable.assign_op(known.fed);
  return known;
}

}  // namespace

std::vector<Tensor> get_weights(const Layer& layer, Session& session) {
  std::vector<Output> all;
  for (const Variable& variable : layer.weights()) all.push_back(variable.snapshot());
  return session.run({}, all);
}

void set_weights(const Layer& layer, Session& session, const std::vector<Tensor>& values) {
  const std::vector<Variable> variables = layer.weights();
  require(values.size() == variables.size(), "You called `set_weights(weights)` on layer \"",
          layer.name(), "\" with a weight list of length ", values.size(),
          ", but the layer was expecting ", variables.size(), " weights.");
  std::vector<Feed> feeds;
  std::vector<Node*> writes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(variables[i].shape().accepts(values[i].shape()), "Layer weight shape ",
            variables[i].shape(), " not compatible with provided weight shape ", values[i].shape());
    const Assignment assignment = assignment_of(variables[i]);
    feeds.push_back({assignment.fed, values[i]});
    writes.push_back(assignment.write);
  }
  session.run(feeds, {}, writes);
}

}  // namespace rill::layers
