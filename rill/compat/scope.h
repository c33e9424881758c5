#pragma once

#include <memory>
#include <mutex>

#include "rill/graph/graph.h"
#include "tensorflow/cc/framework/scope.h"

namespace tensorflow {

// What all scopes of one graph share.
struct ScopeShared {
  std::shared_ptr<rill::Graph> graph;
  std::mutex mutex;
  Status status;
};

struct Scope::Impl {
  std::shared_ptr<ScopeShared> shared;
  string name, op_name, device, kernel_label;
  std::vector<rill::Node*> control;
  std::vector<string> colocation;  // "loc:@x"
  bool exit_on_error = false;
};

inline rill::Output to_rill(const Output& output) {
  return {output.node() == nullptr ? nullptr : output.node()->get(), output.index()};
}
inline Output from_rill(const rill::Output& output) {
  return Output(Operation(output.node), output.index);
}

}  // namespace tensorflow
