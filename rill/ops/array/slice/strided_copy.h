#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/tensor/tensor.h"

namespace rill {

// A copy between two strided arrays of equal sizes. Strides count elements; those of the source may
// be zero (repeat) or negative (backwards), those of the destination must reach each element once.
struct StridedCopy {
  Dims sizes, dst_strides, src_strides;

  void add_dim(std::int64_t size, std::int64_t dst_stride, std::int64_t src_stride) {
    sizes.push_back(size);
    dst_strides.push_back(dst_stride);
    src_strides.push_back(src_stride);
  }
};

// Copies elements of any type. `dst` and `src` are the elements at index zero of every dimension;
// dimensions are best given in the order of the destination's memory.
void strided_copy(const KernelCall& call, DType dtype, void* dst, const void* src,
                  const StridedCopy& copy);

// Writes `count` copies of the element at `value`.
void fill_elements(const KernelCall& call, DType dtype, void* dst, const void* value,
                   std::int64_t count);

// The distance, in elements, between neighbours in each dimension of a dense tensor.
Dims row_major_strides(const Shape& shape);

// The address of an element by its position in memory.
inline char* element_at(const Tensor& t, std::int64_t position) {
  return static_cast<char*>(t.raw_data()) +
         position * static_cast<std::int64_t>(element_size(t.dtype()));
}

}  // namespace rill
