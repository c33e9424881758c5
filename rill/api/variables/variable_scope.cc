#include "rill/api/variables/variable_scope.h"

#include <algorithm>
#include <mutex>
#include <thread>

#include "rill/api/core/outermost_graph.h"
#include "rill/api/variables/eager_variable_store.h"
#include "rill/api/variables/variable_creation.h"
#include "rill/base/text.h"

namespace rill {
namespace {

// The scopes of one graph in one thread.
struct OpenScopes {
  VariableScopeRef current = std::make_shared<VariableScope>();
  std::map<std::string, int> counts;  // how often a scope of that full name was opened
};

// What a graph knows of variable scopes.
struct GraphScopes {
  std::mutex mutex;
  std::map<std::thread::id, OpenScopes> threads;
  VariableStore store;
};

OpenScopes& open_scopes(Graph& graph) {
  // The body of a function begins in the scope that the program has open around it.
  VariableScopeRef around;
  if (graph.capture && outermost_graph().get() != &graph)
    around = open_scopes(*outermost_graph()).current;
  auto& scopes = graph.attached<GraphScopes>();
  const std::lock_guard lock(scopes.mutex);
  const auto [found, is_new] = scopes.threads.try_emplace(std::this_thread::get_id());
  if (is_new && around) found->second.current = around;
  return found->second;
}

std::string below(const std::string& outer, std::string_view name) {
  return outer.empty() ? std::string(name) : str_cat(outer, "/", name);
}

CustomGetter combined(const CustomGetter& inner, const CustomGetter& outer) {
  if (!outer) return inner;
  if (!inner) return outer;
  CustomGetter both;
  both.get = [inner, outer](const Getter& getter, const std::string& name,
                            const GetVariableOptions& options) {
    const Getter through_outer = [&](const std::string& n, const GetVariableOptions& o) {
      return outer.get(getter, n, o);
    };
    return inner.get(through_outer, name, options);
  };
  return both;
}

void override_with(VariableScope& scope, const VariableScopeOptions& o) {
  if (o.initializer) scope.initializer = o.initializer;
  if (o.regularizer) scope.regularizer = o.regularizer;
  if (o.caching_device) scope.caching_device = o.caching_device;
  if (o.partitioner) scope.partitioner = o.partitioner;
  scope.custom_getter = combined(o.custom_getter, scope.custom_getter);
  if (o.dtype != DType::invalid) scope.dtype = o.dtype;
  if (o.use_resource) scope.use_resource = o.use_resource;
  if (o.constraint) scope.constraint = o.constraint;
  // Reuse, once on, cannot be turned off inside.
  if (o.reuse == Reuse::kYes || o.reuse == Reuse::kAuto) scope.reuse = o.reuse;
}

std::string first_free(OpenScopes& scopes, std::string_view prefix) {
  const std::string full = below(scopes.current->name, prefix);
  if (scopes.counts[full] == 0) return std::string(prefix);
  int k = 1;
  while (scopes.counts[str_cat(full, "_", k)] > 0) ++k;
  return str_cat(prefix, "_", k);
}

}  // namespace

VariableScopeRef get_variable_scope() { return open_scopes(*default_graph()).current; }

void forget_variable_scopes() {
  auto& scopes = default_graph()->attached<GraphScopes>();
  const std::lock_guard lock(scopes.mutex);
  scopes.threads.erase(std::this_thread::get_id());
}

VariableStore& variable_store() { return outermost_graph()->attached<GraphScopes>().store; }

namespace {

// In eager execution what was made by that name is found where a store is active; elsewhere every
// call makes a new variable, whatever was said about reuse.
AnyVariable get_eagerly(const std::string& full_name, GetVariableOptions o) {
  EagerVariableStore::State* const kept = active_eager_store();
  if (kept == nullptr) {
    o.reuse = Reuse::kUnset;
    return VariableStore().get(full_name, o);
  }
  o.reuse = Reuse::kAuto;
  AnyVariable found = kept->store.get(full_name, o);
  const auto* variable = std::get_if<Variable>(&found);
  if (variable != nullptr && std::ranges::find(kept->made, *variable) == kept->made.end()) {
    kept->made.push_back(*variable);
    std::ranges::sort(kept->made, {}, [](const Variable& v) { return v.name(); });
  }
  return found;
}

}  // namespace

AnyVariable VariableScope::get_variable(const std::string& own, GetVariableOptions o) const {
  if (o.dtype != DType::invalid && o.initializer.value()) {
    const NameScope top("");
    const DType given = base_type(rill::as_tensor(*o.initializer.value()).dtype());
    require(given == o.dtype, "Initializer type '", numpy_name(given), "' and explicit dtype '",
            numpy_name(o.dtype), "' don't match.");
  }
  return get_full(below(name, own), std::move(o));
}

AnyVariable VariableScope::get_own_variable(GetVariableOptions o) const {
  // A tensor keeps its type, other values take the one that is asked for.
  if (const auto& value = o.initializer.value(); value && value->is_output())
    o.dtype = base_type(value->output().dtype());
  return get_full(name, std::move(o));
}

AnyVariable VariableScope::get_full(const std::string& full_name, GetVariableOptions o) const {
  // A variable outlives the call of the function that asks for it: it belongs to the graph around.
  const AsDefault outside(outermost_graph());
  if (!o.regularizer) o.regularizer = regularizer;
  if (!o.caching_device) o.caching_device = caching_device;
  if (!o.partitioner) o.partitioner = partitioner;
  if (!o.custom_getter) o.custom_getter = custom_getter;
  if (o.reuse == Reuse::kUnset) o.reuse = reuse;
  if (!o.use_resource) o.use_resource = use_resource;
  // Names depend on variable scopes alone.
  const NameScope top("");
  if (!o.initializer) o.initializer = initializer;
  if (!o.constraint) o.constraint = constraint;
  if (o.dtype == DType::invalid) o.dtype = dtype;
  if (executing_eagerly()) return get_eagerly(full_name, std::move(o));
  return variable_store().get(full_name, o);
}

AnyVariable get_any_variable(const std::string& name, const GetVariableOptions& options,
                             std::source_location at) {
  const InScope place(here(at));
  return get_variable_scope()->get_variable(name, options);
}

Variable get_variable(const std::string& name, const GetVariableOptions& options,
                      std::source_location at) {
  const AnyVariable found = get_any_variable(name, options, at);
  const Variable* variable = std::get_if<Variable>(&found);
  require(variable != nullptr, "'", name, "' is no plain variable here: ask get_any_variable");
  return *variable;
}

Variable get_variable(const std::string& name, const PartialShape& shape,
                      GetVariableOptions options, std::source_location at) {
  options.shape = shape;
  return get_variable(name, options, at);
}

GetVariableOptions as_local_variable(GetVariableOptions options) {
  options.trainable = false;
  std::vector<std::string> collections = options.collections.value_or(std::vector<std::string>());
  collections.emplace_back(GraphKeys::LOCAL_VARIABLES);
  options.collections = std::move(collections);
  return options;
}

Variable get_local_variable(const std::string& name, const GetVariableOptions& options,
                            std::source_location at) {
  return get_variable(name, as_local_variable(options), at);
}

// --- blocks ------------------------------------------------------------------------------------

VariableScopeBlock::VariableScopeBlock(std::string_view name, const VariableScopeOptions& options,
                                       std::source_location at) {
  enter_named(name, name, options, at);
}

VariableScopeBlock::VariableScopeBlock(const VariableScopeRef& scope,
                                       const VariableScopeOptions& options,
                                       std::source_location at) {
  again_ = true;
  scope_ = std::make_shared<VariableScope>(*scope);
  override_with(*scope_, options);
  open(std::string_view(scope->name).substr(scope->name.rfind('/') + 1), options, at);
}

std::unique_ptr<VariableScopeBlock> VariableScopeBlock::with_default_name(
    std::string_view name, const VariableScopeOptions& options, std::source_location at) {
  require(options.reuse == Reuse::kUnset || options.reuse == Reuse::kNo ||
              options.reuse == Reuse::kAuto,
          "reuse=True cannot be used without a name_or_scope");
  std::unique_ptr<VariableScopeBlock> block(new VariableScopeBlock(Tag()));
  const std::string own = first_free(open_scopes(*default_graph()), name);
  block->enter_named(own, name, options, at);
  return block;
}

void VariableScopeBlock::enter_named(std::string_view name, std::string_view name_scope,
                                     const VariableScopeOptions& options, std::source_location at) {
  const VariableScopeRef outer = get_variable_scope();
  scope_ = std::make_shared<VariableScope>(*outer);
  scope_->name = below(outer->name, name);
  override_with(*scope_, options);
  const std::string& around = current_scope().name();
  scope_->original_name_scope = around.empty() ? "" : around + "/";
  open(name_scope, options, at);
}

void VariableScopeBlock::open(std::string_view name_scope, const VariableScopeOptions& options,
                              std::source_location at) {
  graph_ = default_graph();
  if (options.auxiliary_name_scope && !name_scope.empty()) {
    names_ = std::make_unique<Block>(name_scope, name_scope, at);
    if (!again_) scope_->original_name_scope = names_->own_name();
  }
  OpenScopes& scopes = open_scopes(*graph_);
  outer_ = scopes.current;
  ++scopes.counts[scope_->name];
  if (again_) counts_ = scopes.counts;
  scopes.current = scope_;
}

VariableScopeBlock::~VariableScopeBlock() {
  if (!outer_) return;  // it could not be opened
  OpenScopes& scopes = open_scopes(*graph_);
  if (again_) {
    scopes.counts = std::move(counts_);
  } else {
    // What was opened inside may be opened under the same names again.
    const std::string inside = scope_->name + "/";
    for (auto& [name, count] : scopes.counts)
      if (name.starts_with(inside)) count = 0;
  }
  scopes.current = outer_;
}

}  // namespace rill
