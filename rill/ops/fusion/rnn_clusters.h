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
  // The one item that computes with the value; those that ask for its shape do not. -1: none, or
  // several.
  int computing(const Pattern& p, Edge value) const;
  // Whether nobody but `members` computes with what an item gives out.
  bool only_shapes_leave(const Pattern& p, int item, std::span<const int> members) const;
  bool leaves(int item, std::span<const int> members) const;  // whether anybody else reads it

 private:
  std::vector<std::vector<std::pair<int, int>>> readers_;  // per item: output and reader
};

// Items that become one node with several outputs.
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

// Items that may become one: in the same branches and loops, behind the same waiting.
class Together {
 public:
  explicit Together(const Subgraph& graph);
  bool operator()(std::span<const int> members) const;

 private:
  const Subgraph& graph_;
  std::vector<int> regions_, waits_;
};

// Puts them in place, without those that would make a circle; returns how many.
int put_clusters(Pattern& p, std::vector<Cluster> clusters);

// Where several summands have become `value`, which is all of them together, adds it once.
void add_once(Pattern& p, int sum, Subgraph::Edge value);

}  // namespace rill
