#include "rill/api/slim/arg_scope.h"

#include <algorithm>

namespace rill::contrib::slim {
namespace {

template <class T>
void set(std::optional<T>& to, const std::optional<T>& from) {
  if (from) to = from;
}
template <class T, class U>
void set_if_given(T& to, const std::optional<U>& from) {
  if (from) to = *from;
}

template <class Options>
void apply_weights(Options& o, const Arguments& a) {
  set_if_given(o.activation_fn, a.activation_fn);
  set_if_given(o.normalizer_fn, a.normalizer_fn);
  set_if_given(o.weights_initializer, a.weights_initializer);
  set_if_given(o.biases_initializer, a.biases_initializer);
  set_if_given(o.weights_regularizer, a.weights_regularizer);
  set_if_given(o.variables_collections, a.variables_collections);
  set_if_given(o.outputs_collections, a.outputs_collections);
  if (!a.scope.empty()) o.scope = a.scope;
}

template <class Options>
void apply_windows(Options& o, const Arguments& a) {
  set_if_given(o.stride, a.stride);
  set_if_given(o.padding, a.padding);
  if constexpr (requires { o.rate; }) set_if_given(o.rate, a.rate);
}

Output make_conv2d(const LayerCall& call, const Arguments& a) {
  layers::ConvolutionOptions o;
  apply_weights(o, a);
  apply_windows(o, a);
  return layers::conv2d(call.inputs, call.num_outputs, call.kernel_size, o);
}

Output make_separable(const LayerCall& call, const Arguments& a) {
  layers::SeparableConvolutionOptions o;
  apply_weights(o, a);
  apply_windows(o, a);
  o.depth_multiplier = call.depth_multiplier;
  return layers::separable_conv2d(call.inputs, call.num_outputs, call.kernel_size, o);
}

Output make_fully_connected(const LayerCall& call, const Arguments& a) {
  layers::FullyConnectedOptions o;
  apply_weights(o, a);
  return layers::fully_connected(call.inputs, call.num_outputs, o);
}

Output make_pool(const LayerCall& call, const Arguments& a) {
  layers::PoolOptions o;
  apply_windows(o, a);
  set_if_given(o.outputs_collections, a.outputs_collections);
  o.scope = a.scope;
  const auto pool = call.kind == LayerKind::kMaxPool2d ? layers::max_pool2d : layers::avg_pool2d;
  return pool(call.inputs, call.kernel_size, o, std::source_location::current());
}

Output make_dropout(const LayerCall& call, const Arguments& a) {
  layers::DropoutOptions o;
  set_if_given(o.keep_prob, a.keep_prob);
  set_if_given(o.is_training, a.is_training);
  set_if_given(o.outputs_collections, a.outputs_collections);
  if (!a.scope.empty()) o.scope = a.scope;
  return layers::dropout(call.inputs, o);
}

Output make_batch_norm(const LayerCall& call, const Arguments& a) {
  layers::BatchNormOptions o;
  set_if_given(o.activation_fn, a.activation_fn);
  set_if_given(o.is_training, a.is_training);
  set_if_given(o.decay, a.decay);
  set_if_given(o.epsilon, a.epsilon);
  set_if_given(o.scale, a.scale);
  set_if_given(o.variables_collections, a.variables_collections);
  set_if_given(o.outputs_collections, a.outputs_collections);
  if (!a.scope.empty()) o.scope = a.scope;
  return layers::batch_norm(call.inputs, o);
}

class OwnLayers : public LayerMaker {
 public:
  Output make(const LayerCall& call) override {
    const Arguments a = arguments_of(call.kind).with(call.arguments);
    switch (call.kind) {
      case LayerKind::kConv2d:
        return make_conv2d(call, a);
      case LayerKind::kSeparableConv2d:
        return make_separable(call, a);
      case LayerKind::kFullyConnected:
        return make_fully_connected(call, a);
      case LayerKind::kMaxPool2d:
      case LayerKind::kAvgPool2d:
        return make_pool(call, a);
      case LayerKind::kDropout:
        return make_dropout(call, a);
      case LayerKind::kBatchNorm:
        return make_batch_norm(call, a);
      default:
        raise(Code::kInvalidArgument, "no layer is made by this name alone");
    }
  }
  void enter(const ScopedArguments& row) override { rows_.push_back(row); }
  void leave() override { rows_.pop_back(); }
  Arguments arguments_of(LayerKind kind) override {
    Arguments all;
    for (const ScopedArguments& row : rows_)
      if (std::ranges::count(row.kinds, kind)) all = all.with(row.arguments);
    return all;
  }

