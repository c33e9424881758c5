#include "rill/api/variables/variable.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "rill/api/core/captured_values.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/outermost_graph.h"
#include "rill/api/core/variable_making.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/resource.h"
#include "rill/api/gen/state.h"
#include "rill/api/variables/variable_copies.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/api/variables/variable_creator.h"
#include "rill/graph/tape.h"

namespace rill {
namespace {

std::atomic<bool> use_resources = false;

// Living variables of eager execution, by their handles.
struct EagerVariables {
  std::mutex mutex;
  std::unordered_map<const Node*, std::weak_ptr<VariableState>> states;
};
EagerVariables& eager_variables() {
  static EagerVariables& all = *new EagerVariables;
  return all;
}

// A read is made where its reader is, whatever devices and colocations are around.
class AnyDevice : public ScopeChange {
 public:
  AnyDevice() : ScopeChange(current_scope().without_colocation().without_device()) {}
};

// A tensor of a function's body, asked for outside of it.
bool is_of_function(const Output& x) {
  return x.node && &x.node->graph() != default_graph().get() && !x.node->is_executed() &&
         x.node->graph().attached<VariableMaking>().is_function;
}

// A function may make variables when it is called for the first time only.
void note_made_in_function() {
  VariableMaking& making = default_graph()->attached<VariableMaking>();
  require(!making.refused,
          "tf.function only supports singleton tf.Variables created on the first call. Make sure "
          "the tf.Variable is only created once or created outside tf.function. See "
          "https://www.tensorflow.org/guide/function#creating_tfvariables for more information.");
  ++making.made;
}

void check_trainable(VariableState& state, const VariableOptions& options) {
  const bool on_read = options.synchronization == VariableSynchronization::ON_READ;
  require(!(on_read && options.trainable.value_or(false)),
          "Synchronization value can be set to VariableSynchronization.ON_READ only for "
          "non-trainable variables. You have specified trainable=True and "
          "synchronization=VariableSynchronization.ON_READ.");
  state.trainable = options.trainable.value_or(!on_read);
}

}  // namespace

void enable_resource_variables() { use_resources = true; }
void disable_resource_variables() { use_resources = false; }
bool resource_variables_enabled() { return use_resources; }

Output InitialValue::build(DType dtype) const {
  if (value_ && value_->is_output() && is_of_function(value_->output()))
    return as_tensor(computed_outside(value_->output()), "initial_value", dtype);
  const Output made = make_ ? make_() : as_tensor(*value_, "initial_value", dtype);
  return make_ ? as_tensor(made, "initial_value", dtype) : made;
}

Variable::Variable(const InitialValue& initial_value, const VariableOptions& options,
                   std::source_location at)
    : state_(std::make_shared<VariableState>()) {
  require(bool(initial_value), "initial_value must be specified.");
  if (has_variable_creators()) {
    *this = created_variable(initial_value, options, at);
    return;
  }
  if (lifts_variables() || default_graph()->attached<VariableMaking>().is_function) {
    note_made_in_function();
    const std::string around = current_scope().name();
    const AsDefault outside(outermost_graph());
    const NameScope named(around.empty() ? around : around + "/");
    VariableOptions of_function = options;
    of_function.use_resource = true;
    *this = Variable(initial_value, of_function, at);
    return;
  }
  state_->graph = default_graph().get();
  state_->validate_shape = options.validate_shape;
  state_->constraint = options.constraint;
  state_->synchronization = options.synchronization;
  state_->aggregation = options.aggregation;
  check_trainable(*state_, options);
  const bool eager = executing_eagerly();
  state_->is_resource = eager || options.use_resource.value_or(resource_variables_enabled());
  std::vector<std::string> names =
      options.collections.value_or(std::vector<std::string>{GraphKeys::GLOBAL_VARIABLES});
  const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  if (state_->trainable && !has(GraphKeys::TRAINABLE_VARIABLES))
    names.emplace_back(GraphKeys::TRAINABLE_VARIABLES);
  const bool resource = state_->is_resource;
  (resource ? create_resource_variable : create_ref_variable)(*state_, initial_value, options, at);
  if (!eager) {
    add_to_collections(names, std::shared_ptr<Collectable>(state_));
    return;
  }
  if (has(GraphKeys::GLOBAL_STEP))  // which programs look for there, in eager execution, too
    add_to_collections({GraphKeys::GLOBAL_STEP}, std::shared_ptr<Collectable>(state_));
  EagerVariables& all = eager_variables();
  const std::lock_guard lock(all.mutex);
  all.states[state_->handle.node] = state_;
}

VariableState::~VariableState() {
  if (!handle.node || !handle.is_alive() || !handle.node->is_executed()) return;
  EagerVariables& all = eager_variables();
  const std::lock_guard lock(all.mutex);
  const auto found = all.states.find(handle.node);
  if (found != all.states.end() && found->second.expired()) all.states.erase(found);
}

void Variable::raise_missing() const {
  raise(Code::kFailedPrecondition, state_ == nullptr
                                       ? "there is no variable here: the Variable is empty"
                                       : "the graph of this variable is gone");
}

const std::string& Variable::name() const {
  const VariableState* here = operator->();
  return has_copies() ? state_->name : here->name;
}

VariableState* Variable::copy_here() const { return state_->copies->here().state_.get(); }

std::vector<Variable> Variable::copies() const {
  return has_copies() ? state_->copies->all() : std::vector<Variable>{*this};
}

Variable Variable::whole() const {
  auto whole = state_ == nullptr ? nullptr : state_->whole.lock();
  return whole == nullptr ? *this : Variable(std::move(whole));
}

PartialShape Variable::shape() const {
  if (!is_resource()) return handle().shape();
  const HandleInfo* info = handle().node->output_handle(handle().index);
  return info == nullptr ? PartialShape() : info->shape;
}

Node& Variable::initializer() const {
  if (has_copies() && !is_eager()) return state_->copies->initializer();
  require((*this)->initializer != nullptr, "variable ", name(), " has no initializer");
  return *operator->()->initializer;
}

namespace {

// Where the variable is what a write left: what is made waits for that.
std::optional<ControlDependencies> after_write(const VariableState& state) {
  if (state.written_by == nullptr) return {};
  Node* const write = state.written_by;
  return std::optional<ControlDependencies>(std::in_place, std::span(&write, 1));
}

}  // namespace

Output Variable::snapshot() const {
  if (is_eager()) return value();
  return has_copies() && replica_here() < 0 ? state_->copies->saved() : (*this)->snapshot;
}

// Tapes go back to the handles of trainable variables.
void Variable::note_read() const {
  if (is_eager() && trainable() && executing_eagerly()) note_variable_read(handle());
}

Output Variable::read_op() const {
  note_read();
  const Output read = raw::ReadVariableOp(handle(), dtype());
  if (read.node->is_executed()) return read;
  read.node->graph().refine_shape(read, shape());  // a captured handle does not tell it
  return read;
}

Output Variable::value() const {
  if (has_copies() && replica_here() < 0) return state_->copies->read_outside();
  if (!is_resource()) return (*this)->snapshot;
  if ((*this)->cached.node) return (*this)->cached;
  const AnyDevice anywhere;
  const auto written = after_write(*operator->());
  return read_op();
}

Output Variable::read_value() const {
  if (has_copies() && replica_here() < 0) return state_->copies->read_outside();
  if (!is_resource()) return raw::Identity(handle(), {.name = "read"});
  if ((*this)->written_by != nullptr) return this->value();
  Output value;
  {
    const NameScope read("Read");
    value = read_op();
  }
  return raw::Identity(value);
}

Output Variable::sparse_read(const Input& indices, const std::string& name) const {
  if (!is_resource()) return raw::GatherV2(value(), indices, 0, {.name = name});
  note_read();
  return raw::ResourceGather(handle(), indices, dtype(), {.name = name.empty() ? "Gather" : name});
}

Output Variable::gather_nd(const Input& indices, const std::string& name) const {
  if (!is_resource()) return raw::GatherNd(value(), indices, {.name = name});
  note_read();
  const Output rows =
      raw::ResourceGatherNd(handle(), indices, dtype(), {.name = name.empty() ? "GatherNd" : name});
  return raw::Identity(rows);
}

Output Variable::is_initialized(const std::string& name) const {
  if (is_resource()) return raw::VarIsInitializedOp(handle(), {.name = name});
  return raw::IsVariableInitialized(handle(), {.name = name});
}

Output Variable::initialized_value() const {
  if (is_eager()) return value();
  const OutsideFlow outside;
  return cond_one(
      is_initialized(), [this] { return read_value(); }, [this] { return initial_value(); });
}

Variable::operator Input() const {
  if (!is_resource() && !has_copies()) return Input((*this)->snapshot);
  return Input(Input::MakeOutput([variable = *this](Scope& scope, std::string_view, DType) {
    const InScope inside(scope);
    return variable.value();
  }));
}

Variable Variable::after(Node& write, Output read) const {
  auto state = std::make_shared<VariableState>(*operator->());
  state->written_by = &write;
  state->snapshot = read;
  state->cached = {};
  return Variable(std::move(state));
}

void Variable::set_shape(const PartialShape& shape) const {
  if (is_eager()) return;
  graph().refine_shape(is_resource() ? (*this)->snapshot : handle(), shape);
  if (!is_resource()) graph().refine_shape((*this)->snapshot, shape);
}

Variable find_variable(Output handle) {
  if (handle.node->is_executed()) {
    EagerVariables& all = eager_variables();
    const std::lock_guard lock(all.mutex);
    const auto found = all.states.find(handle.node);
    return found == all.states.end() ? Variable() : Variable(found->second.lock());
  }
  for (const char* name : {GraphKeys::GLOBAL_VARIABLES, GraphKeys::LOCAL_VARIABLES})
    for (auto& state : collections_of(handle.node->graph()).collected<VariableState>(name))
      if (state->handle == handle) return Variable(state);
  return {};
}

// --- copies --------------------------------------------------------------------------------------

namespace {

int& replica_of_thread() {
  thread_local int replica = -1;
  return replica;
}

}  // namespace

int replica_here() { return replica_of_thread(); }

InReplica::InReplica(int replica) : outer_(std::exchange(replica_of_thread(), replica)) {}
InReplica::~InReplica() { replica_of_thread() = outer_; }

const Variable& VariableCopies::here() const {
  const int replica = replica_here();
  const bool has_own = replica >= 0 && replica < static_cast<int>(all_.size());
  return has_own ? all_[static_cast<std::size_t>(replica)] : primary();
}

Node& VariableCopies::initializer() const {
  std::vector<Node*> initializers;
  for (const Variable& copy : all_) initializers.push_back(&copy.initializer());
  return group(initializers);
}

Output VariableCopies::read_outside() const { return primary().value(); }

}  // namespace rill
