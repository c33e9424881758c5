#include "rill/api/array/shapes.h"
#include "rill/api/layers/contrib_regularizers.h"
#include "rill/api/slim/nets.h"

namespace rill::contrib::slim::nets {
namespace {

const std::vector<LayerKind> kWeightLayers{LayerKind::kConv2d, LayerKind::kFullyConnected};

Arguments named(std::string scope) { return {.scope = std::move(scope)}; }

// The last three layers as convolutions: fc6 sees `window`, the others single pixels.
Output fully_convolutional_head(Output net, std::int64_t hidden, const nn::Sizes& window,
                                const std::optional<Initializer>& last_biases,
                                const ClassifierOptions& o) {
  const auto dropped = [&](Output x, const char* scope) {
    return dropout(
        x, {.is_training = o.is_training, .keep_prob = o.dropout_keep_prob, .scope = scope});
  };
  net = conv2d(net, hidden, window, {.padding = "VALID", .scope = "fc6"});
  net = dropped(net, "dropout6");
  net = conv2d(net, 4096, {1, 1}, named("fc7"));
  net = dropped(net, "dropout7");
  return conv2d(net, o.num_classes, {1, 1},
                {.activation_fn = Activation(),
                 .normalizer_fn = Activation(),
                 .biases_initializer = last_biases,
                 .scope = "fc8"});
}

Network with_end_points(Output net, const std::string& collection, const std::string& scope_name,
                        bool spatial_squeeze) {
  Network made{net, collected_end_points(collection)};
  if (!spatial_squeeze) return made;
  made.net = squeeze(net, {.axis = {1, 2}, .name = "fc8/squeezed"});
  made.end_points.set(scope_name + "/fc8", made.net);
  return made;
}

// Five groups of 3 x 3 convolutions with a pooling behind each.
Network vgg(const std::string& name, const std::vector<int>& repetitions, Output net,
            const ClassifierOptions& o, bool by_name_scope) {
  const auto in = open_network_scope(o.scope, name, Reuse::kUnset);
  const VariableScope& scope = *in->scope();
  const std::string collection =
      (by_name_scope ? scope.original_name_scope : scope.name) + "_end_points";
  const ArgScope collected({LayerKind::kConv2d, LayerKind::kFullyConnected, LayerKind::kMaxPool2d},
                           {.outputs_collections = Names{collection}});
  const std::int64_t channels[] = {64, 128, 256, 512, 512};
  for (std::size_t group = 0; group < 5; ++group) {
    const std::string number = std::to_string(group + 1), conv = "conv" + number;
    {
      const VariableScopeBlock repeated(conv);
      for (int i = 1; i <= repetitions[group]; ++i)
        net = conv2d(net, channels[group], {3, 3}, named(str_cat(conv, "_", i)));
    }
    net = max_pool2d(net, {2, 2}, named("pool" + number));
  }
  net = fully_convolutional_head(net, 4096, {7, 7}, {}, o);
  return with_end_points(net, collection, scope.name, o.spatial_squeeze);
}

// What AlexNet and OverFeat have in common: five convolutions, pooling behind the first two and the
// last.
struct FiveConvolutions {
  const char* name;
  std::int64_t channels[5];
  const char* second_padding;  // none: the scope's
  nn::Sizes pool;
  std::int64_t hidden;
  nn::Sizes window;
  bool by_name_scope;
};

Network five_convolutions(const FiveConvolutions& how, Output net, const ClassifierOptions& o) {
  const auto in = open_network_scope(o.scope, how.name, Reuse::kUnset);
  const VariableScope& scope = *in->scope();
  const std::string collection =
      (how.by_name_scope ? scope.original_name_scope : scope.name) + "_end_points";
  const ArgScope collected({LayerKind::kConv2d, LayerKind::kFullyConnected, LayerKind::kMaxPool2d},
                           {.outputs_collections = Names{collection}});
  const auto pooled = [&](const char* name) {
    return max_pool2d(net, how.pool, {.stride = 2, .scope = name});
  };
  net = conv2d(net, how.channels[0], {11, 11}, {.stride = 4, .padding = "VALID", .scope = "conv1"});
  net = pooled("pool1");
  Arguments second = named("conv2");
  if (how.second_padding != nullptr) second.padding = how.second_padding;
  net = conv2d(net, how.channels[1], {5, 5}, second);
  net = pooled("pool2");
  for (std::size_t i = 2; i < 5; ++i)
    net = conv2d(net, how.channels[i], {3, 3}, named("conv" + std::to_string(i + 1)));
  net = pooled("pool5");
  {
    const ArgScope head({LayerKind::kConv2d},
                        {.weights_initializer = truncated_normal_initializer({.stddev = 0.005}),
                         .biases_initializer = constant_initializer(0.1)});
    net = fully_convolutional_head(net, how.hidden, how.window, zeros_initializer(), o);
  }
  return with_end_points(net, collection, scope.name, o.spatial_squeeze);
}

std::vector<ScopedArguments> relu_scope(double weight_decay, const Initializer& biases,
                                        bool pools_too) {
  std::vector<ScopedArguments> rows{{kWeightLayers,
                                     {.activation_fn = Activation(nn::relu),
                                      .biases_initializer = biases,
                                      .weights_regularizer = layers::l2_regularizer(weight_decay)}},
                                    {{LayerKind::kConv2d}, {.padding = "SAME"}}};
  if (pools_too) rows.push_back({{LayerKind::kMaxPool2d}, {.padding = "VALID"}});
  return rows;
}

}  // namespace

void EndPoints::set(const std::string& name, Output output) {
  for (auto& [known, value] : all_)
    if (known == name) {
      value = output;
      return;
    }
  all_.emplace_back(name, output);
}

Output EndPoints::at(const std::string& name) const {
  for (const auto& [known, value] : all_)
    if (known == name) return value;
  raise(Code::kInvalidArgument, "the network has no end point ", name);
}

std::unique_ptr<VariableScopeBlock> open_network_scope(const ScopeChoice& scope,
                                                       const std::string& otherwise, Reuse reuse,
                                                       bool unique) {
  VariableScopeOptions options;
  options.reuse = reuse;
  if (!scope && unique) return VariableScopeBlock::with_default_name(otherwise, options);
  return (scope ? scope : ScopeChoice(otherwise)).open(options, std::source_location::current());
}

EndPoints collected_end_points(const std::string& collection) {
  EndPoints found;
  for (const Output& output : get_tensor_collection(collection))
    for (const std::string& alias : layers::aliases_of(output)) found.set(alias, output);
  return found;
}

Network vgg_a(Output inputs, const ClassifierOptions& o) {
  return vgg("vgg_a", {1, 1, 2, 2, 2}, inputs, o, true);
}
Network vgg_16(Output inputs, const ClassifierOptions& o) {
  return vgg("vgg_16", {2, 2, 3, 3, 3}, inputs, o, true);
}
Network vgg_19(Output inputs, const ClassifierOptions& o) {
  return vgg("vgg_19", {2, 2, 4, 4, 4}, inputs, o, false);
}
Network alexnet_v2(Output inputs, const ClassifierOptions& o) {
  return five_convolutions(
      {"alexnet_v2", {64, 192, 384, 384, 256}, nullptr, {3, 3}, 4096, {5, 5}, true}, inputs, o);
}
Network overfeat(Output inputs, const ClassifierOptions& o) {
  return five_convolutions(
      {"overfeat", {64, 256, 512, 1024, 1024}, "VALID", {2, 2}, 3072, {6, 6}, false}, inputs, o);
}

std::vector<ScopedArguments> vgg_arg_scope(double weight_decay) {
  return relu_scope(weight_decay, zeros_initializer(), false);
}
std::vector<ScopedArguments> alexnet_v2_arg_scope(double weight_decay) {
  return relu_scope(weight_decay, constant_initializer(0.1), true);
}
std::vector<ScopedArguments> overfeat_arg_scope(double weight_decay) {
  return relu_scope(weight_decay, zeros_initializer(), true);
}

}  // namespace rill::contrib::slim::nets
