#pragma once

#include <nanobind/nanobind.h>

#include "rill/api/keras/optimizer.h"

namespace rill::python {

// What Python's optimizers of tf.keras hold.
struct KerasOptimizerObject {
  keras::OptimizerRef optimizer;
  nanobind::object graph;  // in which it has variables
};

}  // namespace rill::python
