#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/tensor/shape.h"

// What one run of a kernel has to do, and the parts that the cost functions of declarations are
// made of: `.cost = per_output<kTranscendental>`.
namespace rill {

class Op;
class Registry;

// A tensor as its cost sees it. Unknown ones have an invalid dtype.
struct TensorSize {
  DType dtype = DType::invalid;
  Shape shape;

  double elements() const { return static_cast<double>(shape.element_count()); }
  double bytes() const {
    return dtype == DType::invalid ? 0 : elements() * static_cast<double>(element_size(dtype));
  }
};

// One run of a kernel.
struct KernelWork {
  const Op* op;  // nullptr: nothing is known of it
  const AttrMap& attrs;
  std::span<const TensorSize> inputs, outputs;
  const Registry& ops;  // where a fused op finds the costs of those that it runs

  const TensorSize& input(std::size_t i) const;  // an unknown one where there is none
  double output_elements() const { return outputs.empty() ? 0 : outputs[0].elements(); }
  double largest_input() const;  // in elements

  // Attributes; false, 0 or nullptr where there is none of that name and kind.
  bool flag(std::string_view name) const;
  std::size_t count(std::string_view name) const;
  template <class T>
  const T* attr(std::string_view name) const {
    const auto it = attrs.find(name);
    return it == attrs.end() ? nullptr : it->second.get_if<T>();
  }
};

// Floating-point operations of one run, by the cost function of the op's declaration; one for each
// element it gives out where there is none.
double flops_of(const KernelWork& work);
// The same for an op that `whole` runs, on tensors of one size.
double flops_of_part(const KernelWork& whole, std::string_view op, const TensorSize& size);

// Transcendental functions count as what a polynomial of the usual degree takes.
inline constexpr int kSimple = 1, kRoot = 4, kTranscendental = 15;

// The one with most elements; an empty one where all are unknown.
const TensorSize& largest_tensor(std::span<const TensorSize> tensors);

// A dimension counted from the end; 1 where there is none.
inline double last_dim(const Shape& shape, int from_end) {
  return shape.rank() > from_end ? static_cast<double>(shape[shape.rank() - 1 - from_end]) : 1;
}

// So many flops for each element of the largest input, or of output 0.
template <int N>
double per_input(const KernelWork& work) {
  return N * work.largest_input();
}
template <int N>
double per_output(const KernelWork& work) {
  return N * work.output_elements();
}
// Of ops that move elements, or only look at them.
double no_flops(const KernelWork& work);

}  // namespace rill
