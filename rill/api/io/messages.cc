#include "rill/api/io/messages.h"
#include "tensorflow/core/example/example.pb.h"

namespace rill::train {
namespace {

Features features_of(const std::map<std::string, Feature>& given) {
  Features features;
  for (const auto& [name, feature] : given) (*features.mutable_feature())[name] = feature;
  return features;
}

}  // namespace

Feature int64_feature(const std::vector<std::int64_t>& values) {
  Feature feature;
  auto& list = *feature.mutable_int64_list();
  for (const std::int64_t value : values) list.add_value(value);
  return feature;
}

Feature float_feature(const std::vector<float>& values) {
  Feature feature;
  auto& list = *feature.mutable_float_list();
  for (const float value : values) list.add_value(value);
  return feature;
}

Feature bytes_feature(const std::vector<std::string>& values) {
  Feature feature;
  auto& list = *feature.mutable_bytes_list();
  for (const std::string& value : values) list.add_value(value);
  return feature;
}

Example make_example(const std::map<std::string, Feature>& features) {
  Example example;
  *example.mutable_features() = features_of(features);
  return example;
}

SequenceExample make_sequence_example(
    const std::map<std::string, Feature>& context,
    const std::map<std::string, std::vector<Feature>>& feature_lists) {
  SequenceExample example;
  *example.mutable_context() = features_of(context);
  for (const auto& [name, steps] : feature_lists) {
    auto& list = (*example.mutable_feature_lists()->mutable_feature_list())[name];
    for (const Feature& feature : steps) *list.add_feature() = feature;
  }
  return example;
}

}  // namespace rill::train
