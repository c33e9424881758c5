#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/variables/variable_copies.h"
#include "rill/api/variables/variable_creator.h"
#include "rill/graph/grad_ctx.h"

// Training on several devices or machines: each replica computes the same model on its part of a
// batch, and a strategy says where replicas and variables are and how gradients come together.
//
//   tf::distribute::MirroredStrategy strategy({.devices = {"/cpu:0", "/cpu:1"}});
//   const auto scope = strategy.scope();
//   auto losses = strategy.experimental_run_v2([&] { return build_and_train(next()); });
//   Output loss = strategy.reduce(ReduceOp::MEAN, losses);
namespace rill::distribute {

enum class ReduceOp { SUM, MEAN };

class ReplicaContext;
class Strategy;

// What a strategy is made of. Devices are full names, one for each replica of this process.
class StrategyExtended : public std::enable_shared_from_this<StrategyExtended> {
 public:
  explicit StrategyExtended(std::vector<std::string> worker_devices);
  virtual ~StrategyExtended() = default;
  StrategyExtended(const StrategyExtended&) = delete;
  StrategyExtended& operator=(const StrategyExtended&) = delete;

  virtual const char* name() const = 0;  // "MirroredStrategy"
  const std::vector<std::string>& worker_devices() const { return worker_devices_; }
  virtual std::vector<std::string> parameter_devices() const { return worker_devices_; }
  int local_replicas() const { return static_cast<int>(worker_devices_.size()); }
  // Of all processes.
  virtual int num_replicas_in_sync() const { return local_replicas(); }
  virtual int first_replica() const { return 0; }  // of this process, among all
  virtual bool is_default() const { return false; }
  // Whether variables have a copy for each replica.
  virtual bool mirrors_variables() const { return false; }
  virtual bool experimental_between_graph() const { return false; }
  virtual bool experimental_should_init() const { return true; }
  virtual bool should_checkpoint() const { return true; }
  virtual bool should_save_summary() const { return true; }
  bool experimental_require_static_shapes() const { return false; }
  virtual std::string default_device() const { return {}; }  // of what is made in the scope

  // The variable that a program makes inside of the scope; `next` makes a plain one.
  virtual Variable create_variable(const MakeVariable& next, const InitialValue& value,
                                   const VariableOptions& options) = 0;
  // Builds each replica by `build`. Replicas run one after the other, each until it ends or merges.
  // Throws what one of them throws, and FailedPrecondition where they do not merge as often.
  // In the strategy's scope, which it opens where it is not open.
  void call_for_each_replica(const std::function<void(ReplicaContext&)>& build);
  // What the replicas have, brought together on each of `destinations`.
  virtual std::vector<Gradient> reduce_to(ReduceOp op, const std::vector<Gradient>& values,
                                          const std::vector<std::string>& destinations);
  // Several at once, each to its own destinations.
  struct ToReduce {
    std::vector<Gradient> values;
    std::vector<std::string> destinations;
  };
  virtual std::vector<std::vector<Gradient>> batch_reduce_to(ReduceOp op,
                                                             const std::vector<ToReduce>& all);
  std::vector<Output> broadcast_to(const Output& value,
                                   const std::vector<std::string>& destinations) const;
  // Where a value goes that becomes the new one of `var`.
  std::vector<std::string> devices_of(const Variable& var) const;
  // Calls `change` for each copy, on its device.
  virtual void update(const Variable& var,
                      const std::function<void(const Variable& copy, int index)>& change);
  virtual std::vector<std::string> non_slot_devices(const std::vector<Variable>& variables) const;
  void update_non_slot(const std::vector<std::string>& devices,
                       const std::function<void(int index)>& change);

  // Whether optimizers divide losses by the number of replicas, for the mean over all of them; sums
  // otherwise.
  bool scales_loss = false;

 protected:
  virtual void build_replicas(const std::function<void(ReplicaContext&)>& build);

 private:
  const std::vector<std::string> worker_devices_;
};
using StrategyRef = std::shared_ptr<StrategyExtended>;

// Where a function that call_for_each_replica() runs stands.
class ReplicaContext {
 public:
  using Merge = std::function<void(StrategyExtended&, std::span<void* const> brought)>;

  ReplicaContext(StrategyRef strategy, int replica)
      : strategy_(std::move(strategy)), replica_(replica) {}
  virtual ~ReplicaContext() = default;

