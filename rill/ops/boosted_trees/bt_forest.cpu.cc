#include <algorithm>

#include "rill/ops/boosted_trees/forest_tree.h"
#include "rill/ops/boosted_trees/initialized_resource.h"

namespace rill {

extern const OpDecl kTensorForestTreeResourceHandleOp, kTensorForestTreeIsInitializedOp,
    kTensorForestCreateTreeVariable, kTensorForestTreeDeserialize, kTensorForestTreeSerialize,
    kTensorForestTreeSize, kTensorForestTreePredict;

namespace {

using LockedTree = Locked<ForestTree>;

void put_tree(KernelCall& call) {
  const auto tree = shared_input_as<ForestTree>(call);
  const auto& message = call.input_tensor(1).scalar_value<std::string>();
  std::vector<ForestNode> nodes = parse_forest_tree(message);
  const std::lock_guard lock(tree->mutex);
  tree->nodes = std::move(nodes);
  tree->message = message;
  tree->is_initialized = true;
}

void serialize_tree(KernelCall& call) {
  call.set_output(0, Tensor::scalar(LockedTree(call)->message));
}

void tree_size(KernelCall& call) {
  call.set_output(0, Tensor::scalar(static_cast<std::int32_t>(LockedTree(call)->nodes.size())));
}

const ForestNode& leaf_for(const std::vector<ForestNode>& nodes, const float* example) {
  const ForestNode* at = &nodes[0];
  while (!at->is_leaf)
    at = &nodes[static_cast<std::size_t>(example[at->feature] <= at->threshold ? at->left
                                                                               : at->right)];
  return *at;
}

void predict_tree(KernelCall& call) {
  const LockedTree tree(call);
  const Tensor& features = call.input_tensor(1);
  for (const ForestNode& node : tree->nodes)
    require(node.is_leaf || node.feature < features.dim(1), "A tree asks for feature ",
            node.feature, " of ", features.dim(1), ".");
  const auto width = static_cast<std::size_t>(call.output_tensor(0).dim(1));
  const auto columns = static_cast<std::size_t>(features.dim(1));
  const auto logits = call.output<float>(0);
  std::ranges::fill(logits, 0.0F);
  if (tree->nodes.empty()) return;
  call.parallel_for(
      static_cast<std::size_t>(features.dim(0)), 50, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
          const auto& values = leaf_for(tree->nodes, features.data<float>() + row * columns).values;
          std::copy_n(values.begin(), std::min(width, values.size()), &logits[row * width]);
        }
      });
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kTensorForestTreeResourceHandleOp, initialized_handle<ForestTree>),
    allocating(kTensorForestTreeIsInitializedOp, is_initialized<ForestTree>),
    allocating(kTensorForestCreateTreeVariable, put_tree),
    allocating(kTensorForestTreeDeserialize, put_tree),
    allocating(kTensorForestTreeSerialize, serialize_tree),
    allocating(kTensorForestTreeSize, tree_size),
    {.op = &kTensorForestTreePredict, .run = predict_tree},
};

}  // namespace

extern const KernelTable kBtForestCpu{kEntries};

}  // namespace rill
