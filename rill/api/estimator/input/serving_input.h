#pragma once

#include "rill/api/estimator/input/model.h"
#include "rill/api/parsing/features.h"

namespace rill::estimator {

// Where an exported model is fed, and what it is built with.
struct InputReceiver {
  InputBatch batch = {};
  Features receiver_tensors = {};
  // More places where it can be fed, by name: each gives signatures "name:output".
  std::map<std::string, Features> receiver_tensors_alternatives = {};
};
using InputReceiverFn = std::function<InputReceiver()>;

// Parts without a name are called "feature" and "input". Throw InvalidArgument where there are
// none.
InputReceiver ServingInputReceiver(Features features, Features receiver_tensors,
                                   std::map<std::string, Features> alternatives = {});
// For models that take one feature as it is.
InputReceiver TensorServingInputReceiver(data::Component feature, Features receiver_tensors,
                                         std::map<std::string, Features> alternatives = {});
// For models that are exported with what they train on. Features and labels pass as they are.
InputReceiver SupervisedInputReceiver(Features features, Features labels,
                                      Features receiver_tensors);

struct ReceiverOptions {
  std::optional<std::int64_t> default_batch_size = {};  // none: any
};
// Is fed serialised examples, "examples", which are parsed as feature_spec says: what servers send.
InputReceiverFn build_parsing_serving_input_receiver_fn(
    rill::Features feature_spec, const ReceiverOptions& options = {},
    std::source_location at = std::source_location::current());

// What a feature is fed through: a placeholder with its name, type and all but its first dimension.
struct FeedSpec {
  DType dtype = DType::invalid;
  PartialShape shape = {};
  std::string name = {};
  FeedSpec(DType d, PartialShape s, std::string n = {})
      : dtype(d), shape(std::move(s)), name(std::move(n)) {}
  FeedSpec(Output tensor)
      : FeedSpec(base_type(tensor.dtype()), tensor.shape(), tensor.node->name()) {}
};
using FeedSpecs = std::vector<std::pair<std::string, FeedSpec>>;  // in the order of placeholders
Output placeholder_like(const FeedSpec& spec, const ReceiverOptions& options = {});
// Is fed the features themselves.
InputReceiverFn build_raw_serving_input_receiver_fn(
    FeedSpecs features, const ReceiverOptions& options = {},
    std::source_location at = std::source_location::current());
// Is fed features and labels. Throws InvalidArgument where a name comes twice.
InputReceiverFn build_raw_supervised_input_receiver_fn(
    FeedSpecs features, FeedSpecs labels, const ReceiverOptions& options = {},
    std::source_location at = std::source_location::current());

// The parts with a name for the one that has none.
Features named(Features parts, const char* name);

}  // namespace rill::estimator