  Strategy strategy() const;
  StrategyExtended& extended() const { return *strategy_; }
  int replica() const { return replica_; }  // in this process
  int num_replicas_in_sync() const { return strategy_->num_replicas_in_sync(); }
  Output replica_id_in_sync_group();
  std::vector<std::string> devices() const;

  // Waits until all replicas have come here. Then what the first one gave is called once, outside
  // of replicas, with what each of them brings.
  virtual void merge(void* mine, const Merge& together);
  // The same of values: `f` gets those of all replicas, and gives one for each.
  template <class T, class F>
  auto merge_call(F f, T mine) {
    using Results = std::invoke_result_t<F, StrategyExtended&, const std::vector<T>&>;
    struct Brought {
      T value;
      typename Results::value_type result{};
    } own{std::move(mine)};
    merge(&own, [&f](StrategyExtended& strategy, std::span<void* const> brought) {
      std::vector<T> values;
      for (void* const one : brought) values.push_back(static_cast<Brought*>(one)->value);
      Results results = f(strategy, values);
      for (std::size_t i = 0; i < brought.size(); ++i)
        static_cast<Brought*>(brought[i])->result = std::move(results.at(i));
    });
    return std::move(own.result);
  }
  // The value that all replicas together have.
  Gradient all_reduce(ReduceOp op, const Gradient& value);

 private:
  const StrategyRef strategy_;
  const int replica_;
  Output id_;
};

// Inside of a strategy's scope variables belong to the strategy. Ends on the thread that made it.
class StrategyScope {
 public:
  [[nodiscard]] explicit StrategyScope(StrategyRef strategy);
  ~StrategyScope();
  StrategyScope(const StrategyScope&) = delete;
  StrategyScope& operator=(const StrategyScope&) = delete;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A strategy; copies are the same one.
class Strategy {
 public:
  explicit Strategy(StrategyRef extended) : extended_(std::move(extended)) {}

  StrategyExtended& extended() const { return *extended_; }
  const StrategyRef& ref() const { return extended_; }
  int num_replicas_in_sync() const { return extended_->num_replicas_in_sync(); }
  StrategyScope scope() const { return StrategyScope(extended_); }
  friend bool operator==(const Strategy&, const Strategy&) = default;

  // Runs `f` as each replica: with its own item of each list of `args`, after the ReplicaContext if
  // it takes one. Returns what they returned, one for each; nothing where `f` returns nothing.
  template <class F, class... T>
  auto experimental_run_v2(F f, const std::vector<T>&... args) const {
    const auto call = [&](ReplicaContext& context) {
      const auto at = static_cast<std::size_t>(context.replica());
      if constexpr (std::is_invocable_v<F, ReplicaContext&, const T&...>)
        return f(context, args.at(at)...);
      else
        return f(args.at(at)...);
    };
    using Result = std::invoke_result_t<decltype(call), ReplicaContext&>;
    if constexpr (std::is_void_v<Result>) {
      extended_->call_for_each_replica(call);
    } else {
      std::vector<Result> results(static_cast<std::size_t>(extended_->local_replicas()));
      extended_->call_for_each_replica([&](ReplicaContext& context) {
        results[static_cast<std::size_t>(context.replica())] = call(context);
      });
      return results;
    }
  }
  // One value of all replicas'. With an axis, first along that axis within each replica; a MEAN is
  // then that of all rows together.
  Output reduce(ReduceOp op, const std::vector<Output>& values, std::optional<int> axis = {}) const;
  // One operation that waits for all.
  Node& group(const std::vector<Output>& values, const std::string& name = {}) const;

 private:
  StrategyRef extended_;
};

// Where this thread stands. Without a strategy there is a default one, of one replica.
Strategy get_strategy();
bool has_strategy();
bool in_cross_replica_context();
// nullptr outside of replicas, inside of a scope.
ReplicaContext* get_replica_context();
// Makes this thread stand in `replica`, or, with nullptr, outside of the replicas of `strategy`.
class Standing {
 public:
  Standing(StrategyRef strategy, ReplicaContext* replica);
  ~Standing();
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;
};

// "/replica:0/task:0/device:CPU:1" of "/cpu:1"; `around` gives the parts that it lacks.
std::string canonical_device(std::string_view device, std::string_view around = {});

// The values as one, where this is called: sums or means; rows are put behind each other.
Gradient aggregated(ReduceOp op, const std::vector<Gradient>& values);

}  // namespace rill::distribute
