#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rill/graph/graph_life.h"
#include "rill/graph/node.h"
#include "rill/graph/registry.h"

namespace rill {

class FunctionLibrary;
struct Function;

inline constexpr int kGraphDefVersion = 134;  // TensorFlow 1.15's producer and consumer version

struct GraphVersions {
  int producer = kGraphDefVersion;
  int min_consumer = 0;
  std::vector<int> bad_consumers;
};

// What to add. Attributes that inputs determine and those with defaults may be left out; an
// attribute that the op does not have is refused unless its name begins with "_".
struct NodeSpec {
  std::string op;
  std::string name;            // must be valid and new: see Graph::unique_name
  std::vector<Output> inputs;  // list arguments flattened
  std::vector<Node*> control_inputs;
  AttrMap attrs;
  std::string device;
  OriginRef origin;
};

// How far the checks of a new node go.
struct InsertRules {
  bool inputs_later = false;    // empty inputs are allowed: set_input gives them before the commit
  bool internal_names = false;  // names may start with "_"
  int producer = kGraphDefVersion;  // for ops that were removed in some version
};

class Graph;

// Executes ops where an eager graph is told to add them.
class OpExecutor {
 public:
  virtual ~OpExecutor() = default;
  // Runs the op of `spec`, whose inputs have values, at once; throws what its kernel throws. The
  // node lives while someone points to it, and for a while after it was made.
  virtual Node& execute(Graph& graph, NodeSpec spec) = 0;
  // A tensor of that value.
  virtual Node& constant(Graph& graph, Tensor value) = 0;
  // Random numbers begin anew: kernels that keep where they are are made again.
  virtual void forget_kernels() = 0;
};

// A graph of nodes under construction; every node is checked against its declaration and its shapes
// are inferred as it is added. Adding and looking up names is safe from several threads; whoever
// reads nodes while others add holds `mutex()` shared. Nodes are never removed.
//
//   Graph graph(standard_ops());
//   Scope scope(graph);
//   Output sum = scope.add("AddV2", {1.0f, 2.0f}).output();
class Graph {
 public:
  // The body of a function shares the library of the graph that it belongs to.
  explicit Graph(const Registry& registry, std::shared_ptr<FunctionLibrary> library = nullptr);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // An eager graph: keeps no nodes but executes them.
  Graph(const Registry& registry, OpExecutor& executor) : Graph(registry) { executor_ = &executor; }
  bool is_eager() const { return executor_ != nullptr; }
  void forget_kernels() const { executor_->forget_kernels(); }

  const Registry& registry() const { return registry_; }
  // An op of the registry or a function of this graph's library; throws NotFound.
  const Op& op(std::string_view name) const;
  const std::shared_ptr<FunctionLibrary>& functions() const { return functions_; }

  // Throws InvalidArgument (naming op, argument, expected and got), NotFound for an unknown op, or
  // FailedPrecondition when finalised; the graph is then unchanged.
  Node& add(NodeSpec spec);
  // Back edges of loops: an input that is given after the node was made, or changed.
  void set_input(Node& node, int index, Output value);
  // `node` runs after `before`. An edge that is there already is not added again.
  void add_control_input(Node& node, Node& before);
  void set_attr(Node& node, std::string_view name, AttrValue value);
  void set_device(Node& node, std::string device);
  // Narrows what is known of an output's shape; throws InvalidArgument on a contradiction.
  void refine_shape(Output output, const PartialShape& shape);

  // Branches and loops: the graph keeps their contexts for its life.
  void keep_flow(std::shared_ptr<FlowContext> context);
  std::vector<FlowContext*> flows() const;  // in order of creation
  void set_flow(Node& node, FlowContext* context);
  void forbid_fetch(Node& node);
  void forbid_feed(Node& node);

  // nullptr when there is none.
  Node* find(std::string_view name) const;
  Node& at(std::string_view name) const;       // throws NotFound
  Output tensor(std::string_view name) const;  // "node:0"; throws InvalidArgument or NotFound
  int node_count() const { return node_count_.load(std::memory_order_acquire); }
  Node& node(int id) const { return *nodes_.at(static_cast<std::size_t>(id)); }
  std::vector<Node*> nodes() const;  // in order of creation

