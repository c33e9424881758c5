#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// The text of the element at a flat index.
using ElementFormat = std::function<std::string(std::size_t)>;

// NumPy's format of an array's elements: one for all, found from the elements at the `shown`
// indices, so that columns line up. Borrows the tensor, which must outlive it.
ElementFormat array_format(const Tensor& tensor, std::span<const std::size_t> shown);

// NumPy's text of an element that stands alone.
std::string scalar_text(const Tensor& tensor);

// As Python writes bytes: b'...'.
std::string bytes_literal(std::string_view bytes);

}  // namespace rill
