#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/layers/contrib_layers.h"

namespace rill::contrib::slim {

using layers::Activation;
using layers::Names;

enum class LayerKind {
  kConv2d,
  kSeparableConv2d,
  kFullyConnected,
  kMaxPool2d,
  kAvgPool2d,
  kDropout,
  kBatchNorm,
  kBottleneckV1,
  kBottleneckV2,
  kStackBlocksDense
};

// What a call of a layer, or a scope, states. What is absent comes from the scopes around, then
// from the layer's own defaults; arguments that a layer does not have are left out. An activation
// or normalizer that is there and empty means none.
struct Arguments {
  std::optional<nn::Sizes> stride{}, rate{};
  std::optional<std::string> padding{};
  std::optional<Activation> activation_fn{}, normalizer_fn{};
  std::optional<Initializer> weights_initializer{}, biases_initializer{};
  std::optional<Regularizer> weights_regularizer{};
  std::optional<layers::VariableCollections> variables_collections{};
  std::optional<Names> outputs_collections{};
  OptionalInput is_training{}, keep_prob{}, decay{};
  std::optional<double> epsilon{};
  std::optional<bool> scale{};
  std::string scope{};

  // Whatever `other` states, over this.
  Arguments with(const Arguments& other) const;
};

// Arguments for several layers: a row of what a network's arg_scope function returns.
struct ScopedArguments {
  std::vector<LayerKind> kinds = {};
  Arguments arguments = {};
};

// While it lives, layers get these arguments unless a call states others. Scopes nest; they end in
// reverse order, in the thread that opened them.
//
//   const ArgScope defaults({LayerKind::kConv2d}, {.padding = "SAME"});
//   Output h = slim::conv2d(x, 64, {3, 3});
class ArgScope {
 public:
  ArgScope(const std::vector<LayerKind>& kinds, const Arguments& arguments);
  explicit ArgScope(const std::vector<ScopedArguments>& rows);
  ~ArgScope();
  ArgScope(const ArgScope&) = delete;
  ArgScope& operator=(const ArgScope&) = delete;

 private:
  std::size_t opened_;
};

// One call of a layer: sizes that the layer does not have are not looked at.
struct LayerCall {
  LayerKind kind = {};
  Output inputs = {};
  std::int64_t num_outputs = 0;
  nn::Sizes kernel_size = 1;
  std::int64_t depth_multiplier = 1;
  Arguments arguments{};
};

// Who makes layers and keeps scopes: this library, or another language whose scopes hold objects of
// its own.
class LayerMaker {
 public:
  virtual ~LayerMaker() = default;
  virtual Output make(const LayerCall& call) = 0;
  virtual void enter(const ScopedArguments& row) = 0;
  virtual void leave() = 0;
  // What the open scopes say of a kind.
  virtual Arguments arguments_of(LayerKind kind) = 0;
};
LayerMaker& layer_maker();
// While it lives, this thread's layers are made by `maker`.
class MadeBy {
 public:
  explicit MadeBy(LayerMaker& maker);
  ~MadeBy();
  MadeBy(const MadeBy&) = delete;
  MadeBy& operator=(const MadeBy&) = delete;

 private:
  LayerMaker* outer_;
};

// Layers of contrib_layers.h with the arguments of the open scopes.
Output conv2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              const Arguments& arguments = {});
Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const Arguments& arguments = {});
Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const Arguments& arguments = {});
Output dropout(Output inputs, const Arguments& arguments = {});
Output batch_norm(Output inputs, const Arguments& arguments = {});

}  // namespace rill::contrib::slim
