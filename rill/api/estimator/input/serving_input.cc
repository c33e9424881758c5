#include "rill/api/estimator/input/serving_input.h"

#include "rill/api/core/basic_ops.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::estimator {
namespace {

constexpr const char* kFeature = "feature";
constexpr const char* kInput = "input";
constexpr const char* kLabel = "label";

Features receivers(Features parts) {
  require(!parts.empty(), "receiver_tensors must be defined.");
  return named(std::move(parts), kInput);
}

std::map<std::string, Features> named_alternatives(std::map<std::string, Features> alternatives) {
  for (auto& [name, parts] : alternatives) parts = named(std::move(parts), kInput);
  return alternatives;
}

// The features of a parsed example as parts of a batch.
Features parts_of(const ParsedFeatures& parsed) {
  Features parts;
  for (const auto& [name, value] : parsed)
    std::visit([&](const auto& v) { parts.emplace(name, v); }, value);
  return parts;
}

Features placeholders(const FeedSpecs& specs, const ReceiverOptions& options) {
  Features parts;
  for (const auto& [name, spec] : specs) parts.emplace(name, placeholder_like(spec, options));
  return parts;
}

std::string name_or(const std::string& name, const char* otherwise) {
  return name.empty() ? otherwise : name;
}

}  // namespace

Features named(Features parts, const char* name) {
  if (auto lone = parts.extract(""); lone) {
    lone.key() = name;
    parts.insert(std::move(lone));
  }
  return parts;
}

InputReceiver ServingInputReceiver(Features features, Features receiver_tensors,
                                   std::map<std::string, Features> alternatives) {
  require(!features.empty(), "features must be defined.");
  return {.batch = {.features = named(std::move(features), kFeature)},
          .receiver_tensors = receivers(std::move(receiver_tensors)),
          .receiver_tensors_alternatives = named_alternatives(std::move(alternatives))};
}

InputReceiver TensorServingInputReceiver(data::Component feature, Features receiver_tensors,
                                         std::map<std::string, Features> alternatives) {
  return {.batch = {.features = {{"", std::move(feature)}}},
          .receiver_tensors = receivers(std::move(receiver_tensors)),
          .receiver_tensors_alternatives = named_alternatives(std::move(alternatives))};
}

InputReceiver SupervisedInputReceiver(Features features, Features labels,
                                      Features receiver_tensors) {
  require(!features.empty(), "features must be defined.");
  require(!labels.empty(), "labels must be defined.");
  return {.batch = {.features = std::move(features), .labels = std::move(labels)},
          .receiver_tensors = receivers(std::move(receiver_tensors))};
}

InputReceiverFn build_parsing_serving_input_receiver_fn(rill::Features feature_spec,
                                                        const ReceiverOptions& options,
                                                        std::source_location at) {
  return [=] {
    const MadeAt place(at);
    const Output examples =
        placeholder(DType::string, PartialShape({options.default_batch_size.value_or(kUnknownDim)}),
                    {.name = "input_example_tensor"});
    return ServingInputReceiver(parts_of(io::parse_example(examples, feature_spec)),
                                {{"examples", examples}});
  };
}

Output placeholder_like(const FeedSpec& spec, const ReceiverOptions& options) {
  PartialShape shape = spec.shape;
  if (shape.has_rank()) {
    shape = shape.with_dim(0, options.default_batch_size.value_or(kUnknownDim));
  }
  return placeholder(spec.dtype, shape, {.name = spec.name});
}

InputReceiverFn build_raw_serving_input_receiver_fn(FeedSpecs features,
                                                    const ReceiverOptions& options,
                                                    std::source_location at) {
  return [=] {
    const MadeAt place(at);
    const Features parts = placeholders(features, options);
    return ServingInputReceiver(parts, parts);
  };
}

InputReceiverFn build_raw_supervised_input_receiver_fn(FeedSpecs features, FeedSpecs labels,
                                                       const ReceiverOptions& options,
                                                       std::source_location at) {
  for (const auto& [name, spec] : features)
    for (const auto& [other, label] : labels)
      require(name_or(name, kInput) != name_or(other, kLabel),
              "Features and labels must have distinct keys. Found overlapping keys: {",
              name_or(name, kInput), "}");
  return [=] {
    const MadeAt place(at);
    const Features x = placeholders(features, options), y = placeholders(labels, options);
    Features all = named(x, kInput);
    all.merge(named(y, kLabel));
    return SupervisedInputReceiver(x, y, all);
  };
}

}  // namespace rill::estimator
