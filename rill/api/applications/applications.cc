#include "rill/api/applications/applications.h"

#include <cstdio>
#include <functional>
#include <map>

#include "rill/api/applications/layer_rows.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::keras::applications {
namespace {

void make_vgg(LayerRows& l, const std::vector<int>& repetitions) {
  const std::int64_t channels[] = {64, 128, 256, 512, 512};
  int x = -1;
  for (std::size_t block = 0; block < 5; ++block) {
    const std::string name = str_cat("block", block + 1);
    for (int i = 1; i <= repetitions[block]; ++i)
      x = l.conv(x, channels[block], {3, 3}, str_cat(name, "_conv", i),
                 {{"activation", std::string("relu")}, {"padding", std::string("same")}});
    x = l.pool("Max", x, 2, 2, name + "_pool");
  }
  if (!l.options.include_top) return l.finish_without_top(x, "", "");
  x = l.add("Flatten", {x}, "flatten");
  x = l.dense(x, 4096, "relu", "fc1");
  x = l.dense(x, 4096, "relu", "fc2");
  l.dense(x, l.options.classes, "softmax", "predictions");
}

const Settings kDenseEpsilon{{"epsilon", 1.001e-5}};

// Each layer sees all that came before it.
void make_densenet(LayerRows& l, const std::vector<int>& blocks) {
  int x = l.pad(-1, {3, 3, 3, 3}, "");
  Settings root = kNoBias;
  root.emplace_back("strides", std::int64_t{2});
  x = l.conv(x, 64, {7, 7}, "conv1/conv", root);
  x = l.relu(l.norm(x, "conv1/bn", kDenseEpsilon), "conv1/relu");
  x = l.pool("Max", l.pad(x, {1, 1, 1, 1}, ""), 3, 2, "pool1");
  std::int64_t channels = 64;
  for (std::size_t b = 0; b < 4; ++b) {
    for (int i = 1; i <= blocks[b]; ++i) {
      const std::string name = str_cat("conv", b + 2, "_block", i);
      int y = l.relu(l.norm(x, name + "_0_bn", kDenseEpsilon), name + "_0_relu");
      y = l.conv(y, 128, {1, 1}, name + "_1_conv", kNoBias);
      y = l.relu(l.norm(y, name + "_1_bn", kDenseEpsilon), name + "_1_relu");
      y = l.conv(y, 32, {3, 3}, name + "_2_conv", kNoBiasSame);
      x = l.joined({x, y}, name + "_concat");
      channels += 32;
    }
    if (b == 3) break;
    const std::string name = str_cat("pool", b + 2);
    channels /= 2;
    x = l.relu(l.norm(x, name + "_bn", kDenseEpsilon), name + "_relu");
    x = l.conv(x, channels, {1, 1}, name + "_conv", kNoBias);
    x = l.pool("Average", x, 2, 2, name + "_pool");
  }
  x = l.relu(l.norm(x, "bn", kDenseEpsilon), "relu");
  l.finish(x, "avg_pool", "fc1000", "avg_pool", "max_pool");
}

using MakeLayers = std::function<void(LayerRows&)>;
struct Known {
  std::string model_name;
  MakeLayers make;
};

const std::map<std::string, Known>& known() {
  static const std::map<std::string, Known> all{
      {"VGG16",
       {"vgg16",
        [](LayerRows& l) {
          make_vgg(l, {2, 2, 3, 3, 3});
        }}},
      {"VGG19",
       {"vgg19",
        [](LayerRows& l) {
          make_vgg(l, {2, 2, 4, 4, 4});
        }}},
      {"DenseNet121",
       {"densenet121",
        [](LayerRows& l) {
          make_densenet(l, {6, 12, 24, 16});
        }}},
      {"DenseNet169",
       {"densenet169",
        [](LayerRows& l) {
          make_densenet(l, {6, 12, 32, 32});
        }}},
      {"DenseNet201",
       {"densenet201",
        [](LayerRows& l) {
          make_densenet(l, {6, 12, 48, 32});
        }}},
      {"ResNet50",
       {"resnet50",
        [](LayerRows& l) {
          make_resnet(l, {3, 4, 6, 3}, false);
        }}},
      {"ResNet101",
       {"resnet101",
        [](LayerRows& l) {
          make_resnet(l, {3, 4, 23, 3}, false);
        }}},
      {"ResNet152",
       {"resnet152",
        [](LayerRows& l) {
          make_resnet(l, {3, 8, 36, 3}, false);
        }}},
      {"ResNet50V2",
       {"resnet50v2",
        [](LayerRows& l) {
          make_resnet(l, {3, 4, 6, 3}, true);
        }}},
      {"ResNet101V2",
       {"resnet101v2",
        [](LayerRows& l) {
          make_resnet(l, {3, 4, 23, 3}, true);
        }}},
      {"ResNet152V2",
       {"resnet152v2",
        [](LayerRows& l) {
          make_resnet(l, {3, 8, 36, 3}, true);
        }}},
      {"InceptionV3", {"inception_v3", make_inception_v3}},
      {"Xception", {"xception", make_xception}},
      {"MobileNet", {"mobilenet_", make_mobilenet}},
      {"MobileNetV2", {"mobilenetv2_", make_mobilenet_v2}}};
  return all;
}

// MobileNets are named by their width and the size of their images.
std::string full_name(const std::string& name, const Options& o) {
  if (!name.ends_with('_')) return name;
  char width[32];
  std::snprintf(width, sizeof width, "%.2f", o.alpha);
  return str_cat(name, width, "_", o.rows < 0 ? std::string("None") : std::to_string(o.rows));
}

}  // namespace

Application application(const std::string& function, const Options& options) {
  const auto found = known().find(function);
  require(found != known().end(), "tf.keras.applications has no ", function);
  LayerRows layers(options);
  found->second.make(layers);
  return {full_name(found->second.model_name, options), std::move(layers.rows)};
}

std::vector<std::string> application_names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : known()) names.push_back(name);
  return names;
}

}  // namespace rill::keras::applications
