#include "rill/api/array/joining.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/layers/contrib_regularizers.h"
#include "rill/api/layers/layer_parts.h"
#include "rill/api/math/math.h"
#include "rill/api/slim/nets.h"

namespace rill::contrib::slim::nets {
namespace {

LayerKind kind_of(ResnetVersion version) {
  return version == ResnetVersion::kV1 ? LayerKind::kBottleneckV1 : LayerKind::kBottleneckV2;
}

Names outputs_of(LayerKind kind, const std::optional<Names>& given) {
  if (given) return *given;
  return layer_maker().arguments_of(kind).outputs_collections.value_or(Names());
}

// No activation; `normalizer` false: no normalizer either.
Arguments plain_arguments(std::int64_t stride, bool normalizer, const char* scope) {
  Arguments a{.stride = stride, .activation_fn = Activation(), .scope = scope};
  if (!normalizer) a.normalizer_fn = Activation();
  return a;
}

// The first convolution and pooling; how much of the output's stride is left.
Output root_block(ResnetVersion version, Output net, std::optional<std::int64_t>& output_stride) {
  if (output_stride) {
    require(*output_stride % 4 == 0, "The output_stride needs to be a multiple of 4.");
    *output_stride /= 4;
  }
  if (version == ResnetVersion::kV1) {
    net = conv2d_same(net, 64, 7, 2, 1, "conv1");
  } else {
    const ArgScope bare({LayerKind::kConv2d},
                        {.activation_fn = Activation(), .normalizer_fn = Activation()});
    net = conv2d_same(net, 64, 7, 2, 1, "conv1");
  }
  return max_pool2d(net, {3, 3}, {.stride = 2, .scope = "pool1"});
}

template <ResnetVersion kVersion, int kLayers>
Network resnet_of(Output inputs, ResnetOptions o) {
  const char* version = kVersion == ResnetVersion::kV1 ? "v1" : "v2";
  if (!o.scope) o.scope = str_cat("resnet_", version, "_", kLayers);
  o.include_root_block = true;
  return resnet(kVersion, inputs, resnet_blocks(kVersion, kLayers), o);
}

}  // namespace

Output subsample(Output inputs, std::int64_t factor, const std::string& scope) {
  if (factor == 1) return inputs;
  return max_pool2d(inputs, {1, 1}, {.stride = factor, .scope = scope});
}

Output conv2d_same(Output inputs, std::int64_t num_outputs, std::int64_t kernel_size,
                   std::int64_t stride, std::int64_t rate, const std::string& scope) {
  Arguments a{.stride = stride, .rate = rate, .padding = "SAME", .scope = scope};
  if (stride > 1) {
    const auto total = static_cast<int>((kernel_size - 1) * rate), begin = total / 2;
    const int end = total - begin;
    inputs = pad(inputs, Tensor::of<std::int32_t>({4, 2}, {0, 0, begin, end, begin, end, 0, 0}));
    a.padding = "VALID";
  }
  return conv2d(inputs, num_outputs, {kernel_size, kernel_size}, a);
}

Output bottleneck(ResnetVersion version, Output inputs, std::int64_t depth,
                  std::int64_t depth_bottleneck, std::int64_t stride, const BottleneckOptions& o) {
  const bool first = version == ResnetVersion::kV1;
  const Names collections = outputs_of(kind_of(version), o.outputs_collections);
  const auto in =
      open_network_scope(o.scope, first ? "bottleneck_v1" : "bottleneck_v2", Reuse::kUnset, true);
  const PartialShape shape = inputs.shape();
  require(shape.has_rank() && shape.rank() >= 4,
          "rank of shape must be at least 4 not: ", shape.has_rank() ? shape.rank() : 0);
  const Output before =
      first ? inputs
            : batch_norm(inputs, {.activation_fn = Activation(nn::relu), .scope = "preact"});
  const Output shortcut =
      depth == shape[shape.rank() - 1]
          ? subsample(inputs, stride, "shortcut")
          : conv2d(before, depth, {1, 1}, plain_arguments(stride, first, "shortcut"));
  Output residual = conv2d(before, depth_bottleneck, {1, 1}, {.stride = 1, .scope = "conv1"});
  residual = conv2d_same(residual, depth_bottleneck, 3, stride, o.rate, "conv2");
  residual = conv2d(residual, depth, {1, 1}, plain_arguments(1, first, "conv3"));
  const Output sum = shortcut + residual;
  return layers::collect_named_output(collections, in->scope()->name, first ? nn::relu(sum) : sum);
}

ResnetBlock resnet_block(ResnetVersion version, const std::string& scope, std::int64_t base_depth,
                         std::int64_t num_units, std::int64_t stride) {
  const auto make = [=](Output inputs, std::int64_t own_stride, std::int64_t rate) {
    return bottleneck(version, inputs, base_depth * 4, base_depth, own_stride, {.rate = rate});
  };
  ResnetBlock block{scope, {}};
  for (std::int64_t i = 1; i < num_units; ++i) block.units.push_back({1, make});
  block.units.push_back({stride, make});
  return block;
}

Output stack_blocks_dense(Output net, const std::vector<ResnetBlock>& blocks,
                          std::optional<std::int64_t> output_stride,
                          const std::optional<Names>& outputs_collections) {
  const Names collections = outputs_of(LayerKind::kStackBlocksDense, outputs_collections);
  std::int64_t reached = 1, rate = 1;
  const char* const missed = "The target output_stride cannot be reached.";
  for (const ResnetBlock& block : blocks) {
    const auto in = open_network_scope(block.scope, "block", Reuse::kUnset, true);
    for (std::size_t i = 0; i < block.units.size(); ++i) {
      require(!output_stride || reached <= *output_stride, missed);
      const VariableScopeBlock unit_scope(str_cat("unit_", i + 1));
      const Unit& unit = block.units[i];
      if (output_stride && reached == *output_stride) {
        net = unit.make(net, 1, rate);
        rate *= unit.stride;
      } else {
        net = unit.make(net, unit.stride, 1);
        reached *= unit.stride;
      }
    }
    net = layers::collect_named_output(collections, in->scope()->name, net);
  }
  require(!output_stride || reached == *output_stride, missed);
  return net;
}

Network resnet(ResnetVersion version, Output net, const std::vector<ResnetBlock>& blocks,
               const ResnetOptions& o) {
  const bool first = version == ResnetVersion::kV1;
  const auto in = open_network_scope(o.scope, first ? "resnet_v1" : "resnet_v2", o.reuse, true);
  const std::string collection = in->scope()->original_name_scope + "_end_points";
  const ArgScope collected({LayerKind::kConv2d, kind_of(version), LayerKind::kStackBlocksDense},
                           {.outputs_collections = Names{collection}});
  const ArgScope training({LayerKind::kBatchNorm}, {.is_training = o.is_training});
  std::optional<std::int64_t> output_stride = o.output_stride;
  if (o.include_root_block) net = root_block(version, net, output_stride);
  net = stack_blocks_dense(net, blocks, output_stride);
  if (!first) net = batch_norm(net, {.activation_fn = Activation(nn::relu), .scope = "postnorm"});
  if (o.global_pool)
    net = reduce_mean(
        net, {.axis = rill::layers::axes_input({1, 2}), .keepdims = true, .name = "pool5"});
  if (o.num_classes)
    net = conv2d(net, *o.num_classes, {1, 1},
                 {.activation_fn = Activation(), .normalizer_fn = Activation(), .scope = "logits"});
  Network made{net, collected_end_points(collection)};
  if (o.num_classes) made.end_points.set("predictions", layers::softmax(net, "predictions"));
  return made;
}

std::vector<ResnetBlock> resnet_blocks(ResnetVersion version, int layer_count) {
  std::vector<std::int64_t> units;
  switch (layer_count) {
    case 50:
      units = {3, 4, 6, 3};
      break;
    case 101:
      units = {3, 4, 23, 3};
      break;
    case 152:
      units = {3, 8, 36, 3};
      break;
    case 200:
      units = {3, 24, 36, 3};
      break;
    default:
      raise(Code::kInvalidArgument, "there is no ResNet of ", layer_count, " layers");
  }
  std::vector<ResnetBlock> blocks;
  for (std::size_t i = 0; i < 4; ++i)
    blocks.push_back(resnet_block(version, str_cat("block", i + 1), std::int64_t{64} << i, units[i],
                                  i < 3 ? 2 : 1));
  return blocks;
}

Network resnet_v1_50(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV1, 50>(inputs, o);
}
Network resnet_v1_101(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV1, 101>(inputs, o);
}
Network resnet_v1_152(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV1, 152>(inputs, o);
}
Network resnet_v1_200(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV1, 200>(inputs, o);
}
Network resnet_v2_50(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV2, 50>(inputs, o);
}
Network resnet_v2_101(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV2, 101>(inputs, o);
}
Network resnet_v2_152(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV2, 152>(inputs, o);
}
Network resnet_v2_200(Output inputs, const ResnetOptions& o) {
  return resnet_of<ResnetVersion::kV2, 200>(inputs, o);
}

std::vector<ScopedArguments> resnet_arg_scope(double weight_decay) {
  const auto normalizer = [](Output x) { return batch_norm(x); };
  return {{{LayerKind::kConv2d},
           {.activation_fn = Activation(nn::relu),
            .normalizer_fn = Activation(normalizer),
            .weights_initializer = contrib_variance_scaling_initializer(),
            .weights_regularizer = layers::l2_regularizer(weight_decay)}},
          {{LayerKind::kBatchNorm}, {.decay = 0.997, .epsilon = 1e-5, .scale = true}},
          {{LayerKind::kMaxPool2d}, {.padding = "SAME"}}};
}

}  // namespace rill::contrib::slim::nets
