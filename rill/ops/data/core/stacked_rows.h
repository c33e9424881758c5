#pragma once

#include <span>

#include "rill/ops/data/core/dataset.h"

namespace rill {

// The elements `rows`, at least one, as one whose components have a first dimension more. Takes the
// values away. Rows that stand one behind the other in memory are not copied. Throws
// InvalidArgument when shapes or types differ.
void stack_rows(std::span<Element> rows, Element& stacked);

// Row `row` of every component, which there must be, as one element; it shares their storage.
void give_row(const Element& components, std::int64_t row, Element& element);

// Copies `src` into `dst`, which has room for it; strings that nobody else sees are moved.
void take_elements(Tensor& src, void* dst);

}  // namespace rill
