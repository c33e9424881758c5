#pragma once

#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rill/graph/graph.h"
#include "rill/runtime/session/session.h"

namespace rill {

// A graph whose values can be looked at while it grows. What was added since the last look runs
// then, every node once, effects in the order in which their nodes were made; the values stay, so
// that gradients can be taken of what was computed. For one thread at a time.
//
//   Recording recording;
//   AsDefault as_default(recording.graph());
//   Output y = square(recording.add_value(x));
//   if (*recording.value(y).data<float>() > 1) ...
class Recording : public std::enable_shared_from_this<Recording> {
 public:
  Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  const std::shared_ptr<Graph>& graph() const { return graph_; }

  // A placeholder with that value; shares the tensor's memory.
  Output add_value(Tensor value);
  // Throws what the kernels throw; InvalidArgument for a tensor of another graph or one inside a
  // branch or loop, Unimplemented where a node makes a reference variable.
  Tensor value(Output x);
  // Runs what value() would run. Where it throws, nodes that had their turn are not run again:
  // their effects must not come twice.
  void run_new();

  // The sum of d y / d x over all ys, each weighted by its dy; nothing where no y depends on the
  // x.
  std::vector<std::optional<Tensor>> gradients(std::span<const Output> ys,
                                               std::span<const Tensor> dys,
                                               std::span<const Output> xs);

 private:
  struct Hash {
    std::size_t operator()(const Output& x) const {
      return static_cast<std::size_t>(x.node->id()) * 31 + static_cast<std::size_t>(x.index);
    }
  };

  std::shared_ptr<Graph> graph_;
  Session session_;
  std::unordered_map<Output, Tensor, Hash> values_;
  int run_ = 0;  // nodes with a lower id have run
};

}  // namespace rill
