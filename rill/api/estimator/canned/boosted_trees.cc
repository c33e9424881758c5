#include "rill/api/estimator/canned/boosted_trees.h"

#include <algorithm>
#include <limits>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/slicing.h"
#include "rill/api/feature_column/column_kinds.h"
#include "rill/api/feature_column/scope_state.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/boosted_trees.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/queue/accumulators.h"
#include "rill/api/saver/saveable.h"
#include "rill/api/train/global_step.h"
#include "rill/api/training/resources.h"
#include "rill/api/variables/get_variable.h"
#include "rill/api/variables/state_ops.h"

namespace rill::estimator {
namespace {

namespace fc = feature_column;

constexpr const char* kScope = "boosted_trees";

// What a checkpoint holds of the trees.
class SavedTrees : public train::Saveable {
 public:
  explicit SavedTrees(Output handle) : Saveable(str_cat(kScope, ":0")), handle_(handle) {
    const auto trees = raw::BoostedTreesSerializeEnsemble(handle);
    specs_ = {{trees.stamp_token, name() + "_stamp", "", DType::i64},
              {trees.tree_ensemble_serialized, name() + "_serialized", "", DType::string}};
  }
  const std::vector<train::SaveSpec>& specs() const override { return specs_; }
  std::string device() const override { return handle_.node->device(); }
  Node& restore(const std::vector<Output>& restored, const Inputs&) override {
    return raw::BoostedTreesDeserializeEnsemble(handle_, restored.at(0), restored.at(1));
  }

 private:
  Output handle_;
  std::vector<train::SaveSpec> specs_;
};

Output make_ensemble() {
  const Block in({}, kScope, std::source_location::current());
  const Output handle =
      raw::BoostedTreesEnsembleResourceHandleOp({.shared_name = std::string(kScope) + "/"});
  Node& create = raw::BoostedTreesCreateEnsemble(handle, std::int64_t{0}, "");
  train::register_resource(handle, create, raw::IsBoostedTreesEnsembleInitialized(handle));
  add_to_collection(GraphKeys::SAVEABLE_OBJECTS, std::make_shared<SavedTrees>(handle));
  return handle;
}

std::int64_t pruning_number(const BoostedTreesSettings& s) {
  const std::vector<std::string> modes = {"none", "pre", "post"};
  const auto found = std::ranges::find(modes, s.pruning_mode);
  require(found != modes.end(), "pruning_mode must be one of none, pre, post, got ",
          s.pruning_mode);
  require(s.pruning_mode == "none" || s.tree_complexity > 0,
          "For pruning, tree_complexity must be positive.");
  return found - modes.begin();
}

void check(const BoostedTreesSettings& s) {
  require(s.n_batches_per_layer > 0 && s.n_trees > 0 && s.max_depth > 0 && s.max_depth < 20,
          "n_batches_per_layer, n_trees and max_depth must be positive, and max_depth below 20.");
  (void)pruning_number(s);
}

// The result of a branch that is run for what `op` does.
std::vector<Output> after(Node& op) {
  Node* const first = &op;
  const ControlDependencies wait(std::span(&first, 1));
  return {raw::Identity(as_tensor(Input(true), "done"))};
}

Variable flag(const char* name, bool initial) {
  return get_variable(str_cat(kScope, "/", name),
                      {.shape = PartialShape(std::vector<std::int64_t>{}),
                       .dtype = DType::boolean,
                       .initializer = constant_initializer(initial),
                       .trainable = false});
}

void sort_by_name(Columns& columns) {
  std::ranges::sort(columns, {}, [](const fc::ColumnRef& column) { return column->name(); });
}

// The number of features that a column stands for, and of the buckets of each.
std::pair<std::int64_t, std::int64_t> feature_sizes(const fc::ColumnRef& column) {
  if (const auto* numbers = dynamic_cast<const fc::BucketizedColumn*>(column.get()))
    return {numbers->source_column->variable_shape().full().element_count(),
            static_cast<std::int64_t>(numbers->boundaries.size()) + 1};
  if (const auto* indicator = dynamic_cast<const fc::IndicatorColumn*>(column.get()))
    return {indicator->variable_shape().full().element_count(), 2};
  raise(Code::kUnimplemented,
        "Boosted trees take bucketized and indicator columns only so far, not ", column->text());
}

class StopAtAttemptsHook : public train::SessionRunHook {
 public:
  StopAtAttemptsHook(Output finalized, Output attempted, std::int64_t trees, std::int64_t depth)
      : finalized_(finalized), attempted_(attempted), trees_(trees), depth_(depth) {}

