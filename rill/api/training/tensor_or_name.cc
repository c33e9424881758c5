#include "rill/api/training/tensor_or_name.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/core/texts.h"
#include "rill/api/train/misuse.h"

namespace rill::train {

std::string TensorOrName::text() const { return tensor_.node ? tensor_text(tensor_) : name_; }

Output TensorOrName::find() const {
  if (find_) return find_();
  const Graph& graph = *default_graph();
  if (tensor_.node) {
    if (&tensor_.node->graph() != &graph)
      misuse(Code::kInvalidArgument, "Passed ", tensor_text(tensor_),
             " should have graph attribute that is equal to current graph.");
    return tensor_;
  }
  if (name_.find(':') != name_.npos) return graph.tensor(name_);
  const Output first = graph.tensor(name_ + ":0");
  if (first.node->output_count() > 1)
    misuse(Code::kInvalidArgument, "Name ", name_,
           " is ambiguous, as this `Operation` has multiple outputs (at least 2).");
  return first;
}

}  // namespace rill::train
