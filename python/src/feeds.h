#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "objects.h"
#include "rill/runtime/session/session.h"

namespace rill::python {

struct FedValue {
  Output target;
  nb::object given;  // as the program gave it
};

// The pairs of a feed_dict, whose keys and values may be nested alike. Raises TypeError where a key
// is no tensor of the graph.
std::vector<FedValue> feed_pairs(GraphObject& graph, nb::handle feed_dict);

// The value as the target takes it; raises TypeError or ValueError as TensorFlow does.
Tensor feed_value(Output target, nb::handle value);

}  // namespace rill::python