  std::optional<train::SessionRunArgs> before_run(train::SessionRunContext&) override {
    return train::SessionRunArgs{.fetches = {finalized_, attempted_}};
  }
  void after_run(train::SessionRunContext& context,
                 const train::SessionRunValues& values) override {
    const auto trees = values.results.at(0).scalar_value<std::int32_t>(),
               layers = values.results.at(1).scalar_value<std::int32_t>();
    if (trees >= trees_ || layers > 2 * trees_ * depth_) context.request_stop();
  }

 private:
  Output finalized_, attempted_;
  std::int64_t trees_, depth_;
};

}  // namespace

std::vector<std::string> boosted_trees_feature_names(Columns columns) {
  sort_by_name(columns);
  std::vector<std::string> names;
  for (const fc::ColumnRef& column : columns) {
    const auto* indicator = dynamic_cast<const fc::IndicatorColumn*>(column.get());
    const std::string name = indicator ? indicator->categorical_column->name() : column->name();
    names.insert(names.end(), static_cast<std::size_t>(feature_sizes(column).first), name);
  }
  return names;
}

BoostedTreesModel::BoostedTreesModel(const Features& features, Mode mode, Columns columns,
                                     const BoostedTreesSettings& settings)
    : settings_(settings) {
  check(settings);
  require(!columns.empty(), "feature_columns must not be empty.");
  sort_by_name(columns);
  const Block in({}, "transform", std::source_location::current());
  for (const fc::ColumnRef& column : columns) add_column(column, features);
  handle_ = make_ensemble();
  if (mode != Mode::kTrain) {
    const std::vector<Output> all = buckets();
    logits_ = raw::BoostedTreesPredict(handle_, Inputs(all.begin(), all.end()), 1);
    return;
  }
  const auto states = raw::BoostedTreesGetEnsembleStates(handle_);
  last_nodes_ = states.last_layer_nodes_range;
  const Output rows = slice(shape(features_[0].buckets), {SliceRange{.stop = Input(1)}});
  const Output zeros = raw::Fill(rows, 0), nowhere = raw::Fill(rows, -1);
  const std::vector<Output> all = buckets();
  const auto now =
      raw::BoostedTreesTrainingPredict(handle_, zeros, nowhere, Inputs(all.begin(), all.end()), 1);
  logits_ = now.partial_logits;
  node_ids_ = now.node_ids;
  center_bias_needed_ = flag("center_bias_needed", settings.center_bias);
  flag("are_boundaries_ready", false);  // of numeric columns, for TensorFlow's checkpoints
}

void BoostedTreesModel::add_column(const fc::ColumnRef& column, const Features& features) {
  const auto [count, buckets] = feature_sizes(column);
  fc::FeatureTransformationCache cache(features);
  fc::ScopeState state({}, false);
  Output values;
  if (const auto* indicator = dynamic_cast<const fc::IndicatorColumn*>(column.get()))
    values = indicator->get_dense_tensor(cache, state);
  else
    values = std::get<Output>(cache.get(*column, state));
  const Output ids = raw::Reshape(cast(values, DType::i32), stack({Input(-1), Input(count)}));
  for (const Output& feature : unstack(ids, {.num = static_cast<int>(count), .axis = 1}))
    features_.push_back({feature, buckets});
}

std::vector<Output> BoostedTreesModel::buckets() const {
  std::vector<Output> all;
  for (const Bucketized& feature : features_) all.push_back(feature.buckets);
  return all;
}

// Features by their number of buckets, whose statistics are one tensor.
std::vector<std::pair<std::int64_t, std::vector<std::size_t>>> BoostedTreesModel::groups() const {
  std::map<std::int64_t, std::vector<std::size_t>> by_count;
  for (std::size_t i = 0; i < features_.size(); ++i) by_count[features_[i].count].push_back(i);
  return {by_count.begin(), by_count.end()};
}

std::vector<Output> BoostedTreesModel::statistics(Output gradients, Output hessians) const {
  std::vector<Output> sums;
  for (const auto& [count, members] : groups()) {
    Inputs list;
    for (const std::size_t i : members) list.emplace_back(features_[i].buckets);
    sums.push_back(raw::BoostedTreesMakeStatsSummary(
        node_ids_, gradients, hessians, list, std::int64_t{1} << settings_.max_depth << 1, count));
  }
  return sums;
}

Node& BoostedTreesModel::grow(const std::vector<Output>& statistics) const {
  Inputs nodes, gains, thresholds, left, right;
  Tensor ids(DType::i32, {static_cast<std::int64_t>(features_.size())});
  std::int32_t* id = ids.data<std::int32_t>();
  const auto append = [](Inputs& to, const std::vector<Output>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  std::size_t group = 0;
  for (const auto& [count, members] : groups()) {
    const auto parts = unstack(statistics.at(group++), {.num = static_cast<int>(members.size())});
    const auto best = raw::BoostedTreesCalculateBestGainsPerFeature(
        last_nodes_, Inputs(parts.begin(), parts.end()),
        static_cast<float>(settings_.l1_regularization),
        static_cast<float>(settings_.l2_regularization),
        static_cast<float>(settings_.tree_complexity),
        static_cast<float>(settings_.min_node_weight), std::int64_t{1} << settings_.max_depth << 1);
    append(nodes, best.node_ids_list);
    append(gains, best.gains_list);
    append(thresholds, best.thresholds_list);
    append(left, best.left_node_contribs_list);
    append(right, best.right_node_contribs_list);
    for (const std::size_t i : members) *id++ = static_cast<std::int32_t>(i);
  }
  return raw::BoostedTreesUpdateEnsemble(handle_, ids, nodes, gains, thresholds, left, right,
                                         static_cast<std::int32_t>(settings_.max_depth),
                                         static_cast<float>(settings_.learning_rate),
                                         pruning_number(settings_));
}

Node& BoostedTreesModel::center(Output mean_gradients, Output mean_hessians) const {
  const Output goes_on = raw::BoostedTreesCenterBias(
      handle_, mean_gradients, mean_hessians, static_cast<float>(settings_.l1_regularization),
      static_cast<float>(settings_.l2_regularization));
  return *assign(center_bias_needed_, goes_on).node;
}

// `sums`: the statistics; mean gradients and Hessians behind them where there is a bias to center.
Node& BoostedTreesModel::grow_or_center(const std::vector<Output>& sums) const {
  if (!settings_.center_bias) return grow(sums);
  const std::vector<Output> statistics(sums.begin(), sums.end() - 2);
  const Output done = cond(
                          Input(center_bias_needed_),
                          [&] { return after(center(sums[sums.size() - 2], sums.back())); },
                          [&] { return after(grow(statistics)); })
                          .at(0);
  return *done.node;
}

Runnable BoostedTreesModel::train(Output loss) {
  const Output gradients = rill::gradients(loss, logits_).at(0).dense();
  const Output hessians = rill::gradients(gradients, logits_).at(0).dense();
  std::vector<Output> sums = statistics(gradients, hessians);
  if (settings_.center_bias)
    for (const Output& each : {gradients, hessians})
      sums.push_back(
          reduce_mean(each, {.axis = Input(Tensor::vector<std::int32_t>({0})), .keepdims = true}));
  Node* done = nullptr;
  if (settings_.n_batches_per_layer == 1) {
    done = &grow_or_center(sums);
  } else {
    // The mean of as many batches as were asked for.
    std::vector<ConditionalAccumulator> waiting;
    std::vector<Node*> added;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      waiting.emplace_back(DType::f32, AccumulatorOptions{.shape = sums[i].shape()});
      added.push_back(&waiting.back().apply_grad(
          sums[i], {.local_step = std::numeric_limits<std::int64_t>::max()}));
    }
    const ControlDependencies after_all(added);
    const Output enough = raw::GreaterEqual(
        waiting.back().num_accumulated(), static_cast<std::int32_t>(settings_.n_batches_per_layer));
    done = cond(
               enough,
               [&] {
                 std::vector<Output> taken;
                 for (ConditionalAccumulator& each : waiting)
                   taken.push_back(
                       each.take_grad(static_cast<std::int32_t>(settings_.n_batches_per_layer)));
                 return after(grow_or_center(taken));
               },
               [] { return std::vector<Output>{as_tensor(Input(false), "not_yet")}; })
               .at(0)
               .node;
  }
  const ControlDependencies wait(std::span(&done, 1));
  const auto states = raw::BoostedTreesGetEnsembleStates(handle_);
  finalized_trees_ = states.num_finalized_trees;
  attempted_layers_ = states.num_attempted_layers;
  return *assign_add(train::get_global_step(), 1).node;
}

HookRef BoostedTreesModel::stop_hook() const {
  return std::make_shared<StopAtAttemptsHook>(finalized_trees_, attempted_layers_,
                                              settings_.n_trees, settings_.max_depth);
}

Output BoostedTreesModel::debug_outputs() const {
  const std::vector<Output> all = buckets();
  return raw::BoostedTreesExampleDebugOutputs(handle_, Inputs(all.begin(), all.end()), 1);
}

ModelFn boosted_trees_model_fn(HeadRef head, Columns columns, BoostedTreesSettings settings) {
  check(settings);
  return [=](const InputBatch& batch, Mode mode, const RunConfig&) {
    BoostedTreesModel model(batch.features, mode, columns, settings);
    EstimatorSpec spec = head->create_estimator_spec(
        {.features = batch.features,
         .mode = mode,
         .logits = model.logits(),
         .labels = batch.labels,
         .train_op_fn = [&](Output loss) { return model.train(loss); }});
    if (mode == Mode::kTrain) spec.training_hooks.push_back(model.stop_hook());
    return spec;
  };
}

}  // namespace rill::estimator
