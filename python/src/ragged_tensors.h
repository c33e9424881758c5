#pragma once

#include "call.h"
#include "rill/api/ragged/ragged_tensor.h"

namespace rill::python {

nb::object give(const RaggedTensor& ragged);  // a tf.RaggedTensor

void bind_ragged_functions();
void bind_ragged_joining();

}  // namespace rill::python