  // The name that `full_name` becomes: itself when new, else with the lowest free "_k" appended.
  // `reserve` marks the result as used. Names are unique regardless of case.
  std::string unique_name(std::string_view full_name, bool reserve = true);

  // From then on nothing can be added: FailedPrecondition.
  void finalize() { finalized_ = true; }
  void unsafe_unfinalize() { finalized_ = false; }
  bool finalized() const { return finalized_; }

  GraphVersions versions;
  std::int64_t seed = -1;  // graph-level random seed; -1: not set
  // Of the body of a function under construction: asked for what stands for a tensor of another
  // graph that a new node reads.
  std::function<Output(Output)> capture;

  std::shared_mutex& mutex() const { return mutex_; }

  // What other layers keep with this graph: one T, made when it is first asked for.
  template <class T>
  T& attached() {
    return *static_cast<T*>(
        attachment(typeid(T), []() -> std::shared_ptr<void> { return std::make_shared<T>(); }));
  }

 private:
  friend class GraphEdit;
  friend class ExecutedNode;
  friend class Scope;
  using NameJournal = std::vector<std::pair<std::string, int>>;  // keys and their former uses

  // These expect the mutex to be held.
  Node& insert(NodeSpec spec, InsertRules rules);
  Node& link(std::unique_ptr<Node> node);
  void rewire(Node& node, int index, Output value);
  void infer(Node& node);
  void check_edges(const NodeSpec& spec, bool inputs_later) const;
  void check_source(Output source, const std::string& reader) const;
  void note_name(std::string key, int uses);  // expects index_mutex_ to be held
  void* attachment(std::type_index type, std::shared_ptr<void> (*make)());

  const GraphLife life_;  // ends after everything else here
  const Registry& registry_;
  OpExecutor* executor_ = nullptr;
  mutable std::shared_mutex mutex_;
  mutable std::mutex index_mutex_;  // the two name tables; taken after mutex_
  std::vector<std::unique_ptr<Node>> nodes_;
  std::atomic<int> node_count_{0};  // nodes_.size(), for who only asks whether the graph has grown
  std::unordered_map<std::string_view, Node*> by_name_;
  std::unordered_map<std::string, int> used_names_;
  const std::shared_ptr<FunctionLibrary> functions_;
  std::vector<std::shared_ptr<FlowContext>> flows_;
  NameJournal* name_journal_ = nullptr;  // of the edit under way
  std::atomic<bool> finalized_ = false;
  std::mutex attachments_mutex_;
  std::unordered_map<std::type_index, std::shared_ptr<void>> attachments_;
};

// Several additions that happen together or not at all. Holds the graph's mutex; unless commit()
// was called, the destructor takes away everything that was added.
class GraphEdit {
 public:
  explicit GraphEdit(Graph& graph);
  ~GraphEdit();
  GraphEdit(const GraphEdit&) = delete;
  GraphEdit& operator=(const GraphEdit&) = delete;

  Graph& graph() const { return graph_; }
  void reserve(std::size_t more);                       // room for that many nodes
  Node& add(NodeSpec spec, InsertRules rules = {});     // throws as Graph::add does
  void set_input(Node& node, int index, Output value);  // of a node that this edit has added
  // Replaces what is known of the shape of an output of a node that this edit has added.
  void refine_shape(Node& node, int output, const PartialShape& shape);
  // Adds to the graph's library; what is there already must be the same. Throws InvalidArgument.
  void define(Function function);
  void define_gradient(const std::string& function, const std::string& gradient);
  void commit() { committed_ = true; }

 private:
  void roll_back();
  Graph& graph_;
  std::unique_lock<std::shared_mutex> lock_;
  int first_id_;
  bool committed_ = false;
  Graph::NameJournal journal_;
  std::vector<std::string> defined_, gradients_;
};

bool is_valid_node_name(std::string_view name);   // [A-Za-z0-9.][A-Za-z0-9_.\\-/>]*
bool is_valid_scope_name(std::string_view name);  // below the root a first letter may be any

// What can be told of a tensor before running: the value of a constant (through identities, shapes
// of known tensors and integer arithmetic on those), else nullptr; and a shape-valued tensor as a
// shape, which throws InvalidArgument when the value cannot be a shape.
const Tensor* constant_value(Output output);
PartialShape constant_shape_value(Output output);

}  // namespace rill
