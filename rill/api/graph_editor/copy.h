#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rill/graph/graph.h"

namespace rill::graph_editor {

struct CopyOptions {
  Graph* graph = nullptr;  // where the copies go; nullptr: the graph of the nodes
  std::string dst_scope =
      {};  // name scope of the copies; a new one of that name unless it is reused
  std::string src_scope = {};  // which is taken off the front of names
  bool reuse_dst_scope = false;
  std::unordered_map<Output, Output, OutputHash> replacements = {};  // what copies read instead
};

struct Copies {
  std::unordered_map<const Node*, Node*> nodes = {};
  std::string scope = {};  // which they are in, with a "/" at its end; may be empty
};

// Copies nodes together with the edges between them. What they read from outside they go on reading
// in the same graph; in another graph each such tensor becomes a Placeholder. Throws
// InvalidArgument when a name or an edge is not possible there; then nothing has been added.
Copies copy_nodes(std::span<Node* const> nodes, const CopyOptions& options = {});

// Lets the readers of `from` read `to` instead: those of `readers`, or all when it is empty.
// Returns how many edges were moved.
int reroute(Output from, Output to, std::span<Node* const> readers = {});

}  // namespace rill::graph_editor
