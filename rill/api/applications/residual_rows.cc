#include "rill/api/applications/layer_rows.h"
#include "rill/base/text.h"

namespace rill::keras::applications {
namespace {

const Settings kResnetEpsilon{{"epsilon", 1.001e-5}};

Settings with_stride(std::int64_t stride, Settings more = {}) {
  more.emplace_back("strides", stride);
  return more;
}

// Activations behind the convolutions; the first unit of a stack has a convolution as shortcut.
int unit_v1(LayerRows& l, int x, std::int64_t filters, std::int64_t stride, bool widens,
            const std::string& name) {
  int shortcut = x;
  if (widens) {
    shortcut = l.conv(x, 4 * filters, {1, 1}, name + "_0_conv", with_stride(stride));
    shortcut = l.norm(shortcut, name + "_0_bn", kResnetEpsilon);
  }
  x = l.conv(x, filters, {1, 1}, name + "_1_conv", with_stride(stride));
  x = l.relu(l.norm(x, name + "_1_bn", kResnetEpsilon), name + "_1_relu");
  x = l.conv(x, filters, {3, 3}, name + "_2_conv", {{"padding", std::string("SAME")}});
  x = l.relu(l.norm(x, name + "_2_bn", kResnetEpsilon), name + "_2_relu");
  x = l.norm(l.conv(x, 4 * filters, {1, 1}, name + "_3_conv"), name + "_3_bn", kResnetEpsilon);
  return l.relu(l.add("Add", {shortcut, x}, name + "_add"), name + "_out");
}

// Activations in front of the convolutions; the last unit of a stack has the stride.
int unit_v2(LayerRows& l, int x, std::int64_t filters, std::int64_t stride, bool widens,
            const std::string& name) {
  const int before = l.relu(l.norm(x, name + "_preact_bn", kResnetEpsilon), name + "_preact_relu");
  int shortcut = x;
  if (widens)
    shortcut = l.conv(before, 4 * filters, {1, 1}, name + "_0_conv", with_stride(stride));
  else if (stride > 1)
    shortcut = l.pool("Max", x, 1, stride, "");
  x = l.conv(before, filters, {1, 1}, name + "_1_conv", kNoBias);
  x = l.relu(l.norm(x, name + "_1_bn", kResnetEpsilon), name + "_1_relu");
  x = l.pad(x, {1, 1, 1, 1}, name + "_2_pad");
  x = l.conv(x, filters, {3, 3}, name + "_2_conv", with_stride(stride, kNoBias));
  x = l.relu(l.norm(x, name + "_2_bn", kResnetEpsilon), name + "_2_relu");
  x = l.conv(x, 4 * filters, {1, 1}, name + "_3_conv");
  return l.add("Add", {shortcut, x}, name + "_out");
}

}  // namespace

void make_resnet(LayerRows& l, const std::vector<int>& units, bool activation_first) {
  int x = l.pad(-1, {3, 3, 3, 3}, "conv1_pad");
  x = l.conv(x, 64, {7, 7}, "conv1_conv", with_stride(2));
  if (!activation_first) x = l.relu(l.norm(x, "conv1_bn", kResnetEpsilon), "conv1_relu");
  x = l.pool("Max", l.pad(x, {1, 1, 1, 1}, "pool1_pad"), 3, 2, "pool1_pool");
  for (std::size_t stack = 0; stack < 4; ++stack) {
    const std::int64_t filters = std::int64_t{64} << stack;
    for (int i = 1; i <= units[stack]; ++i) {
      const std::string name = str_cat("conv", stack + 2, "_block", i);
      const bool strided = activation_first ? stack < 3 && i == units[stack] : stack > 0 && i == 1;
      const auto unit = activation_first ? unit_v2 : unit_v1;
      x = unit(l, x, filters, strided ? 2 : 1, i == 1, name);
    }
  }
  if (activation_first) x = l.relu(l.norm(x, "post_bn", kResnetEpsilon), "post_relu");
  l.finish(x, "avg_pool", "probs", "avg_pool", "max_pool");
}

}  // namespace rill::keras::applications
