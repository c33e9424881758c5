#include <algorithm>
#include <cmath>

#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/layers/contrib_regularizers.h"
#include "rill/api/slim/inception_tables.h"
#include "rill/api/slim/nets.h"
#include "rill/base/text.h"

namespace rill::contrib::slim::nets {
namespace {

std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

// A row that is continued in the next line ends in a bar.
std::vector<std::string> rows_of(std::string_view table) {
  std::vector<std::string> rows;
  bool goes_on = false;
  for (std::string_view line : parts_of(table, "\n")) {
    if (line.empty()) continue;
    line.remove_prefix(line.find_first_not_of(' '));
    if (goes_on)
      rows.back() += str_cat(" ", line);
    else
      rows.emplace_back(line);
    goes_on = line.ends_with('|');
  }
  return rows;
}

std::int64_t number_in(std::string_view text) { return std::stoll(std::string(text)); }

Initializer truncated(double stddev) { return truncated_normal_initializer({.stddev = stddev}); }

// Layers of a table, with a number of channels that depends on the network's width.
class InceptionLayers {
 public:
  InceptionLayers(double depth_multiplier, std::int64_t min_depth)
      : multiplier_(depth_multiplier), min_depth_(min_depth) {
    require(depth_multiplier > 0, "depth_multiplier is not greater than zero.");
  }

  std::int64_t depth(std::int64_t channels) const {
    const auto scaled = static_cast<std::int64_t>(static_cast<double>(channels) * multiplier_);
    return std::max(scaled, min_depth_);
  }

  Output layer(Output net, std::string_view text) const {
    const std::vector<std::string_view> words = parts_of(text, " ");
    const std::string scope(words[0]);
    const std::size_t x = scope.rfind('x'), size = scope.rfind('_') + 1;
    nn::Sizes window{number_in(scope.substr(size, x - size)), number_in(scope.substr(x + 1))};
    std::int64_t channels = 0;
    Arguments a{.scope = scope};
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word[0] == '/')
        a.stride = number_in(word.substr(1));
      else if (word[0] == 'k')
        window = nn::Sizes{number_in(word.substr(1)), number_in(word.substr(1))};
      else if (word == "V")
        a.padding = "VALID";
      else if (word == "S")
        a.padding = "SAME";
      else if (word == "*")
        a.weights_initializer = truncated(0.09);
      else if (word == "**")
        a.weights_initializer = truncated(0.1);
      else
        channels = depth(number_in(word));
    }
    if (scope.starts_with("Max")) return max_pool2d(net, window, a);
    if (scope.starts_with("Avg")) return avg_pool2d(net, window, a);
    return conv2d(net, channels, window, a);
  }

  Output chain(Output net, std::string_view text) const {
    for (const std::string_view step : parts_of(text, ", ")) {
      std::vector<Output> beside;
      for (const std::string_view part : parts_of(step, " + ")) beside.push_back(layer(net, part));
      net = beside.size() == 1 ? beside[0] : joined(beside);
    }
    return net;
  }

  Output branches(Output net, std::string_view text) const {
    std::vector<Output> made;
    for (const std::string_view branch : parts_of(text, " | ")) {
      const VariableScopeBlock in(str_cat("Branch_", made.size()));
      made.push_back(chain(net, branch));
    }
    return joined(made);
  }

 private:
  static Output joined(const std::vector<Output>& parts) {
    return concat(std::vector<Input>(parts.begin(), parts.end()), 3);
  }

  double multiplier_;
  std::int64_t min_depth_;
};

enum class Rows { kAll, kMixed, kPlain };

// Walks the rows of a table up to the final end point.
struct InceptionBase {
  const InceptionLayers layers;
  std::string final_endpoint;
  Network made;
  bool done = false;

  void add(const std::string& name, Output output) {
    made.net = output;
    made.end_points.set(name, output);
    done = name == final_endpoint;
  }
  void row(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) {
      const std::string name = text.substr(0, text.find(' '));
      return add(name, layers.layer(made.net, text));
    }
    const std::string name = text.substr(0, colon);
    const VariableScopeBlock in(name);
    add(name, layers.branches(made.net, std::string_view(text).substr(colon + 2)));
  }
  // Of the rows that are wanted those behind the first `skipped`.
  void rows(std::string_view table, Rows wanted = Rows::kAll, std::size_t skipped = 0) {
    for (const std::string& text : rows_of(table)) {
      const Rows kind = text.starts_with("Mixed") ? Rows::kMixed : Rows::kPlain;
      if (wanted != Rows::kAll && kind != wanted) continue;
      if (skipped > 0)
        --skipped;
      else if (!done)
        row(text);
    }
  }
  Network finish() const {
    require(done, "Unknown final endpoint ", final_endpoint);
    return made;
  }
};

