#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/math/rows/float_rows.h"

namespace rill {

// Rows of T for kernels that compute in C, which is T itself or, for half and bfloat16, float. The
// scratch is as long as a row and used only where a conversion is needed.
template <class T, class C>
const C* widened(const T* row, C* scratch, std::size_t n) {
  if constexpr (std::is_same_v<T, C>) {
    return row;
  } else {
    static const WidenRow widen = widen_row(dtype_of<T>);
    widen(scratch, row, n);
    return scratch;
  }
}

template <class T, class C>
void narrow_into(T* out, const C* row, std::size_t n) {
  if constexpr (!std::is_same_v<T, C>) {
    static const NarrowRow narrow = narrow_row(dtype_of<T>);
    narrow(out, row, n);
  }
}

}  // namespace rill
