#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/base/error_place.h"
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
  [[nodiscard]] explicit AsDefault(std::shared_ptr<Graph> graph);
  ~AsDefault();
  AsDefault(const AsDefault&) = delete;
  AsDefault& operator=(const AsDefault&) = delete;

 private:
  std::size_t depth_;
};

// The default graphs and scopes of a thread, for threads that take turns on one: swap() exchanges
// them with what that one has.
class KeptDefaults {
 public:
  KeptDefaults();
  ~KeptDefaults();
  KeptDefaults(const KeptDefaults&) = delete;
  KeptDefaults& operator=(const KeptDefaults&) = delete;
  void swap();

 private:
  struct State;
  const std::unique_ptr<State> state_;
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
  OriginRef origin_;  // which the place below points into
  ErrorPlace place_;
};

// An inner name scope: "x" is made unique ("x_1"), "x/" enters that scope again as it is, "" is the
// root. Throws InvalidArgument for a name that cannot be one.
class NameScope : public ScopeChange {
 public:
  [[nodiscard]] explicit NameScope(std::string_view name);
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
// What nodes can wait for: an operation, a tensor or variable (of which they wait for the operation
// that makes it), or an item of a collection. Throws InvalidArgument for items that are neither,
// such as texts.
class Dependency {
 public:
  Dependency(Node& node) : node_(&node) {}
  Dependency(Node* node) : node_(node) {}
  Dependency(const Output& tensor) : node_(tensor.node) {}
  template <class T>
  requires requires(const T& item) {
    { dependency_of(item) } -> std::convertible_to<Node*>;
  }
  Dependency(const T& item) : node_(dependency_of(item)) {}

  Node* node() const { return node_; }

 private:
  Node* node_;
};
// {train_op, loss}, one of them, or a vector: get_collection(GraphKeys::UPDATE_OPS).
class Dependencies : public std::vector<Node*> {
 public:
  Dependencies() = default;
  Dependencies(std::initializer_list<Dependency> items);
  Dependencies(std::vector<Node*> nodes) : std::vector<Node*>(std::move(nodes)) {}
  template <class T, std::size_t N>
  requires std::constructible_from<Dependency, T&> Dependencies(std::span<T, N> items) {
    for (T& item : items) add(Dependency(item));
  }
  template <class T, std::size_t N>
  requires std::constructible_from<Dependency, const T&> Dependencies(const std::array<T, N>& items)
      : Dependencies(std::span<const T>(items)) {}
  template <class T, std::size_t N>
  requires std::constructible_from<Dependency, T&> Dependencies(T (&items)[N])
      : Dependencies(std::span<T, N>(items)) {}
  template <class T>
  requires std::constructible_from<Dependency, const T&> Dependencies(const std::vector<T>& items) {
    for (const T& item : items) add(Dependency(item));
  }
  template <class T>
  requires std::constructible_from<Dependency, T&> Dependencies(T&& item) { add(Dependency(item)); }

 private:
  void add(const Dependency& item);  // throws InvalidArgument for an empty one
};

// Nodes made inside wait for `nodes`. It adds to what is around, except that an empty list leaves
// the dependencies, branches and loops around; programs do so for what must run in any case.
//
//   const ControlDependencies after({update, check});  // to the end of the block
//   Output y = with_control_dependencies({update}, [&] { return identity(x); });  // in the lambda
//   alone
class ControlDependencies : public ScopeChange {
 public:
  [[nodiscard]] explicit ControlDependencies(const Dependencies& nodes);
  [[nodiscard]] explicit ControlDependencies(std::initializer_list<Dependency> nodes)
      : ControlDependencies(Dependencies(nodes)) {}
};
template <std::invocable Build>
decltype(auto) with_control_dependencies(const Dependencies& nodes, Build&& build) {
  const ControlDependencies after(nodes);
  return std::forward<Build>(build)();
}
template <std::invocable Build>
decltype(auto) with_name_scope(std::string_view name, Build&& build) {
  const NameScope inside(name);
  return std::forward<Build>(build)();
}
class DeviceScope : public ScopeChange {
 public:
  // Merged over the devices around, part by part.
  [[nodiscard]] explicit DeviceScope(std::string_view device);
  [[nodiscard]] explicit DeviceScope(DeviceFunction choose);  // asked for every node
  [[nodiscard]] explicit DeviceScope(std::nullptr_t);         // forgets the devices around
};
template <std::invocable Build>
decltype(auto) with_device(std::string_view device, Build&& build) {
  const DeviceScope inside(device);
  return std::forward<Build>(build)();
}
// Nodes made inside go to the device of `node`, wherever that turns out to be; devices around are
// hidden. `ignore_existing`: without the colocations around.
class ColocateWith : public ScopeChange {
 public:
  [[nodiscard]] explicit ColocateWith(Node& node, bool ignore_existing = false);
};

// `value` as a tensor of the default graph; what is no tensor yet becomes a constant `name`.
// `wanted` is the type that constants take. Throws InvalidArgument when a tensor has another one:
// nothing is cast silently.
Output as_tensor(const Input& value, std::string_view name = "Const",
                 DType wanted = DType::invalid);
// Constants are called "name_0", "name_1", ...
std::vector<Output> as_tensors(const Inputs& values, std::string_view name = "Const",
                               DType wanted = DType::invalid);

}  // namespace rill
