#include "rill/ops/data/files/example_counts.h"

#include "tensorflow/core/example/example.pb.h"

namespace rill {
namespace {

std::int64_t value_count(const tensorflow::Feature& feature) {
  return feature.bytes_list().value_size() + feature.float_list().value_size() +
         feature.int64_list().value_size();
}

}  // namespace

ExampleCounts::ExampleCounts(const std::string& bytes, const std::vector<std::string>& keys) {
  tensorflow::Example example;
  if (!example.ParseFromString(bytes)) return;
  const auto& all = example.features().feature();
  features = static_cast<std::int64_t>(all.size());
  for (const std::string& key : keys)
    if (const auto found = all.find(key); found != all.end()) values += value_count(found->second);
}

}  // namespace rill
