#include "rill/graph/capture_by_value.h"

#include <map>

#include "rill/base/error.h"

namespace rill {
namespace {

class CopiedNodes {
 public:
  explicit CopiedNodes(Graph& body) : body_(body) {}

  Output copy(Output outside) { return copy(*outside.node).output(outside.index); }

 private:
  Node& copy(const Node& node) {
    if (const auto known = copies_.find(&node); known != copies_.end()) return *known->second;
    const auto refuse_if = [&](bool refused, const char* kind) {
      require(!refused, "Cannot capture a ", kind, " (name:", node.name(),
              ", type:", node.op().name, ") by value.");
    };
    refuse_if(node.op().name.starts_with("Placeholder"), "placeholder");
    refuse_if(node.op().has(kStateful), "stateful node");
    std::vector<Output> inputs;
    for (const Output& input : node.inputs()) inputs.push_back(copy(input));
    std::vector<Node*> control_inputs;
    for (const Node* before : node.control_inputs()) control_inputs.push_back(&copy(*before));
    Node& made = body_.add({.op = node.op().name,
                            .name = body_.unique_name(node.name()),
                            .inputs = std::move(inputs),
                            .control_inputs = std::move(control_inputs),
                            .attrs = node.attrs(),
                            .device = node.device()});
    copies_.emplace(&node, &made);
    return made;
  }

  Graph& body_;
  std::map<const Node*, Node*> copies_;
};

}  // namespace

void capture_by_value(FunctionBuilder& builder) {
  const auto copies = std::make_shared<CopiedNodes>(*builder.body());
  builder.body()->capture = [copies](Output outside) { return copies->copy(outside); };
}

}  // namespace rill