const std::vector<LayerKind> kWindows{LayerKind::kConv2d, LayerKind::kMaxPool2d,
                                      LayerKind::kAvgPool2d, LayerKind::kSeparableConv2d};

InceptionBase start_at(Output inputs, const InceptionBaseOptions& o, const char* last) {
  return {InceptionLayers(o.depth_multiplier, o.min_depth),
          o.final_endpoint.empty() ? last : o.final_endpoint,
          {inputs, {}}};
}

// The first layer of v2: each channel by itself, then a mixing of channels.
Output separable_root(Output inputs, const InceptionLayers& layers) {
  const std::int64_t depth = layers.depth(64);
  return layer_maker().make(
      {.kind = LayerKind::kSeparableConv2d,
       .inputs = inputs,
       .num_outputs = depth,
       .kernel_size = {7, 7},
       .depth_multiplier = std::min<std::int64_t>(depth / 3, 8),
       .arguments = {
           .stride = 2, .weights_initializer = truncated(1.0), .scope = "Conv2d_1a_7x7"}});
}

// A window that is no larger than images whose size is known.
std::vector<std::int64_t> window_within(Output net, std::int64_t wanted) {
  const PartialShape shape = net.shape();
  if (!shape.has_rank() || shape.rank() != 4 || shape[1] < 0 || shape[2] < 0)
    return {wanted, wanted};
  return {std::min(shape[1], wanted), std::min(shape[2], wanted)};
}

std::string sized(const char* name, const std::vector<std::int64_t>& window) {
  return str_cat(name, window[0], "x", window[1]);
}

Output squeezed_if(bool wanted, Output logits) {
  return wanted ? squeeze(logits, {.axis = {1, 2}, .name = "SpatialSqueeze"}) : logits;
}

Arguments without_activation(std::string scope) {
  return {.activation_fn = Activation(), .normalizer_fn = Activation(), .scope = std::move(scope)};
}

Output predictions_of(Output logits, const InceptionOptions& o) {
  if (o.prediction_fn) return o.prediction_fn(logits, "Predictions");
  return layers::softmax(logits, "Predictions");
}

// A second classifier in the middle of v3, which helps the training of the layers before it.
Output auxiliary_logits(Output net, const InceptionOptions& o) {
  const InceptionLayers layers(o.depth_multiplier, o.min_depth);
  const ArgScope same({LayerKind::kConv2d, LayerKind::kMaxPool2d, LayerKind::kAvgPool2d},
                      {.stride = 1, .padding = "SAME"});
  const VariableScopeBlock in("AuxLogits");
  net = avg_pool2d(net, {5, 5}, {.stride = 3, .padding = "VALID", .scope = "AvgPool_1a_5x5"});
  net = conv2d(net, layers.depth(128), {1, 1}, {.scope = "Conv2d_1b_1x1"});
  const std::vector<std::int64_t> window = window_within(net, 5);
  net = conv2d(net, layers.depth(768), window,
               {.padding = "VALID",
                .weights_initializer = truncated(0.01),
                .scope = sized("Conv2d_2a_", window)});
  Arguments last = without_activation("Conv2d_2b_1x1");
  last.weights_initializer = truncated(0.001);
  return squeezed_if(o.spatial_squeeze, conv2d(net, o.num_classes, {1, 1}, last));
}

// Pooling over what is left of the image, dropout and logits.
Output logits_of(Output net, std::int64_t window_size, const InceptionOptions& o,
                 EndPoints* before) {
  const VariableScopeBlock in("Logits");
  const std::vector<std::int64_t> window = window_within(net, window_size);
  net = avg_pool2d(net, window, {.padding = "VALID", .scope = sized("AvgPool_1a_", window)});
  net = dropout(net, {.keep_prob = o.dropout_keep_prob, .scope = "Dropout_1b"});
  if (before != nullptr) before->set("PreLogits", net);
  return squeezed_if(o.spatial_squeeze,
                     conv2d(net, o.num_classes, {1, 1}, without_activation("Conv2d_1c_1x1")));
}

}  // namespace

Network inception_v1_base(Output inputs, const InceptionBaseOptions& o) {
  const auto in = open_network_scope(o.scope, "InceptionV1", Reuse::kUnset);
  const ArgScope weights({LayerKind::kConv2d, LayerKind::kFullyConnected},
                         {.weights_initializer = truncated(0.01)});
  const ArgScope windows({LayerKind::kConv2d, LayerKind::kMaxPool2d},
                         {.stride = 1, .padding = "SAME"});
  InceptionBaseOptions own = o;
  own.depth_multiplier = 1.0;
  InceptionBase base = start_at(inputs, own, "Mixed_5c");
  base.rows(kInceptionV1);
  return base.finish();
}

