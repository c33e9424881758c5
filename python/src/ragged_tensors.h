#pragma once

#include "call.h"
#include "rill/api/ragged/ragged_or_dense.h"

namespace rill::python {

bool is_ragged(nb::handle value);  // a RaggedTensor or RaggedTensorValue
// What is not ragged becomes a tensor, of this type where that is given.
ragged::RaggedOrDense ragged_or_dense(nb::handle value, DType dtype = DType::invalid);

nb::object give(const RaggedTensor& ragged);  // a tf.RaggedTensor
nb::object give(const ragged::RaggedOrDense& value);

void bind_ragged_functions();
void bind_ragged_joining();
void bind_ragged_strings();

}  // namespace rill::python
