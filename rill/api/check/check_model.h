#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rill/proto/messages_fwd.h"

// Whether graphs that are files will run here.
namespace rill::check {

// What stands in the way, and the nodes that it is about ("function/node" inside of functions).
struct Problem {
  std::string op = {};  // "": of the graph as a whole
  std::string what = {};
  bool unknown_op = false;
  std::vector<std::string> nodes = {};
};

struct GraphReport {
  std::string name = {};  // the tags of a SavedModel's graph; else ""
  std::int64_t nodes = 0, functions = 0;
  std::map<std::string, std::int64_t> ops =
      {};                               // how many nodes of each, bodies of functions included
  std::vector<Problem> problems = {};   // none: it runs
  std::vector<std::string> notes = {};  // worth knowing

  bool runs() const { return problems.empty(); }
};

// Of a SavedModel, meta graph or graph in a file. Throws InvalidArgument for anything else.
std::vector<GraphReport> check_model(const std::string& path);
// For every node: is its op known, has it such attributes, is there a kernel for its types on the
// CPU, is the function there that it calls; then whether the graph can be built. `producer_ops` are
// the ops as the program that made the graph knew them.
GraphReport check_graph(const tensorflow::GraphDef& graph,
                        const tensorflow::OpList* producer_ops = nullptr);

}  // namespace rill::check
