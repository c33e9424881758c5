#pragma once

#include "call.h"
#include "rill/api/sparse/sparse_tensor.h"

namespace rill::python {

// A SparseTensor, or a SparseTensorValue, which becomes one; raises TypeError otherwise.
SparseTensor sparse_of(nb::handle value);
std::vector<SparseTensor> sparse_list_of(nb::handle values);
bool is_sparse(nb::handle value);  // a SparseTensor or SparseTensorValue

nb::object give(const SparseTensor& tensor);
nb::object give(const std::vector<SparseTensor>& tensors);  // a list

void bind_sparse_tensors(nb::module_& m);
void bind_sparse_functions();
void bind_set_functions();

}  // namespace rill::python
