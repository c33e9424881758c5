#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/graph/executed_node.h"
#include "rill/graph/graph.h"

namespace rill {

// Executes the ops of an eager graph, one kernel after the other, on the thread that asks. There is
// one for the process; its variables, tables and iterators live as long as their handles.
class EagerContext {
 public:
  static EagerContext& instance();  // made when it is first asked for, and never ended

  const std::shared_ptr<Graph>& graph() const;
  std::vector<std::string> devices() const;
  // Kernels that were run so far, for tests.
  std::int64_t calls() const;
  // Called after each op, on the thread that has executed it; what it throws reaches the program.
  // An empty one: nobody.
  using Observer = std::function<void(ExecutedNode& node, const std::vector<Output>& inputs)>;
  void set_observer(Observer observer);
  bool is_observed() const;
  // Whether ops can run on this machine's processor alone.
  bool has_one_device() const;
  // A tensor of that value, of which the host computed it.
  Output constant(Tensor value) const;
  // An op that waits longer for something to come is DeadlineExceeded; 0, as at first: no limit.
  void set_timeout(std::int64_t milliseconds);

 private:
  EagerContext();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rill
