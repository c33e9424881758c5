#pragma once

#include <map>
#include <string>

#include "tensorflow/core/protobuf/saved_object_graph.pb.h"
#include "tensorflow/core/protobuf/trackable_object_graph.pb.h"

namespace rill::saved_model {

// The keys of a SavedModel's variables in its checkpoint, by the numbers of the objects: both have
// the same objects under the same names. Those that the checkpoint does not have are left out.
std::map<int, std::string> variable_keys(const tensorflow::SavedObjectGraph& objects,
                                         const tensorflow::TrackableObjectGraph& stored);

}  // namespace rill::saved_model
