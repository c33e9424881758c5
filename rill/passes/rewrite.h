#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rill/passes/helper_nodes.h"
#include "rill/passes/subgraph.h"

namespace rill {

// One optimisation that puts other nodes in place of the graph's own. The results are equal within
// rounding; gone are only values that nobody asked for.
struct Rewrite {
  const char* name;                                   // how it is switched off and reported
  const char* doc;                                    // one line: what becomes what
  int (*apply)(Subgraph& graph, HelperNodes& nodes);  // returns how many places it changed
};

// Which rewrites a session leaves out, by name; "all" is every one.
struct RewriteSwitches {
  std::set<std::string, std::less<>> off;

  bool allows(std::string_view name) const { return !off.contains(name) && !off.contains("all"); }
  // What the environment's RILL_REWRITES_OFF says: names with commas between them.
  static RewriteSwitches from_environment();
};

// Applies them in their order, each to what the ones before it left, and notes in the subgraph what
// each did. The subgraph keeps the new nodes alive.
void rewrite(Subgraph& graph, std::span<const Rewrite* const> rewrites,
             const RewriteSwitches& switches);

// Who reads what of a subgraph, as it was when this was made.
class Readers {
 public:
  explicit Readers(const Subgraph& graph);

  // The item that alone reads this value, -1 if there is none. Then the value's item may become
  // part of its reader: nothing else of it is read, fetched, waited for or a target, both run on
  // one device, and neither is fed or constant.
  int sole(Subgraph::Edge value) const;
  // How many inputs of items (a fetch counts as one) read this value.
  int count(Subgraph::Edge value) const;

 private:
  struct Use {
    std::vector<int> per_output;
    int reader = -1, reads = 0;  // the last item that reads any output; reads of all outputs
    bool pinned = false;         // waited for, fetched or a target
  };
  const Subgraph& graph_;
  std::vector<Use> uses_;
};

// Puts `node` in place of item `last`, which everything that read it reads on; `swallowed` are the
// items whose work it does as well: they must have run by its place, what they waited for it waits
// for too. They stay unreachable until `compact`.
void replace(Subgraph& graph, int last, const Node& node, std::vector<Subgraph::Edge> inputs,
             std::span<const int> swallowed);

}  // namespace rill
