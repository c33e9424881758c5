#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// out[i] = condition[i] ? then[i] : otherwise[i]; `at` and `steps` are theirs in this order, steps
// in bytes. Those of `out` are dense, the others dense or 0.
using SelectRow = void (*)(std::byte* const* at, const std::int64_t* steps, std::size_t n);

// For elements that are bits of `size` bytes: 1, 2, 4, 8 or 16.
SelectRow find_select_row(std::size_t size);

}  // namespace rill
