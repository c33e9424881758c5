#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/function_ref.h"
#include "rill/passes/helper_nodes.h"
#include "rill/passes/subgraph.h"

namespace rill {

// One optimisation that puts other nodes in place of the graph's own. The results are equal within
// rounding; gone are only values that nobody asked for.
struct Rewrite {
  const char* name;                                   // how it is switched off and reported
  const char* doc;                                    // one line: what becomes what
  int (*apply)(Subgraph& graph, HelperNodes& nodes);  // returns how many places it changed
  bool only_if_asked = false;  // results are not equal within rounding: off unless switched on
};

// Which rewrites a session leaves out, by name; "all" is every one. And which it has that are not
// applied unless they are asked for.
struct RewriteSwitches {
  std::set<std::string, std::less<>> off, on;

  bool allows(const Rewrite& rewrite) const {
    return !off.contains(rewrite.name) && !off.contains("all") &&
           (!rewrite.only_if_asked || on.contains(rewrite.name));
  }
  // What the environment's RILL_REWRITES_OFF and RILL_REWRITES_ON say: names with commas between
  // them.
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
  // Whether `items` are read by each other and by `last` alone, so that all may become part of it
  // as above.
  bool inside(std::span<const int> items, int last) const;

 private:
  struct Use {
    std::vector<int> per_output, readers;  // readers: an item for each read; a fetch is -1
    bool pinned = false;                   // waited for, fetched or a target
  };
  bool joinable(int from, int to) const;

  const Subgraph& graph_;
  std::vector<Use> uses_;
};

// Puts `node` in place of item `last`, which everything that read it reads on; `swallowed` are the
// items whose work it does as well: what they waited for it waits for too, and errors are told as
// theirs. They stay unreachable until `compact`.
void replace(Subgraph& graph, int last, const Node& node, std::vector<Subgraph::Edge> inputs,
             std::span<const int> swallowed);
// The same in place of item `first`, which keeps its other outputs: `later` are items after it
// whose work it does as well, and which wait for nothing. Who read the last of them has to be
// redirected.
void absorb(Subgraph& graph, int first, const Node& node, std::vector<Subgraph::Edge> inputs,
            std::span<const int> later);
// Lets everything that reads, fetches or waits for a value have that of moved(value) instead.
void redirect(Subgraph& graph, FunctionRef<Subgraph::Edge(Subgraph::Edge)> moved);

}  // namespace rill