Network inception_v2_base(Output inputs, const InceptionBaseOptions& o) {
  InceptionBase base = start_at(inputs, o, "Mixed_5c");
  const auto in = open_network_scope(o.scope, "InceptionV2", Reuse::kUnset);
  const ArgScope windows(kWindows, {.stride = 1, .padding = "SAME"});
  base.add("Conv2d_1a_7x7", separable_root(inputs, base.layers));
  base.rows(kInceptionV2, Rows::kAll, 1);
  return base.finish();
}

Network inception_v3_base(Output inputs, const InceptionBaseOptions& o) {
  InceptionBase base = start_at(inputs, o, "Mixed_7c");
  const auto in = open_network_scope(o.scope, "InceptionV3", Reuse::kUnset);
  {
    const ArgScope windows({LayerKind::kConv2d, LayerKind::kMaxPool2d, LayerKind::kAvgPool2d},
                           {.stride = 1, .padding = "VALID"});
    base.rows(kInceptionV3, Rows::kPlain);
  }
  const ArgScope windows({LayerKind::kConv2d, LayerKind::kMaxPool2d, LayerKind::kAvgPool2d},
                         {.stride = 1, .padding = "SAME"});
  base.rows(kInceptionV3, Rows::kMixed);
  return base.finish();
}

Network inception_v1(Output inputs, const InceptionOptions& o) {
  const auto in = open_network_scope(o.scope, "InceptionV1", o.reuse);
  const ArgScope training({LayerKind::kBatchNorm, LayerKind::kDropout},
                          {.is_training = o.is_training});
  Network made = inception_v1_base(inputs, {.scope = in->scope()});
  const VariableScopeBlock last("Logits");
  Output net = avg_pool2d(made.net, {7, 7}, {.stride = 1, .scope = "MaxPool_0a_7x7"});
  net = dropout(net, {.keep_prob = o.dropout_keep_prob, .scope = "Dropout_0b"});
  made.net = squeezed_if(o.spatial_squeeze,
                         conv2d(net, o.num_classes, {1, 1}, without_activation("Conv2d_0c_1x1")));
  made.end_points.set("Logits", made.net);
  made.end_points.set("Predictions", predictions_of(made.net, o));
  return made;
}

Network inception_v2(Output inputs, const InceptionOptions& o) {
  require(o.depth_multiplier > 0, "depth_multiplier is not greater than zero.");
  const auto in = open_network_scope(o.scope, "InceptionV2", o.reuse);
  const ArgScope training({LayerKind::kBatchNorm, LayerKind::kDropout},
                          {.is_training = o.is_training});
  Network made = inception_v2_base(
      inputs,
      {.min_depth = o.min_depth, .depth_multiplier = o.depth_multiplier, .scope = in->scope()});
  made.net = logits_of(made.net, 7, o, nullptr);
  made.end_points.set("Logits", made.net);
  made.end_points.set("Predictions", predictions_of(made.net, o));
  return made;
}

Network inception_v3(Output inputs, const InceptionOptions& o) {
  require(o.depth_multiplier > 0, "depth_multiplier is not greater than zero.");
  const auto in = open_network_scope(o.scope, "InceptionV3", o.reuse);
  const ArgScope training({LayerKind::kBatchNorm, LayerKind::kDropout},
                          {.is_training = o.is_training});
  Network made = inception_v3_base(
      inputs,
      {.min_depth = o.min_depth, .depth_multiplier = o.depth_multiplier, .scope = in->scope()});
  if (o.create_aux_logits && o.num_classes != 0)
    made.end_points.set("AuxLogits", auxiliary_logits(made.end_points.at("Mixed_6e"), o));
  made.net = logits_of(made.net, 8, o, &made.end_points);
  made.end_points.set("Logits", made.net);
  made.end_points.set("Predictions", predictions_of(made.net, o));
  return made;
}

std::vector<ScopedArguments> inception_arg_scope(double weight_decay) {
  const auto normalizer = [](Output x) { return batch_norm(x); };
  const layers::VariableCollections averages{
      {}, {{"moving_mean", {"moving_vars"}}, {"moving_variance", {"moving_vars"}}}};
  return {{{LayerKind::kConv2d, LayerKind::kFullyConnected},
           {.weights_regularizer = layers::l2_regularizer(weight_decay)}},
          {{LayerKind::kConv2d},
           {.activation_fn = Activation(nn::relu),
            .normalizer_fn = Activation(normalizer),
            .weights_initializer = contrib_variance_scaling_initializer()}},
          {{LayerKind::kBatchNorm},
           {.variables_collections = averages, .decay = 0.9997, .epsilon = 0.001}}};
}

}  // namespace rill::contrib::slim::nets
