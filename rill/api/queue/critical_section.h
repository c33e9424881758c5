#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/default_graph.h"

namespace rill {

struct CriticalSectionOptions {
  std::string name = {};
  std::string shared_name = {};  // sections of one name, in whatever session, exclude each other
};
// exclusive_resource_access: no other section may use a resource (a variable, say) that this
// execution uses. False permits it, where the other execution says so too.
struct ExecuteOptions {
  bool exclusive_resource_access = true;
  std::string name = {};
};

// Parts of a graph of which only one runs at a time, whichever step it belongs to: a mutex that is
// locked before the part's first node runs and released after its last.
//
//   CriticalSection section;
//   section.execute([&] { return std::vector{count.assign_add(1)}; });
class CriticalSection {
 public:
  // With no shared_name the name is taken, so that sections of one name exclude each other.
  explicit CriticalSection(const CriticalSectionOptions& options = {},
                           std::source_location at = std::source_location::current());

  const std::string& name() const { return handle_.node->name(); }
  Output handle() const { return handle_; }

  // What `fn` makes runs while no other part of this section does; its results are there when that
  // is over. `fn` is called once, at once, in this thread. What it needs from outside is computed
  // before the lock is taken. Throws InvalidArgument where `fn` asks for the same section, which
  // would wait for itself, or uses a resource that another section wants for itself.
  std::vector<Output> execute(const BranchFn& fn, const ExecuteOptions& options = {},
                              std::source_location at = std::source_location::current()) const;

 private:
  std::vector<Output> checked_resources(const std::vector<Node*>& created, bool exclusive) const;
  bool is_own(Output handle) const;

  Output handle_;
};

}  // namespace rill
