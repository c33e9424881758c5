#pragma once

#include <cstddef>

#include "rill/kernel/kernel_call.h"

namespace rill {

// How a value changes the elements of a variable.
enum class UpdateKind { kAssign, kAdd, kSub, kMul, kDiv, kMin, kMax };

// dst[i] = dst[i] `kind` src[i], or with src[0] for all i. Integers wrap; dividing an integer by
// zero throws InvalidArgument.
struct ElementUpdate {
  using Row = void (*)(DType dtype, void* dst, const void* src, std::size_t count);
  Row with_row = nullptr, with_scalar = nullptr;
};

// Both functions are null when the type cannot be updated that way.
ElementUpdate element_update(UpdateKind kind, DType dtype);

// Types that arithmetic updates take, and those that kMin and kMax take.
inline constexpr TypeSet kUpdateTypes = kNumberTypes;
inline constexpr TypeSet kOrderedTypes = kRealTypes;

// Updates every element of `dst` with the element of `src` at the same place.
void update_all(const KernelCall& call, UpdateKind kind, const Tensor& dst, const Tensor& src);

}  // namespace rill
