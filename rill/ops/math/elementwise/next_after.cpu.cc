#include <cmath>

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

extern const OpDecl kNextAfter;

namespace {

template <class T>
void next_after_row(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] =
        std::nextafter(static_cast<const T*>(x)[i], static_cast<const T*>(y)[i]);
}

BinaryRows find_next_after(DType type) {
  if (type == DType::f32) return {.both = next_after_row<float>, .cost = 4};
  if (type == DType::f64) return {.both = next_after_row<double>, .cost = 4};
  return {};
}

constexpr KernelEntry kEntries[] = {
    binary_entry<find_next_after>(&kNextAfter, DType::f32 | DType::f64)};

}  // namespace

extern const KernelTable kNextAfterCpu{kEntries};

}  // namespace rill
