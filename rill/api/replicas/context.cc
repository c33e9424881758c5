#include <algorithm>
#include <optional>

#include "rill/api/core/outermost_graph.h"
#include "rill/api/core/scope_changes.h"
#include "rill/api/replicas/strategy.h"
#include "rill/api/variables/variable_scope.h"
#include "rill/graph/device_name.h"

namespace rill::distribute {
namespace {

// One block that a strategy has opened in a graph, innermost last.
struct Stand {
  const Graph* graph = nullptr;
  StrategyRef strategy;
  ReplicaContext* replica = nullptr;
};

std::vector<Stand>& stands() {
  thread_local std::vector<Stand> all;
  return all;
}

const Stand* innermost() {
  const Graph* const graph = outermost_graph().get();
  const auto& all = stands();
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [&](const Stand& s) { return s.graph == graph; });
  return found == all.rend() ? nullptr : &*found;
}

// What programs get that use no strategy.
class DefaultExtended final : public StrategyExtended {
 public:
  DefaultExtended() : StrategyExtended({""}) {}
  const char* name() const override { return "_DefaultDistributionStrategy"; }
  bool is_default() const override { return true; }
  Variable create_variable(const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& options) override {
    return next(value, options);
  }
};

const StrategyRef& default_extended() {
  static const StrategyRef& strategy = *new StrategyRef(std::make_shared<DefaultExtended>());
  return strategy;
}

ReplicaContext& default_replica() {
  static ReplicaContext& replica = *new ReplicaContext(default_extended(), 0);
  return replica;
}

}  // namespace

Standing::Standing(StrategyRef strategy, ReplicaContext* replica) {
  stands().push_back({outermost_graph().get(), std::move(strategy), replica});
}
Standing::~Standing() { stands().pop_back(); }

Strategy get_strategy() {
  const Stand* const here = innermost();
  return Strategy(here == nullptr ? default_extended() : here->strategy);
}

bool has_strategy() {
  const Stand* const here = innermost();
  return here != nullptr && !here->strategy->is_default();
}

bool in_cross_replica_context() {
  const Stand* const here = innermost();
  return here != nullptr && here->replica == nullptr;
}

ReplicaContext* get_replica_context() {
  const Stand* const here = innermost();
  return here == nullptr ? &default_replica() : here->replica;
}

// --- scopes --------------------------------------------------------------------------------------

namespace {

// Partitioned variables and strategies do not go together.
VariableScopeOptions without_partitions() {
  VariableScopeOptions options;
  options.custom_getter.get = [](const Getter& getter, const std::string& name,
                                 const GetVariableOptions& given) {
    GetVariableOptions whole = given;
    whole.partitioner = {};
    return getter(name, whole);
  };
  return options;
}

}  // namespace

struct StrategyScope::Parts {
  explicit Parts(const StrategyRef& strategy)
      : standing(strategy, nullptr),
        creator([strategy](const MakeVariable& next, const InitialValue& value,
                           const VariableOptions& given) {
          VariableOptions options = given;
          options.use_resource = true;
          return strategy->create_variable(next, value, options);
        }),
        scope(get_variable_scope(), without_partitions()) {
    if (!strategy->default_device().empty()) device.emplace(strategy->default_device());
  }

  Standing standing;
  variable_creator_scope creator;
  VariableScopeBlock scope;
  std::optional<DeviceScope> device;
};

StrategyScope::StrategyScope(StrategyRef strategy) {
  if (strategy->is_default()) return;
  if (has_strategy() && get_strategy().ref() != strategy)
    raise(Code::kFailedPrecondition,
          "Mixing different tf.distribute.Strategy objects: ", get_strategy().extended().name(),
          " is not ", strategy->name());
  if (has_strategy() && !in_cross_replica_context())
    raise(Code::kFailedPrecondition,
          "Should enter a `strategy.scope()` outside of its replicas, not inside of one");
  if (has_strategy()) return;  // the same scope again
  parts_ = std::make_unique<Parts>(strategy);
}
StrategyScope::~StrategyScope() = default;

// --- replicas ------------------------------------------------------------------------------------

Strategy ReplicaContext::strategy() const { return Strategy(strategy_); }

Output ReplicaContext::replica_id_in_sync_group() {
  if (!id_.node || id_.node->is_executed() || &id_.node->graph() != default_graph().get()) {
    const InScope top(current_scope().without_control().named(""));
    const DeviceScope anywhere(nullptr);
    id_ = current_scope().constant(
        Tensor::scalar<std::int32_t>(strategy_->first_replica() + replica_));
  }
  return id_;
}

std::vector<std::string> ReplicaContext::devices() const {
  return {strategy_->worker_devices().at(static_cast<std::size_t>(replica_))};
}

void ReplicaContext::merge(void* mine, const Merge& together) {
  const Standing outside(strategy_, nullptr);
  const InReplica none(-1);
  void* const brought[] = {mine};
  together(*strategy_, brought);
}

Gradient ReplicaContext::all_reduce(ReduceOp op, const Gradient& value) {
  return merge_call(
      [op](StrategyExtended& strategy, const std::vector<Gradient>& values) {
        return strategy.reduce_to(op, values, strategy.worker_devices());
      },
      value);
}

std::string canonical_device(std::string_view device, std::string_view around) {
  DeviceName name = DeviceName::parse(device).over(DeviceName::parse(around));
  if (!name.replica) name.replica = 0;
  if (!name.task) name.task = 0;
  if (!name.type) name.type = "CPU";
  if (!name.id) name.id = 0;
  return to_text(name);
}

}  // namespace rill::distribute
