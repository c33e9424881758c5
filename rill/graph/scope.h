#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include "rill/graph/graph.h"

namespace rill {

class Scope;
class Input;

// What a tensor holds elements of; bool is apart, as std::vector packs it.
template <class T>
concept TensorElement = dtype_of<T>
!= DType::invalid && !std::same_as<T, bool>;

// Says on which device a new node shall run; "" leaves that open.
using DeviceFunction = std::function<std::string(Node&)>;

// An input of an op under construction: a tensor of the graph, or a value that becomes a Const node
// once the wanted dtype is known.
class Input {
 public:
  // Makes the constant; `wanted` is DType::invalid when any type will do.
  using MakeValue = std::function<Tensor(DType wanted)>;
  // Makes nodes in the op's own scope and returns the tensor; `name` is the argument's.
  using MakeOutput = std::function<Output(Scope& scope, std::string_view name, DType wanted)>;

  Input(Output output) : output_(std::move(output)) {}
  Input(Node& node) : output_(node.output(0)) {}
  Input(Tensor value);  // must have the wanted type already
  Input(MakeValue make) : make_(std::move(make)) {}
  Input(MakeOutput make) : make_output_(std::move(make)) {}
  // Numbers take the type that the op wants. Where it wants none, they are what Python's are: a
  // whole number is int32 if it fits, else int64, and a double is float32. constant() keeps int64.
  Input(int value);
  Input(std::int64_t value);
  Input(float value);
  Input(double value);
  template <std::integral T>
  requires TensorElement<T> Input(T value) : Input(Tensor::scalar(value), NumbersOfAnyType()) {}
  Input(bool value);
  Input(const char* value);
  Input(std::string value);
  // {1, 2}, {{1.5, 2}, {3, 4}}, {x, 0}: a tensor of one dimension more than its items, as Python's
  // lists are: a constant, or a Pack where tensors of the graph are among them. Throws
  // InvalidArgument, once it is used, where items differ in shape.
  Input(std::initializer_list<Input> items) : Input(list_of(items)) {}
  // A vector or a matrix of values; numbers take the type that the op wants, else their own.
  template <TensorElement T>
  Input(std::span<const T> values)
      : Input(Tensor::of<T>({std::ssize(values)}, values), NumbersOfAnyType()) {}
  template <TensorElement T>
  Input(const std::vector<T>& values) : Input(std::span<const T>(values)) {}
  template <TensorElement T, std::size_t N>
  Input(const std::array<T, N>& values) : Input(std::span<const T>(values)) {}
  template <TensorElement T>
  Input(const std::vector<std::vector<T>>& rows) : Input(list_of({rows.begin(), rows.end()})) {}
  Input(const std::vector<bool>& values);
  // Of programs in C++ an item may be such a list itself.
  static Input list_of(std::vector<Input> items);

  bool is_output() const { return !make_ && !make_output_; }
  bool is_value() const { return bool(make_); }
  Output output() const { return output_; }
  Tensor value(DType wanted) const { return make_(wanted); }
  // Whatever it is, as a tensor of the graph; constants are made in `scope` under `name`.
  Output as_output(Scope& scope, std::string_view name, DType wanted) const;

 private:
  struct NumbersOfAnyType {};
  Input(Tensor values, NumbersOfAnyType);

  Output output_;
  MakeValue make_;
  MakeOutput make_output_;
};

// An input that may be left out, also as {.axis = {0, 1}}.
class OptionalInput : public std::optional<Input> {
 public:
  OptionalInput() = default;
  OptionalInput(std::nullopt_t) {}
  OptionalInput(const std::optional<Input>& input) : std::optional<Input>(input) {}
  OptionalInput(std::initializer_list<Input> items) : std::optional<Input>(Input(items)) {}
  template <class T>
  requires std::constructible_from<Input, T&&> OptionalInput(T&& input)
      : std::optional<Input>(Input(std::forward<T>(input))) {}
};

// Several inputs: {x, y, 1.0f}, or a vector of outputs, variables, inputs, numbers.
class Inputs : public std::vector<Input> {
 public:
  Inputs() = default;
  Inputs(std::initializer_list<Input> items) : std::vector<Input>(items) {}
  Inputs(std::vector<Input> items) : std::vector<Input>(std::move(items)) {}
  template <std::input_iterator Iterator>
  Inputs(Iterator first, Iterator last) : std::vector<Input>(first, last) {}
  template <class T>
  requires std::constructible_from<Input, const T&> Inputs(const std::vector<T>& items)
      : std::vector<Input>(items.begin(), items.end()) {}
};

// One argument: a single input or, for a list argument, several.
class InputArg {
 public:
  InputArg(std::vector<Input> items) : items_(std::move(items)), is_list_(true) {}
  template <class T>
  requires std::is_constructible_v<Input, T> InputArg(T&& single) {
    items_.emplace_back(std::forward<T>(single));
  }

