#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {

// The part of a graph that one signature runs, as passes see and change it. Items refer to each
// other by position; an item that a pass no longer needs stays in place, unreachable, until
// `compact`.
struct Subgraph {
  struct Edge {
    int item = -1;
    int output = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  // One of the program's nodes that a rewritten item replaced. Its inputs are outputs of replaced
  // nodes before it (`item` is a position among these) or, where `item` is -1, the rewritten item's
  // input number `output`.
  struct ReplacedNode {
    const Node* node;
    std::vector<Edge> inputs;
  };
  using ReplacedNodes = std::shared_ptr<const std::vector<ReplacedNode>>;  // null: not rewritten
  struct Item {
    const Node* node = nullptr;  // the graph's node; also where a folded constant came from
    std::vector<Edge> inputs;
    std::vector<int> controls;  // items that must have run before
    int feed = -1;              // position in the signature's feeds: the item stands for that value
    std::optional<Tensor> constant;  // the value of output 0, known ahead
    int constant_output = 0;         // which output of `node` the constant replaces
    int device = 0;                  // where it runs: a position among the session's devices
    ReplacedNodes replaced;          // where a rewrite made this item: what it stands for

    bool is_plain() const { return feed < 0 && !constant; }
  };

  // Inputs and controls come before their users, except that a loop's NextIteration comes after the
  // Merge that reads it.
  std::vector<Item> items;
  std::vector<Edge> fetches;  // in the order of the signature
  std::vector<int> targets;   // items that must run
  // In one partition of a subgraph: the graph of the nodes that move values between partitions.
  // Some of these values may be dead.
  const Graph* helpers = nullptr;

  // What rewriting did: the graph of the nodes that it made, and how often each rewrite fired.
  struct Fired {
    const char* rewrite;
    int places;
  };
  std::shared_ptr<const Graph> rewritten;
  std::vector<Fired> fired;

  DType dtype(const Edge& edge) const;
  PartialShape shape(const Edge& edge) const;  // what the graph says of it
};

// What `fetches` and `targets` need, cut at `feeds`. Throws InvalidArgument on a cycle, or when a
// fetch names an output that its node does not have.
Subgraph prune(std::span<const Output> feeds, std::span<const Output> fetches,
               std::span<Node* const> targets);

// Restores the order of items after inputs were changed to later ones; changes it no more than that
// needs. An Exit comes after all of its loop (`loop_exits.h`). Throws Internal when they form
// a circle.
void sort_items(Subgraph& graph);

// Drops what no fetch or target reaches and restores the order.
void compact(Subgraph& graph);

// Runs one pure node on known inputs; empty when it cannot. The runtime implements it.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  virtual std::optional<std::vector<Tensor>> evaluate(const Node& node,
                                                      std::span<const Tensor> inputs) = 0;
};

// Each returns how many items it changed. Results are the same bits with and without them.
// Constant folding: a pure node whose inputs are constants becomes a constant.
int fold_constants(Subgraph& graph, Evaluator& evaluator);
// The same inside branches and loops, where constants have control inputs: the readers of a folded
// node take over its control inputs.
int fold_conditional(Subgraph& graph, Evaluator& evaluator);
// Common-subexpression elimination: of equal pure nodes one stays.
int common_subexpressions(Subgraph& graph);
// Readers of an Identity read its input.
int drop_identities(Subgraph& graph);
// Dead-code elimination beyond pruning: drops pure nodes that only control edges keep.
int dead_code(Subgraph& graph);

}  // namespace rill
