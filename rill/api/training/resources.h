#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/core/default_graph.h"

namespace rill::train {

// State that is no variable: a tree, a statistics accumulator. Sessions create it with the
// variables.
struct Resource : Collectable {
  Resource(Output handle_arg, Node& create_arg, Output is_initialized_arg)
      : handle(handle_arg), create(create_arg), is_initialized(is_initialized_arg) {}
  std::string collected_name() const override { return handle.name(); }

  Output handle = {};
  Node& create;
  Output is_initialized = {};
};

// In the default graph: of all tasks, or of this one.
void register_resource(Output handle, Node& create_op, Output is_initialized_op,
                       bool is_shared = true);
std::vector<std::shared_ptr<Resource>> shared_resources();
std::vector<std::shared_ptr<Resource>> local_resources();

// A NoOp where there are none.
Node& initialize_resources(const std::vector<std::shared_ptr<Resource>>& resources,
                           const std::string& name = "init",
                           std::source_location at = std::source_location::current());
// The names of those that were not created yet.
Output report_uninitialized_resources(const std::vector<std::shared_ptr<Resource>>& resources,
                                      const std::string& name = "report_uninitialized_resources",
                                      std::source_location at = std::source_location::current());

}  // namespace rill::train
