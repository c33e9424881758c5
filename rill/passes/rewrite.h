#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/function_ref.h"
#include "rill/passes/helper_nodes.h"
#include "rill/passes/subgraph.h"

namespace rill {

// One optimisation that replaces nodes of a subgraph by others, usually several by a fused one. The
// fetched results are equal within rounding.
struct Rewrite {
  const char* name;                                   // how it is switched off and reported
  const char* doc;                                    // one line: what becomes what
  int (*apply)(Subgraph& graph, HelperNodes& nodes);  // returns how many places it changed
  bool only_if_asked = false;  // results differ by more than rounding: off unless switched on
};

using RewriteNames = std::set<std::string, std::less<>>;

// Which rewrites are left out, by name ("all": every one), and which of those that are off unless
// asked for are applied.
struct RewriteSwitches {
  RewriteNames off, on;

  bool allows(const Rewrite& rewrite) const {
    return !off.contains(rewrite.name) && !off.contains("all") &&
           (!rewrite.only_if_asked || on.contains(rewrite.name));
  }
};

// Whether the device of an item that a rewrite made has a kernel for it.
using CanRun = std::function<bool(const Subgraph::Item& item)>;

// Applies the rewrites in their order, each to the result of those before it, and records in the
// subgraph how often each fired. The subgraph owns the new nodes. With `can_run`, a rewrite that
// makes a node for which it says no is not applied.
void rewrite(Subgraph& graph, std::span<const Rewrite* const> rewrites,
             const RewriteSwitches& switches, const CanRun& can_run = {});

// The readers of each value of a subgraph, as it was when this was made.
class Readers {
 public:
  explicit Readers(const Subgraph& graph);

  // The only reader of this value, -1 if there is none or the two may not be fused. They may when
  // nothing else of the value's item is read, fetched, a control input or a target, both run on one
  // device, and neither is fed or constant.
  int sole(Subgraph::Edge value) const;
  // How many inputs of items (a fetch counts as one) read this value.
  int count(Subgraph::Edge value) const;
  // Whether `items` are read only by each other and by `last`, so that all may be fused into it.
  bool inside(std::span<const int> items, int last) const;

 private:
  struct Use {
    std::vector<int> per_output, readers;  // readers: an item for each read; a fetch is -1
    bool pinned = false;                   // a control input, fetched or a target
  };
  bool joinable(int from, int to) const;

  const Subgraph& graph_;
  std::vector<Use> uses_;
};

// Replaces the node of item `last` by `node`, a fused one that also does the work of the items
// `fused`. Readers of `last` stay as they are; the item gets the control inputs of the fused ones,
// and errors are attributed to the nodes it replaced. The fused items stay, unreachable, until
// `compact`.
void replace(Subgraph& graph, int last, const Node& node, std::vector<Subgraph::Edge> inputs,
             std::span<const int> fused);
// The same for item `first`, whose other outputs are still read: `later` are items after it whose
// work it does as well, and which have no control inputs. The caller redirects the readers of the
// last of them.
void absorb(Subgraph& graph, int first, const Node& node, std::vector<Subgraph::Edge> inputs,
            std::span<const int> later);
// Replaces every use of a value (input, fetch, control input, target) by moved(value).
void redirect(Subgraph& graph, FunctionRef<Subgraph::Edge(Subgraph::Edge)> moved);

}  // namespace rill
