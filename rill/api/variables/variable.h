#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/core/collections.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/variables/device_choice.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

enum class VariableSynchronization { AUTO, NONE, ON_WRITE, ON_READ };
enum class VariableAggregation { NONE, SUM, MEAN, ONLY_FIRST_REPLICA };

// A value, or a function that builds one where it is called.
class InitialValue {
 public:
  InitialValue() = default;
  template <class T>
  requires std::is_convertible_v<T, Input> InitialValue(T&& value)
      : value_(Input(std::forward<T>(value))) {}
  InitialValue(std::initializer_list<Input> items) : value_(Input(items)) {}
  InitialValue(std::function<Output()> make) : make_(std::move(make)) {}

  explicit operator bool() const { return value_.has_value() || make_; }
  bool is_function() const { return bool(make_); }
  // In the current scope; a value becomes a constant called initial_value.
  Output build(DType dtype) const;

 private:
  OptionalInput value_;
  std::function<Output()> make_;
};

class Variable;
// What is stored in a variable instead of its value after an update.
using Constraint = std::function<Output(const Variable&)>;

struct VariableOptions {
  std::optional<bool> trainable = {};  // true, unless the synchronization is ON_READ
  std::optional<std::vector<std::string>> collections = {};  // GLOBAL_VARIABLES when absent
  bool validate_shape = true;                                // false: the shape may change
  std::optional<DeviceChoice> caching_device = {};
  DType dtype = DType::invalid;  // invalid: the value's
  Constraint constraint = {};
  std::optional<bool> use_resource = {};  // what set_resource_variables says, else a reference
  VariableSynchronization synchronization = VariableSynchronization::AUTO;
  VariableAggregation aggregation = VariableAggregation::NONE;
  PartialShape shape = {};  // of resource variables; unknown: the value's
  std::string name = {};
};

class VariableCopies;  // variable_copies.h

// Where a part of a larger variable lies in it.
struct SaveSliceInfo {
  std::string full_name = {};
  std::vector<std::int64_t> full_shape = {}, var_offset = {}, var_shape = {};
  std::string spec() const;  // "10 4 0,5:0,4": as checkpoints name slices
};

// What all copies of a Variable share; the graph's collections hold it.
struct VariableState : Collectable {
  VariableState() = default;
  VariableState(const VariableState&) = default;
  ~VariableState() override;
  std::string collected_name() const override { return name; }
  Node* operation() const override { return handle.node; }

  Graph* graph = nullptr;
  std::string name = {};  // "w:0"
  DType dtype = DType::invalid;
  bool is_resource = false;
  Output handle = {};         // a reference to the value, or the resource
  Output initial_value = {};  // none for variables read from a proto without one
  Node* initializer = nullptr;
  Output snapshot = {};        // what stands for the variable where a tensor is fetched or fed
  Output is_initialized = {};  // of resource variables
  Output cached = {};          // what readers get where there is a caching device
  Node* written_by = nullptr;  // reads wait for this: the variable as an assignment left it
  bool trainable = true, validate_shape = true;
  Constraint constraint = {};
  VariableSynchronization synchronization = VariableSynchronization::AUTO;
  VariableAggregation aggregation = VariableAggregation::NONE;
  std::optional<SaveSliceInfo> save_slice_info = {};
  // Of a variable of which each replica of a strategy has a copy; the rest is the first copy's.
  std::shared_ptr<const VariableCopies> copies = {};
  std::weak_ptr<VariableState> whole = {};  // of a copy: what it is a copy of
};

// use_locking: writes to a reference exclude each other. Resources ignore it.
struct AssignOptions {
  bool use_locking = false;
  std::string name = {};
};

// A tensor that keeps its value between runs. Cheap to copy: copies are the same variable. Converts
// to an Input, which reads it.
//
//   Variable w(truncated_normal({784, 10}), {.name = "w"});
//   session.run(global_variables_initializer());
//   session.run(w.assign_add(delta));
//
// The value is the session's, not the object's. Read before it has one, a step fails with
// FailedPrecondition. Reads and writes of one step have an order only where the graph says one.
class Variable {
 public:
  Variable() = default;                         // none
  template <std::same_as<VariableState> State>  // so that 0 is a value
  explicit Variable(std::shared_ptr<State> state) : state_(std::move(state)) {}
  // Throws InvalidArgument when the shape of the value is not known and is to be kept.
  explicit Variable(const InitialValue& initial_value, const VariableOptions& options = {},
                    std::source_location at = std::source_location::current());
  // Variable({1.0f}), a list of one, which could also be a copy of a Variable{1.0f}. The pack stays
  // empty; for its sake this is no constructor for Variable{1.0f}, a scalar.
  template <class... None>
  requires(sizeof...(None) ==
           0) explicit Variable(std::initializer_list<Input> items, None...,
                                std::source_location at = std::source_location::current())
      : Variable(InitialValue(items), VariableOptions(), at) {}