 private:
  std::vector<ScopedArguments> rows_;
};

thread_local LayerMaker* other_maker = nullptr;

}  // namespace

Arguments Arguments::with(const Arguments& other) const {
  Arguments all = *this;
  set(all.stride, other.stride);
  set(all.rate, other.rate);
  set(all.padding, other.padding);
  set(all.activation_fn, other.activation_fn);
  set(all.normalizer_fn, other.normalizer_fn);
  set(all.weights_initializer, other.weights_initializer);
  set(all.biases_initializer, other.biases_initializer);
  set(all.weights_regularizer, other.weights_regularizer);
  set(all.variables_collections, other.variables_collections);
  set(all.outputs_collections, other.outputs_collections);
  set(all.is_training, other.is_training);
  set(all.keep_prob, other.keep_prob);
  set(all.decay, other.decay);
  set(all.epsilon, other.epsilon);
  set(all.scale, other.scale);
  if (!other.scope.empty()) all.scope = other.scope;
  return all;
}

LayerMaker& layer_maker() {
  thread_local OwnLayers own;
  return other_maker != nullptr ? *other_maker : own;
}

MadeBy::MadeBy(LayerMaker& maker) : outer_(std::exchange(other_maker, &maker)) {}
MadeBy::~MadeBy() { other_maker = outer_; }

ArgScope::ArgScope(const std::vector<LayerKind>& kinds, const Arguments& arguments)
    : ArgScope(std::vector<ScopedArguments>{{kinds, arguments}}) {}
ArgScope::ArgScope(const std::vector<ScopedArguments>& rows) : opened_(rows.size()) {
  for (const ScopedArguments& row : rows) layer_maker().enter(row);
}
ArgScope::~ArgScope() {
  for (std::size_t i = 0; i < opened_; ++i) layer_maker().leave();
}

Output conv2d(Output inputs, std::int64_t num_outputs, const nn::Sizes& kernel_size,
              const Arguments& arguments) {
  return layer_maker().make({.kind = LayerKind::kConv2d,
                             .inputs = inputs,
                             .num_outputs = num_outputs,
                             .kernel_size = kernel_size,
                             .arguments = arguments});
}
Output max_pool2d(Output inputs, const nn::Sizes& kernel_size, const Arguments& arguments) {
  return layer_maker().make({.kind = LayerKind::kMaxPool2d,
                             .inputs = inputs,
                             .kernel_size = kernel_size,
                             .arguments = arguments});
}
Output avg_pool2d(Output inputs, const nn::Sizes& kernel_size, const Arguments& arguments) {
  return layer_maker().make({.kind = LayerKind::kAvgPool2d,
                             .inputs = inputs,
                             .kernel_size = kernel_size,
                             .arguments = arguments});
}
Output dropout(Output inputs, const Arguments& arguments) {
  return layer_maker().make(
      {.kind = LayerKind::kDropout, .inputs = inputs, .arguments = arguments});
}
Output batch_norm(Output inputs, const Arguments& arguments) {
  return layer_maker().make(
      {.kind = LayerKind::kBatchNorm, .inputs = inputs, .arguments = arguments});
}

}  // namespace rill::contrib::slim
