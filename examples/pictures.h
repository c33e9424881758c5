#pragma once

#include <string>

#include "rill/messages.h"
#include "rill/rill.h"

// What retrain and label_image do alike: a graph of a file that takes pictures, and pictures as it
// takes them.
namespace pictures {

// The tensor called `name`, "op" or "op:0"; where that is empty, the graph's first placeholder.
std::string input_name(const tensorflow::GraphDef& graph, const std::string& name);
std::string tensor_name(const std::string& name);

// The picture in the bytes of a file, as `source` takes it: its size and channels, and (pixel -
// mean) / deviation.
rill::Output as_input(const rill::Input& bytes, rill::Output source, double mean, double deviation);

}  // namespace pictures
