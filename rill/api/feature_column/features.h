#pragma once

#include <functional>
#include <map>
#include <string>

#include "rill/api/data/element.h"

namespace rill::feature_column {

// The parts of a batch of examples by name: tensors, sparse and ragged ones. A lone part without a
// name has the key "".
using Features = std::map<std::string, data::Component, std::less<>>;

}  // namespace rill::feature_column
