#pragma once

#include <initializer_list>
#include <string_view>

#include "rill/passes/rewrite.h"

namespace rill {

using Edge = Subgraph::Edge;

// Whether a node has its channels in the last dimension, as it does where it does not say.
inline bool is_channels_last(const Node& node) {
  const auto it = node.attrs().find("data_format");
  return it == node.attrs().end() || attr<std::string>(node.attrs(), "data_format") == "NHWC";
}

// What rewrites ask of a subgraph while they match a pattern in it. Readers are those of the
// subgraph as it was when this was made: values that were added since have no known readers.
class Pattern {
 public:
  Pattern(Subgraph& graph, HelperNodes& nodes)
      : graph(graph), nodes(nodes), readers(graph), gone_(graph.items.size(), false) {}

  using Item = Subgraph::Item;

  int size() const { return static_cast<int>(graph.items.size()); }
  const Item& item(int i) const { return graph.items[static_cast<std::size_t>(i)]; }
  const Node& node(int i) const { return *item(i).node; }
  Edge input(int i, int which) const { return item(i).inputs[static_cast<std::size_t>(which)]; }

  // Whether item i was fused into another one.
  bool is_gone(int i) const { return gone_[static_cast<std::size_t>(i)]; }
  // Whether item i is a node of this op that was not fused into another one.
  bool is(int i, std::string_view op) const {
    return item(i).is_plain() && !gone_[static_cast<std::size_t>(i)] && node(i).op().name == op;
  }
  bool is(int i, std::initializer_list<const char*> ops) const;
  // The item that makes the value if it is one of these ops and has one reader, else -1.
  int only_for(Edge edge, std::initializer_list<const char*> ops) const;
  // The one element of a constant of float, half or double; false if the edge is no such thing.
  bool scalar(Edge edge, double* value) const;
  // The other input of a node with two when one of them is `edge`.
  Edge other(int i, Edge edge) const { return input(i, 0) == edge ? input(i, 1) : input(i, 0); }
  PartialShape shape(Edge edge) const { return graph.shape(edge); }
  // Whether the last dimension of `values` is known and `edge` is a vector of that size.
  bool is_vector_for(Edge edge, const PartialShape& values) const;

  // Whether the subgraph runs one of these ops at all: to be asked first, as it costs little.
  static bool occurs(const Subgraph& graph, std::initializer_list<std::string_view> ops);

  // A new node with these inputs in place of item `last`.
  void put(int last, std::string op, std::vector<Edge> inputs, AttrMap attrs,
           std::span<const int> fused);
  // The same in place of item `first`, as absorb() does it.
  void put_first(int first, std::string op, std::vector<Edge> inputs, AttrMap attrs,
                 std::span<const int> later);

  Subgraph& graph;
  HelperNodes& nodes;
  Readers readers;

 private:
  std::vector<bool> gone_;

  const Node& add(int at, std::string op, std::span<const Edge> inputs, AttrMap attrs);
};

}  // namespace rill
