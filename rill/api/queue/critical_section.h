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
  std::string name;
  std::string shared_name;  // sections of one name, in whatever session, exclude each other
};
struct ExecuteOptions {
  bool exclusive_resource_access = true;
  std::string name;
};

// Parts of a graph of which only one runs at a time, whichever step it belongs to.
class CriticalSection {
 public:
  explicit CriticalSection(const CriticalSectionOptions& options = {},
                           std::source_location at = std::source_location::current());

  const std::string& name() const { return handle_.node->name(); }
  Output handle() const { return handle_; }

  // What `fn` makes runs while no other part of this section does; its results are there when that
  // is over. Throws InvalidArgument where `fn` asks for the same section, or uses a resource that
  // another section wants for itself.
  std::vector<Output> execute(const BranchFn& fn, const ExecuteOptions& options = {},
                              std::source_location at = std::source_location::current()) const;

 private:
  std::vector<Output> checked_resources(const std::vector<Node*>& created, bool exclusive) const;
  bool is_own(Output handle) const;

  Output handle_;
};

}  // namespace rill