  bool is_list() const { return is_list_; }
  const std::vector<Input>& items() const { return items_; }

 private:
  std::vector<Input> items_;
  bool is_list_ = false;
};

// How nodes are made at some place of a program: name scope, control dependencies, device and
// colocation. Value type: a changed copy is an inner scope. One thread uses a scope at a time.
//
//   Scope layer = scope.named("layer").on_device("/cpu:0");
//   Output y = layer.add("MatMul", {x, w}, {{"transpose_b", true}}).output();  // "layer/MatMul"
class Scope {
 public:
  explicit Scope(Graph& graph) : graph_(&graph) {}

  Graph& graph() const { return *graph_; }
  const std::string& name() const { return name_; }  // "a/b" or "" at the root

  // An inner name scope. "x" is made unique; "x/" re-enters that scope as it is; "" is the root.
  Scope named(std::string_view name) const;
  // New nodes wait for these besides what outer scopes wait for.
  Scope with_control(std::span<Node* const> nodes) const;
  Scope without_control() const;  // leaves branches and loops, too
  // Where nodes are part of a branch or loop; nullptr: of none.
  Scope inside(FlowContext* context) const;
  FlowContext* flow() const { return flow_; }
  // What a node with these inputs waits for in this scope.
  std::vector<Node*> control_for(std::span<const Output> inputs) const;
  // Counts a node that was made elsewhere among those of the control_dependencies blocks here.
  void count_as_inside(const Node& node) const;
  Scope on_device(std::string device) const;  // merged over the outer one, part by part
  // Chooses the device of each node when it is made. Devices and functions of inner scopes are
  // applied first and are seen in node.device(); what is returned takes their place.
  Scope on_device(DeviceFunction choose) const;
  Scope without_device() const;
  // Gives a node that was made otherwise, by an import, the devices of this scope.
  void put_on_devices(Node& node) const;
  // New nodes go where `node` goes; hides the devices of outer scopes.
  Scope colocated_with(Node& node) const;
  Scope without_colocation() const;
  Scope from(OriginRef origin) const;  // where nodes are said to have been made
  bool has_origin() const { return origin_ != nullptr; }
  const OriginRef& origin() const { return origin_; }
  // Where that is in a program in C++; nullptr where it is in none.
  const std::source_location* line() const {
    return origin_ != nullptr && origin_->place ? &*origin_->place : nullptr;
  }

  // Makes a node as TensorFlow's wrappers do: opens a name scope `name` (the op's type when empty),
  // turns values into constants inside it (named after their arguments), infers attributes.
  // Throws InvalidArgument, naming the op and argument, when something does not fit.
  Node& add(const Op& op, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {});
  Node& add(const OpDecl& decl, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return add(graph_->registry().at(decl.name), std::move(inputs), std::move(attrs), name);
  }
  Node& add(std::string_view op, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return add(graph_->op(op), std::move(inputs), std::move(attrs), name);
  }
  // A Const node; `name` is relative to this scope and made unique.
  Output constant(Tensor value, std::string_view name = "Const");

  std::string unique_name(std::string_view name) const;  // full name, reserved

  // Called for every node this scope (or an inner one) makes, after it is in the graph.
  std::function<void(Node&)> on_created;

 private:
  Graph* graph_;
  std::string name_;
  using NodeSet = std::unordered_set<const Node*>;
  // One control_dependencies block. A node with an input made inside it waits already; the set is
  // shared by all scopes inside the block.
  struct ControlBlock {
    std::vector<Node*> nodes;
    std::shared_ptr<NodeSet> made_inside;
  };
  Node& finish(NodeSpec spec);
  Node& execute(const Op& op, const std::vector<InputArg>& inputs, AttrMap attrs);
  Scope beside_refs(const Op& op, const std::vector<InputArg>& args,
                    std::span<const Output> inputs) const;
  void colocate(NodeSpec& spec) const;
  void choose_device(Node& node, const std::string& colocated) const;

  // One device block: a name that its outer names are merged into, or a function.
  struct DeviceBlock {
    std::string name;
    DeviceFunction choose;
  };

  std::vector<ControlBlock> control_;
  FlowContext* flow_ = nullptr;
  std::vector<DeviceBlock> devices_;  // outermost first; two names never stand side by side
  std::vector<Node*> colocation_;
  OriginRef origin_;
};

// The groups "loc:@x" that a node belongs to: its _class attribute's, else its own.
std::vector<std::string> colocation_groups(const Node& node);

// An origin of a single frame, for C++ callers.
OriginRef origin_at(std::source_location at);

}  // namespace rill
