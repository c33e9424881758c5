#pragma once

#include <span>
#include <utility>
#include <vector>

#include "rill/ops/fusion/pattern.h"

namespace rill {

// Who reads each value: items, and -1 for a fetch.
class Users {
 public:
  explicit Users(const Subgraph& graph);

  std::vector<int> of(Edge value) const;
  // The only reader of the value, not counting Shape and its like; -1: none, or several.
  int computing(const Pattern& p, Edge value) const;
  // Whether outside of `members` only the shape of the item's values is read.
  bool only_shapes_leave(const Pattern& p, int item, std::span<const int> members) const;
  bool leaves(int item, std::span<const int> members) const;  // whether anybody else reads it

 private:
  std::vector<std::vector<std::pair<int, int>>> readers_;  // per item: output and reader
};

// Items that will be fused to one node with several outputs.
struct Cluster {
  struct Move {
    int item;
    Subgraph::Edge to;
    bool is_output;  // `to` is an output of the new node, else a value as it was before
  };
  int last;  // whose readers read output 0
  std::string op;
  std::vector<Subgraph::Edge> inputs;
  AttrMap attrs;
  std::vector<int> members;  // sorted, with `last`
  std::vector<Move> moves;   // where the values of members are; of others nobody reads any
};

// Whether items may be fused: they are in the same branches and loops, and the same blocking items
// come before them.
class CanFuse {
 public:
  explicit CanFuse(const Subgraph& graph);
  bool operator()(std::span<const int> members) const;

 private:
  const Subgraph& graph_;
  std::vector<int> regions_, blocking_sets_;
};

// Fuses the clusters, except for those that would make a cycle; returns how many.
int put_clusters(Pattern& p, std::vector<Cluster> clusters);

// Where several summands of an AddN have become `value`, which is their sum, keeps one of them.
void add_once(Pattern& p, int sum, Subgraph::Edge value);

}  // namespace rill
