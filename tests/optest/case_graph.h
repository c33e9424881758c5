#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rill/graph/op.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tests/optest/op_case.h"

namespace rill {

// Whether the graph knows the inputs' values (constants) or neither values nor shapes
// (placeholders). Shape functions see the difference; the results must not.
enum class InputMode : std::uint8_t { kConstant, kFed };

// A row as a graph that TensorFlow and Rill can both run: the op is the node "case"; its outputs
// that have a value are fetched through "fetch_0", "fetch_1", ..., followed by what its variables
// hold afterwards. It is written without Graph, since rows that must fail cannot be in one.
struct CaseGraph {
  tensorflow::GraphDef def;
  std::vector<std::pair<std::string, Tensor>> feeds;  // also in each Placeholder as "_feed"
  std::vector<std::string> fetches;
  std::vector<std::string> targets;  // nodes that run besides: the case, and those with "_target"
};

CaseGraph case_graph(const OpCase& row, const Op& op, InputMode mode);
// The same from the ops that OpCase::plain states; "case" is a NoOp.
CaseGraph plain_graph(const OpCase& row, const Op& op);

// A row with the name it has in golden files and reports.
struct NamedCase {
  std::string name;
  OpCase row;
};
std::vector<NamedCase> named_cases(const OpCases& table);  // throws on a name used twice

// Changes when what the oracle would be asked changes: tells a stale golden.
std::string fingerprint(const OpCase& row);

}  // namespace rill
