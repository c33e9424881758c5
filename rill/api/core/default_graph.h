#pragma once

#include <memory>
#include <source_location>
#include <span>
#include <string_view>

#include "rill/graph/scope.h"

namespace rill {

// The graph that building functions add to: the innermost AsDefault of this thread, else one made
// for the process.
const std::shared_ptr<Graph>& default_graph();
void reset_default_graph();           // throws FailedPrecondition inside an AsDefault
std::shared_ptr<Graph> make_graph();  // with the standard ops

// Where building functions put nodes: name scope, control dependencies, device. Each thread has one
// for every graph; current_scope() is the default graph's.
Scope& scope_of(const std::shared_ptr<Graph>& graph);
Scope& current_scope();

// Makes `graph` the default one of this thread while this object lives.
class AsDefault {
 public:
  explicit AsDefault(std::shared_ptr<Graph> graph);
  ~AsDefault();
  AsDefault(const AsDefault&) = delete;
  AsDefault& operator=(const AsDefault&) = delete;

 private:
  std::size_t depth_;
};

// Each of these changes current_scope() while it lives.
class ScopeChange {
 public:
  ScopeChange(const ScopeChange&) = delete;
  ScopeChange& operator=(const ScopeChange&) = delete;
  ~ScopeChange();

 protected:
  explicit ScopeChange(Scope inner);

 private:
  std::shared_ptr<Graph> graph_;
  Scope outer_;
};

class NameScope : public ScopeChange {
 public:
  explicit NameScope(std::string_view name);
};
class ControlDependencies : public ScopeChange {
 public:
  explicit ControlDependencies(std::span<Node* const> nodes);  // empty clears what is around
};
class DeviceScope : public ScopeChange {
 public:
  explicit DeviceScope(std::string_view device);  // merged over the devices around, part by part
  explicit DeviceScope(DeviceFunction choose);    // asked for every node
  explicit DeviceScope(std::nullptr_t);           // forgets the devices around
};
class ColocateWith : public ScopeChange {
 public:
  explicit ColocateWith(Node& node, bool ignore_existing = false);
};

}  // namespace rill
