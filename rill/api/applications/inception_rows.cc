#include "rill/api/applications/layer_rows.h"
#include "rill/base/text.h"

namespace rill::keras::applications {
namespace {

// A convolution without bias, normalised and rectified; names are made up.
int conv_norm(LayerRows& l, int x, std::int64_t filters, std::vector<std::int64_t> window,
              std::int64_t stride = 1, const char* padding = "same") {
  x = l.conv(x, filters, std::move(window), "",
             {{"strides", stride}, {"padding", std::string(padding)}, {"use_bias", false}});
  return l.relu(l.norm(x, "", {{"scale", false}}), "");
}

struct Step {
  std::int64_t filters;
  std::vector<std::int64_t> window;
};
int chain_of(LayerRows& l, int x, const std::vector<Step>& steps) {
  for (const Step& step : steps) x = conv_norm(l, x, step.filters, step.window);
  return x;
}

int pooled_branch(LayerRows& l, int x, std::int64_t filters) {
  return conv_norm(l, l.pool("Average", x, 3, 1, "", "same"), filters, {1, 1});
}

int mixed_35(LayerRows& l, int x, std::int64_t pool_filters, const std::string& name) {
  const int a = conv_norm(l, x, 64, {1, 1});
  const int b = chain_of(l, x, {{48, {1, 1}}, {64, {5, 5}}});
  const int c = chain_of(l, x, {{64, {1, 1}}, {96, {3, 3}}, {96, {3, 3}}});
  return l.joined({a, b, c, pooled_branch(l, x, pool_filters)}, name);
}

int mixed_17(LayerRows& l, int x, std::int64_t n, const std::string& name) {
  const int a = conv_norm(l, x, 192, {1, 1});
  const int b = chain_of(l, x, {{n, {1, 1}}, {n, {1, 7}}, {192, {7, 1}}});
  const int c = chain_of(l, x, {{n, {1, 1}}, {n, {7, 1}}, {n, {1, 7}}, {n, {7, 1}}, {192, {1, 7}}});
  return l.joined({a, b, c, pooled_branch(l, x, 192)}, name);
}

// Two convolutions of one input, side by side.
int crossed(LayerRows& l, int x, const std::string& name) {
  const int flat = conv_norm(l, x, 384, {1, 3}), tall = conv_norm(l, x, 384, {3, 1});
  return l.joined({flat, tall}, name);
}

int mixed_8(LayerRows& l, int x, int number) {
  const int a = conv_norm(l, x, 320, {1, 1});
  const int b = crossed(l, conv_norm(l, x, 384, {1, 1}), str_cat("mixed9_", number));
  const int c = crossed(l, chain_of(l, x, {{448, {1, 1}}, {384, {3, 3}}}), "");
  return l.joined({a, b, c, pooled_branch(l, x, 192)}, str_cat("mixed", 9 + number));
}

}  // namespace

void make_inception_v3(LayerRows& l) {
  int x = conv_norm(l, -1, 32, {3, 3}, 2, "valid");
  x = conv_norm(l, x, 32, {3, 3}, 1, "valid");
  x = l.pool("Max", conv_norm(l, x, 64, {3, 3}), 3, 2, "");
  x = conv_norm(l, x, 80, {1, 1}, 1, "valid");
  x = l.pool("Max", conv_norm(l, x, 192, {3, 3}, 1, "valid"), 3, 2, "");
  x = mixed_35(l, x, 32, "mixed0");
  x = mixed_35(l, x, 64, "mixed1");
  x = mixed_35(l, x, 64, "mixed2");
  const int a = conv_norm(l, x, 384, {3, 3}, 2, "valid");
  const int b = conv_norm(l, chain_of(l, x, {{64, {1, 1}}, {96, {3, 3}}}), 96, {3, 3}, 2, "valid");
  x = l.joined({a, b, l.pool("Max", x, 3, 2, "")}, "mixed3");
  const std::int64_t widths[] = {128, 160, 160, 192};
  for (int i = 0; i < 4; ++i) x = mixed_17(l, x, widths[i], str_cat("mixed", 4 + i));
  const int c = conv_norm(l, conv_norm(l, x, 192, {1, 1}), 320, {3, 3}, 2, "valid");
  const int d = conv_norm(l, chain_of(l, x, {{192, {1, 1}}, {192, {1, 7}}, {192, {7, 1}}}), 192,
                          {3, 3}, 2, "valid");
  x = l.joined({c, d, l.pool("Max", x, 3, 2, "")}, "mixed8");
  for (int i = 0; i < 2; ++i) x = mixed_8(l, x, i);
  l.finish(x, "avg_pool", "predictions");
}

namespace {

int separable(LayerRows& l, int x, std::int64_t filters, const std::string& name) {
  x = l.add("SeparableConv2D", {x}, name,
            {{"filters", filters},
             {"kernel_size", std::int64_t{3}},
             {"padding", std::string("same")},
             {"use_bias", false}});
  return l.norm(x, name + "_bn");
}

// Separable convolutions beside a strided shortcut.
int shrinking(LayerRows& l, int x, std::int64_t first, std::int64_t second, int block) {
  const std::string name = str_cat("block", block);
  Settings how = kNoBiasSame;
  how.emplace_back("strides", std::int64_t{2});
  const int shortcut = l.norm(l.conv(x, second, {1, 1}, "", how), "");
  if (block > 2) x = l.relu(x, name + "_sepconv1_act");
  x = l.relu(separable(l, x, first, name + "_sepconv1"), name + "_sepconv2_act");
  x = separable(l, x, second, name + "_sepconv2");
  return l.add("Add", {l.pool("Max", x, 3, 2, name + "_pool", "same"), shortcut}, "");
}

}  // namespace

void make_xception(LayerRows& l) {
  Settings root = kNoBias;
  root.emplace_back("strides", std::int64_t{2});
  int x = l.conv(-1, 32, {3, 3}, "block1_conv1", root);
  x = l.relu(l.norm(x, "block1_conv1_bn"), "block1_conv1_act");
  x = l.conv(x, 64, {3, 3}, "block1_conv2", kNoBias);
  x = l.relu(l.norm(x, "block1_conv2_bn"), "block1_conv2_act");
  x = shrinking(l, x, 128, 128, 2);
  x = shrinking(l, x, 256, 256, 3);
  x = shrinking(l, x, 728, 728, 4);
  for (int block = 5; block <= 12; ++block) {
    const int before = x;
    for (int i = 1; i <= 3; ++i) {
      const std::string name = str_cat("block", block, "_sepconv", i);
      x = separable(l, l.relu(x, name + "_act"), 728, name);
    }
    x = l.add("Add", {x, before}, "");
  }
  x = shrinking(l, x, 728, 1024, 13);
  x = l.relu(separable(l, x, 1536, "block14_sepconv1"), "block14_sepconv1_act");
  x = l.relu(separable(l, x, 2048, "block14_sepconv2"), "block14_sepconv2_act");
  l.finish(x, "avg_pool", "predictions");
}

}  // namespace rill::keras::applications
