#include "tests/optest/op_case.h"

namespace rill {
namespace {

// Doubles x while it is below 100.
constexpr const char* kLoop = R"(
  limit = Enter(100.0, frame_name="f", is_constant=true)
  enter = Enter(3.0, frame_name="f", parallel_iterations=2)
  merge = Merge((enter, next), T=float)
  go = LoopCond(Less(merge, limit))
  branch = Switch(merge, go)
  next = NextIteration(Add(branch:1, branch:1))
  exit = Exit(branch)
  fetch exit)";

// The same with a variable that the loop changes in place.
constexpr const char* kRefLoop = R"(
  v = VariableV2(dtype=float, shape=[])
  set = Assign(v, 3.0)
  limit = Enter(100.0, frame_name="f", is_constant=true)
  enter = RefEnter(v, frame_name="f") after set
  merge = RefMerge((enter, next), T=float)
  go = LoopCond(Less(merge, limit))
  branch = RefSwitch(merge, go)
  next = RefNextIteration(AssignAdd(branch:1, branch:1))
  exit = RefExit(branch)
  fetch exit)";

// The graph with one of its nodes as the case.
std::string with_case(std::string graph, std::string_view node) {
  for (std::size_t at = 0; (at = graph.find(node, at)) != std::string::npos; at += 4)
    graph.replace(at, node.size(), "case");
  return graph;
}

}  // namespace

extern const OpCases kLoopCases{"loop", [] {
                                  std::vector<OpCase> rows;
                                  add_graphs(rows, {"Enter"}, with_case(kLoop, "enter"));
                                  add_graphs(rows, {"LoopCond"}, with_case(kLoop, "go"));
                                  add_graphs(rows, {"NextIteration"}, with_case(kLoop, "next"));
                                  add_graphs(rows, {"Exit"}, with_case(kLoop, "exit"));
                                  add_graphs(rows, {"RefEnter"}, with_case(kRefLoop, "enter"));
                                  add_graphs(rows, {"RefNextIteration"},
                                             with_case(kRefLoop, "next"));
                                  add_graphs(rows, {"RefExit"}, with_case(kRefLoop, "exit"));
                                  return rows;
                                }};

}  // namespace rill