  explicit operator bool() const { return state_ != nullptr; }
  friend bool operator==(const Variable&, const Variable&) = default;
  const std::shared_ptr<VariableState>& state() const { return state_; }
  // This and what follows throw FailedPrecondition where there is no variable, or its graph is
  // gone.
  VariableState* operator->() const {
    if (state_ == nullptr || !state_->handle.is_alive()) [[unlikely]]
      raise_missing();
    return state_->copies == nullptr ? state_.get() : copy_here();
  }
  // Of each replica, where the variable has copies; else itself.
  std::vector<Variable> copies() const;
  // What it is a copy of; else itself.
  Variable whole() const;

  const std::string& name() const;  // "w:0"
  DType dtype() const { return (*this)->dtype; }
  PartialShape shape() const;
  Graph& graph() const { return *(*this)->graph; }
  bool is_resource() const { return (*this)->is_resource; }
  bool trainable() const { return (*this)->trainable; }
  Output handle() const { return (*this)->handle; }  // a reference, or the resource
  Node& op() const { return *(*this)->handle.node; }
  const std::string& device() const { return op().device(); }
  Node& initializer() const;
  Output initial_value() const { return (*this)->initial_value; }
  Output snapshot() const;  // what fetches and feeds of the variable mean
  bool is_eager() const {
    return state_ != nullptr && state_->handle.node && state_->handle.node->is_executed();
  }
  bool has_copies() const { return state_ != nullptr && state_->copies != nullptr; }

  // The value as readers get it: as it was at the start of the step for references, a new read for
  // resources (of the cached value where there is a caching device).
  Output value() const;
  Output read_value() const;  // read after what the current scope waits for
  // Rows, or single slices, without reading the whole.
  Output sparse_read(const Input& indices, const std::string& name = {}) const;
  Output gather_nd(const Input& indices, const std::string& name = {}) const;
  Output is_initialized(const std::string& name = {}) const;
  Output initialized_value() const;  // the initial value while it has none
  operator Input() const;

  // Each makes the operation and returns the value after it: the reference itself, or a read that
  // waits for it. Throws InvalidArgument when shapes cannot be equal.
  Output assign(const Input& value, const AssignOptions& options = {}) const;
  Output assign_add(const Input& delta, const AssignOptions& options = {}) const;
  Output assign_sub(const Input& delta, const AssignOptions& options = {}) const;
  // The operations alone.
  Node& assign_op(const Input& value, const AssignOptions& options = {}) const;
  Node& assign_add_op(const Input& delta, const AssignOptions& options = {}) const;
  Node& assign_sub_op(const Input& delta, const AssignOptions& options = {}) const;

  // Some rows changed: `how` is Add, Sub, Mul, Div, Min, Max or Update.
  Output scatter(std::string_view how, const Input& indices, const Input& updates,
                 const AssignOptions& options = {}) const;
  // Single elements or slices: `how` is Add, Sub or Update.
  Output scatter_nd(std::string_view how, const Input& indices, const Input& updates,
                    const AssignOptions& options = {}) const;
  // Writes into the part of the variable that `slice`, a StridedSlice of its value, reads.
  Output assign_slice(Output slice, const Input& value, const std::string& name = {}) const;
  // Adds 1 and gives the value before; at `limit` the step fails with OutOfRange.
  Output count_up_to(std::int64_t limit, const std::string& name = {}) const;

  // The variable as it is after `write`, whose result is `read`: readers wait for the write.
  Variable after(Node& write, Output read) const;
  void set_shape(const PartialShape& shape) const;

  friend Node* dependency_of(const Variable& variable) { return &variable.op(); }

 private:
  [[noreturn]] void raise_missing() const;
  VariableState* copy_here() const;
  Output read_op() const;
  void note_read() const;
  std::shared_ptr<VariableState> state_;
};

// Whether Variable makes resource variables where its options do not say; false at first.
void enable_resource_variables();
void disable_resource_variables();
bool resource_variables_enabled();

// The variable that a collection of the graph has under that handle, or a living one of eager
// execution; none when there is none.
Variable find_variable(Output handle);

}  // namespace rill
