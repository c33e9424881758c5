#include <algorithm>

#include "rill/api/applications/layer_rows.h"
#include "rill/base/text.h"

namespace rill::keras::applications {
namespace {

Settings depthwise_settings(std::int64_t stride, std::int64_t multiplier) {
  return {{"kernel_size", std::int64_t{3}},
          {"padding", std::string(stride == 1 ? "same" : "valid")},
          {"depth_multiplier", multiplier},
          {"strides", stride},
          {"use_bias", false}};
}

// A depthwise convolution, then one that mixes channels.
int separable_unit(LayerRows& l, int x, std::int64_t filters, std::int64_t stride, int number) {
  if (stride > 1) x = l.pad(x, {0, 1, 0, 1}, str_cat("conv_pad_", number));
  const std::string deep = str_cat("conv_dw_", number), wide = str_cat("conv_pw_", number);
  x = l.add("DepthwiseConv2D", {x}, deep, depthwise_settings(stride, l.options.depth_multiplier));
  x = l.relu6(l.norm(x, deep + "_bn"), deep + "_relu");
  x = l.conv(x, filters, {1, 1}, wide, kNoBiasSame);
  return l.relu6(l.norm(x, wide + "_bn"), wide + "_relu");
}

std::int64_t scaled(std::int64_t filters, double alpha) {
  return static_cast<std::int64_t>(static_cast<double>(filters) * alpha);
}

// The multiple of 8 that is nearest, and not less than nine tenths.
std::int64_t multiple_of_8(double value) {
  const std::int64_t nearest =
      std::max<std::int64_t>(8, static_cast<std::int64_t>(value + 4) / 8 * 8);
  return static_cast<double>(nearest) < 0.9 * value ? nearest + 8 : nearest;
}

const Settings kMobileNorm{{"epsilon", 1e-3}, {"momentum", 0.999}};

// How a stride of 2 is padded: as "same" is, for images whose size is known. The sizes go on.
std::vector<std::int64_t> padding_of_stride(std::int64_t& rows, std::int64_t& columns) {
  std::vector<std::int64_t> pads;
  for (std::int64_t* size : {&rows, &columns}) {
    const std::int64_t before = rows < 0 ? 0 : *size % 2;
    pads.insert(pads.end(), {before, 1});
    if (*size >= 0) *size = (*size + before - 2) / 2 + 1;
  }
  return pads;
}

}  // namespace

void make_mobilenet(LayerRows& l) {
  const Options& o = l.options;
  Settings root = kNoBias;
  root.emplace_back("strides", std::int64_t{2});
  int x = l.conv(l.pad(-1, {0, 1, 0, 1}, "conv1_pad"), scaled(32, o.alpha), {3, 3}, "conv1", root);
  x = l.relu6(l.norm(x, "conv1_bn"), "conv1_relu");
  const std::int64_t filters[] = {64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024};
  for (int i = 0; i < 13; ++i)
    x = separable_unit(l, x, scaled(filters[i], o.alpha),
                       i == 1 || i == 3 || i == 5 || i == 11 ? 2 : 1, i + 1);
  if (!o.include_top) return l.finish_without_top(x, "", "");
  const std::int64_t last = scaled(1024, o.alpha);
  x = l.add("GlobalAveragePooling2D", {x}, "");
  x = l.add("Reshape", {x}, "reshape_1",
            {{"target_shape", o.channels_first ? std::vector<std::int64_t>{last, 1, 1}
                                               : std::vector<std::int64_t>{1, 1, last}}});
  x = l.add("Dropout", {x}, "dropout", {{"rate", o.dropout}});
  x = l.conv(x, o.classes, {1, 1}, "conv_preds", {{"padding", std::string("same")}});
  x = l.add("Reshape", {x}, "reshape_2", {{"target_shape", std::vector<std::int64_t>{o.classes}}});
  l.add("Activation", {x}, "act_softmax", {{"activation", std::string("softmax")}});
}

void make_mobilenet_v2(LayerRows& l) {
  const Options& o = l.options;
  std::int64_t rows = o.rows, columns = o.columns;
  Settings root = kNoBias;
  root.emplace_back("strides", std::int64_t{2});
  int x = l.pad(-1, padding_of_stride(rows, columns), "Conv1_pad");
  std::int64_t channels = multiple_of_8(32 * o.alpha);
  x = l.conv(x, channels, {3, 3}, "Conv1", root);
  x = l.relu6(l.norm(x, "bn_Conv1", kMobileNorm), "Conv1_relu");
  const std::int64_t filters[] = {16, 24, 24, 32, 32,  32,  64,  64, 64,
                                  64, 96, 96, 96, 160, 160, 160, 320};
  for (int i = 0; i < 17; ++i) {
    const std::int64_t stride = i == 1 || i == 3 || i == 6 || i == 13 ? 2 : 1;
    const std::int64_t wanted = multiple_of_8(static_cast<double>(scaled(filters[i], o.alpha)));
    const std::string name = i == 0 ? "expanded_conv_" : str_cat("block_", i, "_");
    const int inputs = x;
    if (i > 0) {
      x = l.conv(x, 6 * channels, {1, 1}, name + "expand", kNoBiasSame);
      x = l.relu6(l.norm(x, name + "expand_BN", kMobileNorm), name + "expand_relu");
    }
    if (stride > 1) x = l.pad(x, padding_of_stride(rows, columns), name + "pad");
    x = l.add("DepthwiseConv2D", {x}, name + "depthwise", depthwise_settings(stride, 1));
    x = l.relu6(l.norm(x, name + "depthwise_BN", kMobileNorm), name + "depthwise_relu");
    x = l.conv(x, wanted, {1, 1}, name + "project", kNoBiasSame);
    x = l.norm(x, name + "project_BN", kMobileNorm);
    if (channels == wanted && stride == 1) x = l.add("Add", {inputs, x}, name + "add");
    channels = wanted;
  }
  x = l.conv(x, o.alpha > 1 ? multiple_of_8(1280 * o.alpha) : 1280, {1, 1}, "Conv_1", kNoBias);
  x = l.relu6(l.norm(x, "Conv_1_bn", kMobileNorm), "out_relu");
  l.finish(x, "", "Logits");
}

}  // namespace rill::keras::applications
