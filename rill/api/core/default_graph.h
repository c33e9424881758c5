#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

// Building functions add to a default graph, as TensorFlow's do:
//
//   auto graph = make_graph();
//   AsDefault as_default(graph);
//   NameScope layer("layer");
//   ControlDependencies after(updates);
//   Output y = matmul(x, w);      // "layer/MatMul", which waits for the updates
//
// The objects that change where nodes go end with their block, and must end in the reverse order of
// their making, on the thread that made them.
namespace rill {

// The graph that building functions add to: the innermost AsDefault of this thread, else one made
// for the process, which threads share.
const std::shared_ptr<Graph>& default_graph();
// Whether functions compute at once, and what they return has values: the default graph is eager.
bool executing_eagerly();
// From now on they do, where no AsDefault says otherwise. Throws FailedPrecondition once the
// default graph has nodes.
void enable_eager_execution();
void disable_eager_execution();
const std::shared_ptr<Graph>& eager_graph();  // for AsDefault, where it is not the default
// The next default_graph() outside of an AsDefault makes a new one. Sessions keep the old one.
void reset_default_graph();           // throws FailedPrecondition inside an AsDefault
std::shared_ptr<Graph> make_graph();  // with the standard ops

// Where building functions put nodes: name scope, control dependencies, device. Each thread has one
// for every graph, so that what a thread opens does not change the nodes of others; current_scope()
// is the default graph's.
Scope& scope_of(const std::shared_ptr<Graph>& graph);
Scope& current_scope();

// Makes `graph` the default one of this thread while this object lives, and keeps it alive. May be
// nested.
class AsDefault {
 public:
  explicit AsDefault(std::shared_ptr<Graph> graph);
  ~AsDefault();
  AsDefault(const AsDefault&) = delete;
  AsDefault& operator=(const AsDefault&) = delete;

 private:
  std::size_t depth_;
};

// current_scope() for what is made at `at`, unless it is said already where: a function that calls
// others, or a face of another language, tells its own caller's place.
Scope here(std::source_location at);

// Each of these changes current_scope() while it lives. It changes the scope of the graph that is
// the default one when it is made, and brings that one's back.
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

// An inner name scope: "x" is made unique ("x_1"), "x/" enters that scope again as it is, "" is the
// root. Throws InvalidArgument for a name that cannot be one.
class NameScope : public ScopeChange {
 public:
  explicit NameScope(std::string_view name);
};
// The name scope of one building function: `name`, or `otherwise` where that is empty. What is made
// inside, by whatever function, is said to be made at `at`.
class Block : public ScopeChange {
 public:
  Block(std::string_view name, std::string_view otherwise, std::source_location at);
  // For the node that takes the block's own name.
  const std::string& own_name() const { return own_name_; }

 private:
  std::string own_name_;
};
// Says where what is made was asked for, without a name scope.
class MadeAt : public ScopeChange {
 public:
  explicit MadeAt(OriginRef origin);
  explicit MadeAt(std::source_location at);  // unless it is said already
};
// Nodes made inside wait for `nodes`. It adds to what is around, except that an empty list leaves
// the dependencies, branches and loops around; programs do so for what must run in any case.
class ControlDependencies : public ScopeChange {
 public:
  explicit ControlDependencies(std::span<Node* const> nodes);  // empty clears what is around
  template <std::same_as<Output> T>
  explicit ControlDependencies(const T& before)
      : ControlDependencies(std::array{before.node.get()}) {}
};
class DeviceScope : public ScopeChange {
 public:
  explicit DeviceScope(std::string_view device);  // merged over the devices around, part by part
  explicit DeviceScope(DeviceFunction choose);    // asked for every node
  explicit DeviceScope(std::nullptr_t);           // forgets the devices around
};
// Nodes made inside go to the device of `node`, wherever that turns out to be; devices around are
// hidden. `ignore_existing`: without the colocations around.
class ColocateWith : public ScopeChange {
 public:
  explicit ColocateWith(Node& node, bool ignore_existing = false);
};

// `value` as a tensor of the default graph; what is no tensor yet becomes a constant `name`.
// `wanted` is the type that constants take. Throws InvalidArgument when a tensor has another one:
// nothing is cast silently.
Output as_tensor(const Input& value, std::string_view name = "Const",
                 DType wanted = DType::invalid);
// Constants are called "name_0", "name_1", ...
std::vector<Output> as_tensors(const std::vector<Input>& values, std::string_view name = "Const",
                               DType wanted = DType::invalid);

}  // namespace rill
