#pragma once

#include <map>
#include <string>

#include "tensorflow/core/protobuf/tensor_bundle.pb.h"

namespace rill {

// What a `.index` file holds, as messages.
struct BundleIndex {
  tensorflow::BundleHeaderProto header;
  std::map<std::string, tensorflow::BundleEntryProto> entries;
};

// Throws DataLoss for what is no index, InvalidArgument for one of a version that cannot be read.
BundleIndex read_bundle_index(const std::string& prefix);
// Under a temporary name first; whoever looks sees the old index or the new one.
void write_bundle_index(const std::string& prefix, const BundleIndex& index);

}  // namespace rill
