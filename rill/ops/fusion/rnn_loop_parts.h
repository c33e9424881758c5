#pragma once

#include <vector>

#include "rill/ops/fusion/rnn_clusters.h"

namespace rill {

// A while loop as a rewrite matches it, variable by variable. take() collects the items that were
// matched; is_closed() says whether these are the whole loop.
class LoopParts {
 public:
  struct Variable {
    int choice = -1, merge = -1;  // the Switch and the Merge
    Edge start, now, made;        // before the loop, in an iteration, for the next iteration
  };

  LoopParts(const Pattern& p, const Users& users) : p_(p), users_(users) {}

  // The variable whose value in an iteration is `now`; all must ask the same condition.
  bool variable(Edge now, Variable* found);
  bool variable_of_merge(Edge merged, Variable* found);
  // What is the same in all iterations, as it was before the loop.
  bool constant(Edge inside, Edge* outside);
  // Whether it starts at 0 and grows by 1.
  bool counts(const Variable& variable);
  // The value that leaves the loop: its Exit, -1 if nobody reads it, -2 if several do.
  int exit(const Variable& variable);

  int take(int item);
  Edge condition() const { return condition_; }
  const std::vector<int>& own() const { return own_; }
  // Whether nothing but its results connects own items with others. Sorts them.
  bool is_closed(std::span<const int> results);

 private:
  const Pattern& p_;
  const Users& users_;
  Edge condition_;
  std::vector<int> own_;
};

// An integer that is known ahead.
bool is_integer(const Pattern& p, Subgraph::Edge edge, std::int64_t wanted);
bool is_zeros(const Pattern& p, Subgraph::Edge edge);

}  // namespace rill
