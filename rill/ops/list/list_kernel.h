#pragma once

#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/tensor/list_value.h"

namespace rill {

// What kernels of lists share. Everything here throws InvalidArgument in TensorFlow's words.

// The list that a variant holds.
const ListValue& list_in(const Variant& variant);
// The list on an input, which must be a scalar.
const ListValue& list_input(const KernelCall& call, int i = 0);
// The same list for changing it, as output 0: the very one where nobody else sees it, else a copy
// that shares its elements.
ListValue& list_to_change(const KernelCall& call);

// The op's element type must be the list's.
void check_element_type(const KernelCall& call, const ListValue& list);

// Adds an element of the list's type and shape at its end, if it may have more.
void append_checked(ListValue& list, const Tensor& element);

// An element shape that is given as a tensor; the scalar -1 is a shape of unknown rank.
PartialShape shape_input(const KernelCall& call, int i);
PartialShape merged_shape(const PartialShape& a, const PartialShape& b);
std::int64_t scalar_input(const KernelCall& call, int i);  // int32; any tensor of one element

// What stands for an element that is not initialised.
Tensor zero_element(const ListValue& list, const PartialShape& shape);

// The rows of a tensor, which share its storage.
std::vector<Tensor> rows_of(const Tensor& tensor);

}  // namespace rill
