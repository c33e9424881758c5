#include <algorithm>
#include <map>
#include <vector>

#include "rill/ops/boosted_trees/initialized_resource.h"
#include "rill/ops/boosted_trees/leaf_gains.h"
#include "rill/ops/boosted_trees/tree_ensemble.h"

namespace rill {

extern const OpDecl kBoostedTreesEnsembleResourceHandleOp, kIsBoostedTreesEnsembleInitialized,
    kBoostedTreesCreateEnsemble, kBoostedTreesSerializeEnsemble, kBoostedTreesDeserializeEnsemble,
    kBoostedTreesGetEnsembleStates, kBoostedTreesCenterBias, kBoostedTreesUpdateEnsemble,
    kBoostedTreesUpdateEnsembleV2;

namespace {

using Ensemble = Locked<TreeEnsembleResource>;

void put(const KernelCall& call, TreeEnsembleResource& to) {
  BoostedTrees trees = BoostedTrees::parse(call.input_tensor(2).scalar_value<std::string>());
  to.trees = std::move(trees);
  to.stamp = call.input_tensor(1).scalar_value<std::int64_t>();
  to.is_initialized = true;
}

void create_ensemble(KernelCall& call) {
  const auto ensemble = shared_input_as<TreeEnsembleResource>(call);
  const std::lock_guard lock(ensemble->mutex);
  if (!ensemble->is_initialized) put(call, *ensemble);
}

void load_ensemble(KernelCall& call) {
  const auto ensemble = shared_input_as<TreeEnsembleResource>(call);
  const std::lock_guard lock(ensemble->mutex);
  put(call, *ensemble);
}

void serialize_ensemble(KernelCall& call) {
  const Ensemble ensemble(call);
  call.set_output(0, Tensor::scalar(ensemble->stamp));
  call.set_output(1, Tensor::scalar(ensemble->trees.serialize()));
}

void ensemble_states(KernelCall& call) {
  const Ensemble ensemble(call);
  const BoostedTrees& all = ensemble->trees;
  const auto count = static_cast<std::int32_t>(all.trees.size());
  const bool is_done = count == 0 || all.trees.back().is_finalized;
  call.set_output(0, Tensor::scalar(ensemble->stamp));
  call.set_output(1, Tensor::scalar(count));
  call.set_output(2, Tensor::scalar(is_done ? count : count - 1));
  call.set_output(3, Tensor::scalar(static_cast<std::int32_t>(all.layers_attempted)));
  // Of no trees at all the node that comes first is what is split first.
  call.set_output(
      4, Tensor::vector<std::int32_t>({all.last_layer_begin, std::max(1, all.last_layer_end)}));
}

void center_bias(KernelCall& call) {
  const auto gradients = call.input<float>(1), hessians = call.input<float>(2);
  const Regularization regularization{call.input_tensor(3).scalar_value<float>(),
                                      call.input_tensor(4).scalar_value<float>()};
  const Ensemble ensemble(call);
  std::vector<float> logits;
  LeafGain(gradients.size(), hessians.size(), regularization).best(gradients, hessians, logits);
  call.set_output(0, Tensor::scalar(ensemble->trees.center_bias(logits)));
  ++ensemble->stamp;
}

// --- growing
// --------------------------------------------------------------------------------------

// Where the lists of an update begin among its inputs.
struct UpdateInputs {
  int features, dimensions, nodes, gains, thresholds, left, right, kinds;  // -1: there is none
};

std::vector<float> scaled_row(const Tensor& rows, std::size_t row, float scale) {
  const auto width = static_cast<std::size_t>(rows.dim(1));
  const auto all = rows.flat<float>();
  std::vector<float> values(all.begin() + static_cast<std::ptrdiff_t>(row * width),
                            all.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
  for (float& value : values) value *= scale;
  return values;
}

void set_kind(const std::string& kind, TreeSplit& split) {
  if (kind == "EQUALITY_DEFAULT_RIGHT")
    split.kind = SplitKind::kCategorical;
  else if (kind == "INEQUALITY_DEFAULT_LEFT")
    split.missing_goes_left = true;
  else
    require(kind == "INEQUALITY_DEFAULT_RIGHT", "There is no split of the kind ", kind, ".");
}

TreeSplit split_at(const KernelCall& call, const UpdateInputs& at, int feature, std::size_t row,
                   float learning_rate) {
  TreeSplit split;
  split.feature = call.input<std::int32_t>(at.features)[static_cast<std::size_t>(feature)];
  split.node = call.input<std::int32_t>(at.nodes + feature)[row];
  split.gain = call.input<float>(at.gains + feature)[row];
  split.threshold = call.input<std::int32_t>(at.thresholds + feature)[row];
  if (at.dimensions >= 0) split.dimension = call.input<std::int32_t>(at.dimensions + feature)[row];
  split.left = scaled_row(call.input_tensor(at.left + feature), row, learning_rate);
  split.right = scaled_row(call.input_tensor(at.right + feature), row, learning_rate);
  if (at.kinds >= 0)
    set_kind(call.input<std::string>(at.kinds + feature)[row], split);
  else
    split.missing_goes_left = true;
  return split;
}

// The best split of each node, by node; of equal ones that of the earlier feature.
std::vector<TreeSplit> best_splits(const KernelCall& call, const UpdateInputs& at, int features,
                                   float learning_rate) {
  std::map<std::int32_t, std::pair<int, std::size_t>> best;
  const auto gain = [&](std::pair<int, std::size_t> place) {
    return call.input<float>(at.gains + place.first)[place.second];
  };
  for (int feature = 0; feature < features; ++feature) {
    const auto nodes = call.input<std::int32_t>(at.nodes + feature);
    for (std::size_t row = 0; row < nodes.size(); ++row) {
      const std::pair place(feature, row);
      const auto [found, is_new] = best.try_emplace(nodes[row], place);
      if (!is_new && gain(place) > gain(found->second)) found->second = place;
    }
  }
  std::vector<TreeSplit> splits;
  for (const auto& [node, place] : best)
    splits.push_back(split_at(call, at, place.first, place.second, learning_rate));
  return splits;
}

void require_leaves(const BoostedTrees& all, const std::vector<TreeSplit>& splits) {
  const bool has_new_tree = all.trees.empty() || all.trees.back().is_finalized;
  for (const TreeSplit& split : splits) {
    const bool is_there =
        has_new_tree ? split.node == 0
                     : split.node >= 0 &&
                           static_cast<std::size_t>(split.node) < all.trees.back().nodes.size() &&
                           all.trees.back().nodes[static_cast<std::size_t>(split.node)].is_leaf();
    require(is_there, "Node ", split.node, " is no leaf of the tree that grows.");
    require(split.feature >= 0 && split.dimension >= 0 && split.left.size() == split.right.size(),
            "The split of node ", split.node, " has the feature ", split.feature,
            " and the dimension ", split.dimension, ".");
  }
}

Pruning pruning_of(std::int64_t mode) {
  require(mode >= 0 && mode <= 2, "There is no pruning mode ", mode, ".");
  return static_cast<Pruning>(mode);
}

void update(const KernelCall& call, const UpdateInputs& at, int features, int depth, int rate,
            Pruning pruning) {
  const float learning_rate = call.input_tensor(rate).scalar_value<float>();
  const std::vector<TreeSplit> splits = best_splits(call, at, features, learning_rate);
  const Ensemble ensemble(call);
  require_leaves(ensemble->trees, splits);
  const std::size_t logits = splits.empty() ? 1 : splits[0].left.size();
  ensemble->trees.grow(splits, call.input_tensor(depth).scalar_value<std::int32_t>(), pruning,
                       static_cast<std::int64_t>(logits));
  ++ensemble->stamp;
}

void update_v1(KernelCall& call) {
  const auto n = static_cast<int>(call.node().attr<std::int64_t>("num_features"));
  update(call,
         {.features = 1,
          .dimensions = -1,
          .nodes = 2,
          .gains = 2 + n,
          .thresholds = 2 + 2 * n,
          .left = 2 + 3 * n,
          .right = 2 + 4 * n,
          .kinds = -1},
         n, 2 + 5 * n, 3 + 5 * n, pruning_of(call.node().attr<std::int64_t>("pruning_mode")));
}

void update_v2(KernelCall& call) {
  const auto n = static_cast<int>(call.node().attr<std::int64_t>("num_features"));
  require(call.input_tensor(1).element_count() == n, "There are ",
          call.input_tensor(1).element_count(), " ids of ", n, " features.");
  update(call,
         {.features = 1,
          .dimensions = 2,
          .nodes = 2 + n,
          .gains = 2 + 2 * n,
          .thresholds = 2 + 3 * n,
          .left = 2 + 4 * n,
          .right = 2 + 5 * n,
          .kinds = 2 + 6 * n},
         n, 2 + 7 * n, 3 + 7 * n,
         pruning_of(call.input_tensor(4 + 7 * n).scalar_value<std::int32_t>()));
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kBoostedTreesEnsembleResourceHandleOp,
                         initialized_handle<TreeEnsembleResource>),
    allocating(kIsBoostedTreesEnsembleInitialized, is_initialized<TreeEnsembleResource>),
    allocating(kBoostedTreesCreateEnsemble, create_ensemble),
    allocating(kBoostedTreesSerializeEnsemble, serialize_ensemble),
    allocating(kBoostedTreesDeserializeEnsemble, load_ensemble),
    allocating(kBoostedTreesGetEnsembleStates, ensemble_states),
    allocating(kBoostedTreesCenterBias, center_bias),
    allocating(kBoostedTreesUpdateEnsemble, update_v1),
    allocating(kBoostedTreesUpdateEnsembleV2, update_v2),
};

}  // namespace

extern const KernelTable kBtEnsembleCpu{kEntries};

}  // namespace rill
