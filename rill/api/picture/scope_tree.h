#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/picture/picture.h"

namespace rill::picture {

// A name scope, or a node: one that has no children.
struct Group {
  std::string name = {},
              path = {};  // the last part of the path, or several where scopes hold one thing only
  int parent = -1;
  std::vector<int> children = {};
  int node = -1;  // its position in the graph; -1 for scopes
  bool open = false;
  std::int64_t nodes = 0, parameters = 0;  // below it
  std::string detail = {};                 // of a node: the shape of its weights

  bool is_scope() const { return node < 0; }
};

// What of a graph is worth showing, by name scope.
struct ScopeTree {
  std::vector<Group> groups = {};                // the first holds all others
  std::map<std::pair<int, int>, int> flow = {};  // between nodes' groups: how many tensors
  std::map<std::string, int> left_out = {};      // scopes that are not drawn: how many nodes
};
ScopeTree make_scope_tree(const tensorflow::GraphDef& graph, const Options& options);

// Opens scopes, the largest first, as long as there are no more than so many boxes to see.
void open_scopes(ScopeTree& tree, int boxes);

}  // namespace rill::picture
