#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/slim/arg_scope.h"

// tf.contrib.slim.nets: networks for the classification of images, with the names of variables
// that published checkpoints have. Layers take what they are not told from the scopes around, so a
// network stands inside its arg_scope:
//
//   const slim::ArgScope defaults(slim::nets::vgg_arg_scope());
//   auto [logits, end_points] = slim::nets::vgg_16(images, {.is_training = false});
//
// Functions throw InvalidArgument where images are too small, or settings do not fit.
namespace rill::contrib::slim::nets {

using layers::ScopeChoice;

// What a network computes on its way, by name, in the order in which it was made.
class EndPoints {
 public:
  void set(const std::string& name, Output output);
  // Throws InvalidArgument where there is none of that name.
  Output at(const std::string& name) const;
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<std::pair<std::string, Output>> all_;
};
// `net` is the logits, or the last layer where there are no classes.
struct Network {
  Output net = {};
  EndPoints end_points = {};
};

// --- VGG, AlexNet, OverFeat ----------------------------------------------------------------------

// spatial_squeeze: logits [batch, classes] instead of [batch, 1, 1, classes]. An empty scope is the
// network's own name.
struct ClassifierOptions {
  std::int64_t num_classes = 1000;
  Input is_training = true;
  Input dropout_keep_prob = 0.5;
  bool spatial_squeeze = true;
  ScopeChoice scope{};
};
Network vgg_a(Output inputs, const ClassifierOptions& options = {});
Network vgg_16(Output inputs, const ClassifierOptions& options = {});
Network vgg_19(Output inputs, const ClassifierOptions& options = {});
Network alexnet_v2(Output inputs, const ClassifierOptions& options = {});
Network overfeat(Output inputs, const ClassifierOptions& options = {});
std::vector<ScopedArguments> vgg_arg_scope(double weight_decay = 0.0005);
std::vector<ScopedArguments> alexnet_v2_arg_scope(double weight_decay = 0.0005);
std::vector<ScopedArguments> overfeat_arg_scope(double weight_decay = 0.0005);

// --- Inception -----------------------------------------------------------------------------------

struct InceptionBaseOptions {
  std::string final_endpoint{};  // where to stop; empty: behind the last layer
  std::int64_t min_depth = 16;
  double depth_multiplier = 1.0;  // of the channels of all layers, at least min_depth
  ScopeChoice scope{};
};
Network inception_v1_base(Output inputs, const InceptionBaseOptions& options = {});
Network inception_v2_base(Output inputs, const InceptionBaseOptions& options = {});
Network inception_v3_base(Output inputs, const InceptionBaseOptions& options = {});

using Prediction = std::function<Output(Output logits, const std::string& scope)>;
// v1 does not look at depths, v1 and v2 have no auxiliary logits.
struct InceptionOptions {
  std::int64_t num_classes = 1000;
  Input is_training = true;
  Input dropout_keep_prob = 0.8;
  std::int64_t min_depth = 16;
  double depth_multiplier = 1.0;
  Prediction prediction_fn{};  // none: softmax
  bool spatial_squeeze = true;
  Reuse reuse = Reuse::kUnset;
  bool create_aux_logits = true;
  ScopeChoice scope{};
};
Network inception_v1(Output inputs, const InceptionOptions& options = {});
Network inception_v2(Output inputs, const InceptionOptions& options = {});
Network inception_v3(Output inputs, const InceptionOptions& options = {});
std::vector<ScopedArguments> inception_arg_scope(double weight_decay = 0.00004);

// --- ResNet --------------------------------------------------------------------------------------

// A unit makes its outputs with the stride and rate that are left to it.
struct Unit {
  std::int64_t stride = 1;
  std::function<Output(Output inputs, std::int64_t stride, std::int64_t rate)> make = {};
};
struct ResnetBlock {
  std::string scope = {};
  std::vector<Unit> units = {};
};
enum class ResnetVersion { kV1, kV2 };  // activations behind or in front of convolutions

struct BottleneckOptions {
  std::int64_t rate = 1;
  std::optional<Names> outputs_collections{};
  ScopeChoice scope{};
};
// Three convolutions beside a shortcut: 1 x 1 to fewer channels, 3 x 3, 1 x 1 to `depth` channels.
Output bottleneck(ResnetVersion version, Output inputs, std::int64_t depth,
                  std::int64_t depth_bottleneck, std::int64_t stride,
                  const BottleneckOptions& options = {});
ResnetBlock resnet_block(ResnetVersion version, const std::string& scope, std::int64_t base_depth,
                         std::int64_t num_units, std::int64_t stride);
// Each `factor`-th pixel.
Output subsample(Output inputs, std::int64_t factor, const std::string& scope = {});
// A convolution whose padding does not depend on the size of the inputs when there is a stride.
Output conv2d_same(Output inputs, std::int64_t num_outputs, std::int64_t kernel_size,
                   std::int64_t stride, std::int64_t rate = 1, const std::string& scope = {});
// One block after another. With an output_stride, convolutions become dilated where it is reached.
Output stack_blocks_dense(Output net, const std::vector<ResnetBlock>& blocks,
                          std::optional<std::int64_t> output_stride = {},
                          const std::optional<Names>& outputs_collections = {});

struct ResnetOptions {
  std::optional<std::int64_t> num_classes{};
  Input is_training = true;
  bool global_pool = true;
  std::optional<std::int64_t> output_stride{};
  bool include_root_block = true;
  Reuse reuse = Reuse::kUnset;
  ScopeChoice scope{};
};
Network resnet(ResnetVersion version, Output inputs, const std::vector<ResnetBlock>& blocks,
               const ResnetOptions& options = {});
// Of 50, 101, 152 or 200 layers.
std::vector<ResnetBlock> resnet_blocks(ResnetVersion version, int layers);
Network resnet_v1_50(Output inputs, const ResnetOptions& options = {});
Network resnet_v1_101(Output inputs, const ResnetOptions& options = {});
Network resnet_v1_152(Output inputs, const ResnetOptions& options = {});
Network resnet_v1_200(Output inputs, const ResnetOptions& options = {});
Network resnet_v2_50(Output inputs, const ResnetOptions& options = {});
Network resnet_v2_101(Output inputs, const ResnetOptions& options = {});
Network resnet_v2_152(Output inputs, const ResnetOptions& options = {});
Network resnet_v2_200(Output inputs, const ResnetOptions& options = {});
std::vector<ScopedArguments> resnet_arg_scope(double weight_decay = 0.0001);

// Variables go into the scope that was chosen, else into `otherwise`, with `unique` into the first
// free name of that kind.
std::unique_ptr<VariableScopeBlock> open_network_scope(const ScopeChoice& scope,
                                                       const std::string& otherwise, Reuse reuse,
                                                       bool unique = false);
// The outputs that layers have put into a collection, by the aliases that they have there.
EndPoints collected_end_points(const std::string& collection);

}  // namespace rill::contrib::slim::nets
