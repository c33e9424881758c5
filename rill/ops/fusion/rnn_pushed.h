#pragma once

#include <map>

#include "rill/ops/fusion/rnn_clusters.h"

namespace rill {

// Values that a loop pushes to stacks for its gradient: finds, for a popped value, the one that was
// pushed.
class Pushed {
 public:
  explicit Pushed(const Pattern& p);

  // The value itself where it comes from no stack.
  Edge source(Edge value) const;
  // A value from before a loop, as it is there.
  Edge outside(Edge value) const;
  // Whether those who get this value are only told its shape, here or from a stack.
  bool only_shape_is_read(const Users& users, Edge value, std::span<const int> apart_from) const;

 private:
  int stack_of(int i) const;

  const Pattern& p_;
  std::map<int, Edge> pushed_;
  std::map<int, std::vector<int>> pops_;
};

}  // namespace rill
